package recordedtest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// unhurried is the time limit of each execution, so that a busy machine does not change the result.
const unhurried = 5 * time.Minute

// Blocks decodes and executes the masterchain blocks first to last of a recording.
func Blocks(tb testing.TB, src chain.Source, first, last uint32) []*chain.MasterBlock {
	tb.Helper()
	ctx := tb.Context()
	network := replay.NewNetwork(src)
	replayer := replay.New(network, replay.Options{Time: unhurried})
	detector := detect.New(src, network, detect.Options{Time: unhurried})
	defer detector.Close()
	batch := detector.NewBatch()
	var blocks []*chain.MasterBlock
	epochs := map[uint32]bool{}
	for seqno := first; seqno <= last; seqno++ {
		raw, err := src.MasterBlock(ctx, seqno)
		require.NoError(tb, err)
		m, err := decode.MasterBlock(ctx, raw)
		require.NoError(tb, err)
		_, err = replayer.Run(ctx, m)
		require.NoError(tb, err)
		configure(ctx, tb, network, m, epochs)
		stats, err := batch.Run(ctx, m)
		require.NoError(tb, err)
		require.Zero(tb, stats.Failed)
		blocks = append(blocks, m.MasterBlock)
	}
	return blocks
}

// configure adds the configuration that is in force to the first block of each key block epoch, as the indexer does.
func configure(ctx context.Context, tb testing.TB, network *replay.Network, m *decode.Master, epochs map[uint32]bool) {
	tb.Helper()
	if m.Config != nil {
		epochs[m.Config.McSeqno] = true
		return
	}
	epoch := m.Block.PrevKeyBlockSeqno
	if epochs[epoch] {
		return
	}
	root, err := network.ConfigOf(ctx, epoch)
	if chain.KindOf(err) == chain.NotFound {
		return
	}
	require.NoError(tb, err)
	m.Config, epochs[epoch] = decode.NewConfig(epoch, root), true
}

// Index writes blocks to a new database.
func Index(tb testing.TB, blocks []*chain.MasterBlock) *store.DB {
	tb.Helper()
	db := testdb.New(tb)
	Write(tb, db, blocks)
	return db
}

// IndexAsBefore writes blocks to a new database as versions did that stored the fields of a transaction in columns, and its raw form
// in a table of its own.
func IndexAsBefore(tb testing.TB, blocks []*chain.MasterBlock) *store.DB {
	tb.Helper()
	db := testdb.New(tb)
	plain := make([]*chain.MasterBlock, len(blocks))
	for i := range blocks {
		mb := *blocks[i]
		mb.BOCs = nil
		plain[i] = &mb
	}
	Write(tb, db, plain)
	handle := db.SQLDB()
	defer func() { require.NoError(tb, handle.Close()) }()
	for _, mb := range blocks {
		for i := range mb.BOCs {
			_, err := handle.ExecContext(tb.Context(), `INSERT INTO transaction_bocs SELECT account, lt, $1 FROM transactions WHERE hash = $2`,
				[]byte(mb.BOCs[i]), mb.Transactions[i].Hash[:])
			require.NoError(tb, err)
		}
	}
	return db
}

// Write stores blocks, several in a database transaction.
func Write(tb testing.TB, db *store.DB, blocks []*chain.MasterBlock) {
	tb.Helper()
	const group = 16
	w := db.Writer()
	w.SetClassifier(trace.Classifier{})
	for part := range slices.Chunk(blocks, group) {
		require.NoError(tb, w.Apply(tb.Context(), part...))
	}
	countTokens(tb, db)
}

// countTokens counts holders and transfers of all tokens, as the indexer does in the background.
func countTokens(tb testing.TB, db *store.DB) {
	tb.Helper()
	info, err := db.Reader().MasterchainInfo(tb.Context())
	require.NoError(tb, err)
	for _, kind := range []chain.TokenKind{chain.TokenJettonMaster, chain.TokenNFTCollection} {
		var after *chain.Address
		for {
			tokens, last, err := db.Reader().TokenRound(tb.Context(), kind, after, info.Last.GenUtime)
			require.NoError(tb, err)
			require.NoError(tb, db.CountTokens(tb.Context(), tokens, info.Last.GenUtime))
			if after = last; last == nil {
				break
			}
		}
	}
}
