package indexer_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// TestIndex_FarBehindFillsTheGap lets an index fall so far behind that the newest blocks are indexed first and the gap
// is filled at the same time.
func TestIndex_FarBehindFillsTheGap(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 20)
	src := d.Client
	db := testdb.New(t)
	run(ctx, t, src, db, 20, 20, indexer.Options{From: from(t, "latest")})
	d.AdvanceTo(t, 200)
	run(ctx, t, src, db, 20, 200, indexer.Options{From: from(t, "latest"), Batch: 64})
	forward := testdb.New(t)
	run(ctx, t, src, forward, 20, 200, indexer.Options{From: from(t, "20")})
	require.Equal(t, digest(ctx, t, forward), digest(ctx, t, db))

	// The configuration is indexed for every key block, also for the one before the first indexed block.
	for _, seqno := range []uint32{20, 110, 200} {
		id, err := src.MasterBlockID(ctx, seqno)
		require.NoError(t, err)
		want, err := src.Config(ctx, id)
		require.NoError(t, err)
		got, err := db.Reader().Config(ctx, seqno)
		require.NoError(t, err)
		require.Equal(t, want.Hash(), got.Root.Bytes())
	}
}

// TestIndex_RemovedBlocksAreIndexedAgain deletes blocks from a database that is being indexed.
func TestIndex_RemovedBlocksAreIndexedAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 40
	src := newNetwork(ctx, t, blocks).Client
	db := testdb.New(t)
	x := indexer.New(src, db, indexer.Options{Recheck: 50 * time.Millisecond, Logger: logger(t)})
	start(ctx, t, x)
	waitIndexed(ctx, t, db, 1, blocks)
	want := digest(ctx, t, db)

	removeBlocks(ctx, t, db, chain.SeqnoRange{First: 15, Last: 21}, blocks)
	waitIndexed(ctx, t, db, 1, blocks)
	require.Equal(t, want, digest(ctx, t, db))
}

// removeBlocks removes masterchain blocks of an index with one range, which ends with newest, as an operator may do.
func removeBlocks(ctx context.Context, t *testing.T, db *store.DB, blocks chain.SeqnoRange, newest uint32) {
	t.Helper()
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	tx, err := sql.BeginTx(ctx, nil)
	require.NoError(t, err)
	within := fmt.Sprintf(`mc_seqno BETWEEN %d AND %d`, blocks.First, blocks.Last)
	gone := `(SELECT hash FROM transactions WHERE ` + within + `)`
	for _, statement := range []string{
		`DELETE FROM messages WHERE (src_tx_hash IS NULL OR src_tx_hash IN ` + gone + `) AND (dst_tx_hash IS NULL OR dst_tx_hash IN ` + gone + `)`,
		`UPDATE messages SET src_tx_lt = NULL, src_tx_hash = NULL WHERE src_tx_hash IN ` + gone,
		`UPDATE messages SET dst_tx_lt = NULL, dst_tx_hash = NULL WHERE dst_tx_hash IN ` + gone,
		`DELETE FROM account_states WHERE tx_hash IN ` + gone,
		`DELETE FROM transactions WHERE ` + within,
		`DELETE FROM blocks WHERE ` + within,
		`DELETE FROM shards WHERE ` + within,
		fmt.Sprintf(`UPDATE indexed_ranges SET last = %d`, blocks.First-1),
		fmt.Sprintf(`INSERT INTO indexed_ranges VALUES (%d, %d)`, blocks.Last+1, newest),
	} {
		_, err := tx.ExecContext(ctx, statement)
		require.NoError(t, err, statement)
	}
	require.NoError(t, tx.Commit())
}

// TestIndex_AnotherNetworkIsRefused runs an indexer on the database of another chain.
func TestIndex_AnotherNetworkIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	db := testdb.New(t)
	run(ctx, t, newNetwork(ctx, t, 10).Client, db, 1, 10, indexer.Options{})
	want := digest(ctx, t, db)

	other := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{9}, Scenario: true}, Blocks: 15, Node: nodeOptions})
	x := indexer.New(other.Client, db, indexer.Options{})
	start(ctx, t, x)
	waitUntil(ctx, t, "a refusal", func() bool {
		s := x.Status()
		return len(s.Trouble) == 1 && strings.Contains(s.Trouble[0], "another network")
	})
	require.Equal(t, want, digest(ctx, t, db))
}

// wrongConfig is a network whose configuration has an older global version than the one its blocks were made with.
type wrongConfig struct{ *mainnet.FatBlock }

func (w wrongConfig) Config(ctx context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	root, err := w.FatBlock.Config(ctx, at)
	if err != nil {
		return nil, err
	}
	version := cell.BeginCell().MustStoreUInt(0xc4, 8).MustStoreUInt(4, 32).MustStoreUInt(494, 64).EndCell()
	dict := root.AsDict(32).Copy()
	if err := dict.SetIntKey(big.NewInt(8), cell.BeginCell().MustStoreRef(version).EndCell()); err != nil {
		return nil, err
	}
	return dict.AsCell(), nil
}

// TestIndex_MismatchesAreRows indexes a block whose transactions have other results than their execution.
func TestIndex_MismatchesAreRows(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	fat := mainnet.OpenFatBlock(t)
	db := testdb.New(t)
	registry := prometheus.NewPedanticRegistry()
	var log bytes.Buffer
	x := indexer.New(wrongConfig{fat}, db, indexer.Options{
		From: from(t, "latest"), Registerer: registry, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	stop := start(ctx, t, x)
	seqno := fat.Raw.Master.ID.Seqno
	waitIndexed(ctx, t, db, seqno, seqno)
	waitUntil(ctx, t, "the count of the block", func() bool { return x.Status().Blocks > 0 }) // it follows the commit
	stop()

	txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{McSeqno: &seqno}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.Len(t, txs, fat.TxCount)
	keys := make([]chain.TransactionKey, len(txs))
	for i := range txs {
		keys[i] = txs[i].Key()
	}
	rows, err := db.Reader().MismatchesByKey(ctx, keys)
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	require.EqualValues(t, len(rows), x.Status().Mismatches)
	require.Equal(t, len(rows), bytes.Count(log.Bytes(), []byte("transaction replay mismatch")))
	count := map[chain.Verification]int{}
	for i := range txs {
		count[txs[i].Verification]++
	}
	require.Equal(t, len(rows), count[chain.Mismatch])

	expected := fmt.Sprintf(`# HELP tonql_indexer_replay_total Number of transactions by the result of their re-execution: replayed, mismatch, unverified (over budget), old_rules (made by rules that are not executed), proven (not executed).
# TYPE tonql_indexer_replay_total counter
tonql_indexer_replay_total{result="mismatch"} %d
tonql_indexer_replay_total{result="old_rules"} %d
tonql_indexer_replay_total{result="proven"} %d
tonql_indexer_replay_total{result="replayed"} %d
tonql_indexer_replay_total{result="unverified"} 0
`, count[chain.Mismatch], count[chain.OldRules], count[chain.Proven], count[chain.Replayed])
	require.NoError(t, testutil.GatherAndCompare(registry, bytes.NewBufferString(expected), "tonql_indexer_replay_total"))
}
