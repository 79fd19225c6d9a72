package rebuild_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/rebuild"
)

// size counts what a test has built.
type size struct{ blocks, transactions, frames int }

// requireBlock builds a block again from its decoded rows, its raw transactions and its frame, and from nothing else.
func requireBlock(t *testing.T, raw *chain.RawBlock) size {
	t.Helper()
	header, txs, err := decode.Block(raw)
	require.NoError(t, err)
	frame, err := rebuild.EncodeFrame(&header.Block, raw.Root)
	require.NoError(t, err)
	list := make([]rebuild.Transaction, len(txs))
	for i := range txs {
		c, err := cell.FromBOC(txs[i].BOC)
		require.NoError(t, err)
		list[i], err = rebuild.ReadTransaction(c)
		require.NoError(t, err)
		require.Equal(t, txs[i].StateHashBefore, list[i].OldState)
		require.Equal(t, txs[i].StateHashAfter, list[i].NewState)
	}
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	accounts, err := rebuild.AccountBlocks(list)
	require.NoError(t, err)
	extra, err := raw.Root.PeekRef(3)
	require.NoError(t, err)
	want, err := extra.PeekRef(2)
	require.NoError(t, err)
	require.Equal(t, want.HashKey(), accounts.HashKey(), "account_blocks")

	root, err := rebuild.Block(&header.Block, frame, accounts, nil)
	require.NoError(t, err)
	require.Equal(t, raw.Root.HashKey(), root.HashKey(0), "block")

	// The cell is good for decoding: it gives the same rows, and the same frame.
	again, fromRebuilt, err := decode.Block(&chain.RawBlock{ID: raw.ID, Root: root})
	if !header.Block.KeyBlock {
		require.NoError(t, err)
		require.Equal(t, header.Block, again.Block)
		require.Equal(t, header.Parents, again.Parents)
		require.Equal(t, txs, fromRebuilt)
	}
	frameAgain, err := rebuild.EncodeFrame(&header.Block, root)
	require.NoError(t, err)
	require.Equal(t, frame, frameAgain)
	return size{1, len(txs), len(frame)}
}

func TestBlock_MainnetBlocksAreRebuilt(t *testing.T) {
	t.Parallel()
	for _, rec := range mainnet.Blocks(t) {
		t.Run(rec.Name, func(t *testing.T) {
			t.Parallel()
			s := requireBlock(t, &rec.Raw)
			require.Equal(t, rec.TxCount, s.transactions)
			require.Less(t, s.frames, 1024)
			t.Logf("%s: %d transactions, a frame of %d bytes", rec.Raw.ID, s.transactions, s.frames)
			m := rec.Master(t) // a block for tests has another form
			requireBlock(t, &m.Master)
		})
	}
}

// newDevnet starts a local chain with traffic, key blocks, splits and merges.
func newDevnet(t *testing.T, blocks uint32) (context.Context, *devnettest.Network) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*4*time.Minute)
	t.Cleanup(cancel)
	return ctx, devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{3}, Scenario: true, ActionsPerMinute: 120, ShardPeriod: 24}, Blocks: blocks,
	})
}

func TestBlock_LocalChainIsRebuilt(t *testing.T) {
	t.Parallel()
	const blocks = 120
	ctx, net := newDevnet(t, blocks)
	var all size
	keys, merges, splits := 0, 0, 0
	for seqno := range uint32(blocks) {
		raw, err := net.Client.MasterBlock(ctx, seqno+1)
		require.NoError(t, err)
		tops, err := rebuild.ShardTops(raw.Master.Root)
		require.NoError(t, err)
		require.Equal(t, raw.Top, tops)
		for _, b := range append(raw.Shards, raw.Master) {
			s := requireBlock(t, &b)
			all = size{all.blocks + 1, all.transactions + s.transactions, all.frames + s.frames}
			h, _, err := decode.Block(&b)
			require.NoError(t, err)
			keys, merges, splits = keys+count(h.Block.KeyBlock), merges+count(h.Block.AfterMerge), splits+count(h.Block.AfterSplit)
			if h.Block.KeyBlock {
				requireConfig(t, &b, &h.Block)
			}
		}
	}
	require.Positive(t, keys)
	require.Positive(t, merges)
	require.Positive(t, splits)
	t.Logf("%d blocks with %d transactions: %d bytes of frames a block", all.blocks, all.transactions, all.frames/all.blocks)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// requireConfig puts the configuration into a key block that was built again.
func requireConfig(t *testing.T, raw *chain.RawBlock, row *chain.Block) {
	t.Helper()
	m, err := decode.MasterBlock(t.Context(), &chain.RawMasterBlock{Master: *raw})
	require.NoError(t, err)
	config, err := cell.FromBOC(m.Config.BOC)
	require.NoError(t, err)
	extra, err := raw.Root.PeekRef(3)
	require.NoError(t, err)
	accounts, err := extra.PeekRef(2)
	require.NoError(t, err)
	frame, err := rebuild.EncodeFrame(row, raw.Root)
	require.NoError(t, err)
	root, err := rebuild.Block(row, frame, accounts, config)
	require.NoError(t, err)
	require.Equal(t, raw.Root.HashKey(), root.HashKey(0))
	again, err := decode.MasterBlock(t.Context(), &chain.RawMasterBlock{Master: chain.RawBlock{ID: raw.ID, Root: root}})
	require.NoError(t, err)
	require.Equal(t, m.Config, again.Config)
	_, err = rebuild.Block(row, frame, accounts, leaf(4))
	require.Error(t, err)
}

// TestBlock_EveryBitOfAFrameCounts changes each bit of the frames of a shard block and of a masterchain block.
func TestBlock_EveryBitOfAFrameCounts(t *testing.T) {
	t.Parallel()
	for _, i := range []int{3, 4, 8} {
		raw := mainnet.Blocks(t)[i].Raw
		header, _, err := decode.Block(&raw)
		require.NoError(t, err)
		extra, err := raw.Root.PeekRef(3)
		require.NoError(t, err)
		accounts, err := extra.PeekRef(2)
		require.NoError(t, err)
		frame, err := rebuild.EncodeFrame(&header.Block, raw.Root)
		require.NoError(t, err)
		for bit := range 8 * len(frame) {
			changed := append([]byte(nil), frame...)
			changed[bit/8] ^= 1 << (bit % 8)
			root, err := rebuild.Block(&header.Block, changed, accounts, nil)
			if err != nil || root.HashKey(0) != raw.Root.HashKey() {
				continue
			}
			require.Fail(t, "the changed frame gives the same block", "bit %d of %d", bit, len(frame))
		}
	}
}

func FuzzFrame_DoesNotPanic(f *testing.F) {
	f.Add([]byte{0x60}, uint32(5))
	f.Add(append([]byte{0x80}, cell.BeginCell().MustStoreRef(cell.BeginCell().EndCell()).EndCell().ToBOC()...), uint32(9))
	f.Add(make([]byte, 400), uint32(1))
	f.Fuzz(func(_ *testing.T, frame []byte, seqno uint32) {
		row := chain.Block{BlockIDExt: chain.BlockIDExt{BlockID: chain.MasterBlockID(seqno)}, PrevBlocks: make([]chain.BlockID, 1)}
		if root, err := rebuild.Block(&row, frame, leaf(1), leaf(2)); err == nil {
			_, _ = rebuild.ShardTops(root)
			_, _ = rebuild.EncodeFrame(&row, root)
		}
	})
}
