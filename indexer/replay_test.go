package indexer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer/decode"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// TestReplay_DevnetHasNoMismatch decodes and replays a complete chain, without a database: every transaction of every
// block is replayed, whether account states are carried from block to block or fetched for each.
func TestReplay_DevnetHasNoMismatch(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 90
	d := chainOf(t, blocks).network
	src := d.Client
	net := replay.NewNetwork(src)
	forward := replay.New(net, replay.Options{})

	seen := map[chain.TransactionKey]bool{}
	split, merged, kinds := false, false, map[chain.TransactionKind]int{}
	for seqno := uint32(1); seqno <= blocks; seqno++ {
		raw, err := src.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		m, err := decode.MasterBlock(ctx, raw)
		require.NoError(t, err)
		stats, err := forward.Run(ctx, m)
		require.NoError(t, err)
		for _, mm := range m.Mismatches {
			t.Logf("block %d: %s %d: %s", seqno, mm.Account, mm.LT, mm.Reason)
		}
		require.Equal(t, len(m.Transactions), stats.Replayed, "block %d: %v", seqno, stats.Proven)
		for i := range m.Transactions {
			require.False(t, seen[m.Transactions[i].Key()])
			seen[m.Transactions[i].Key()] = true
			kinds[m.Transactions[i].Description.Kind]++
		}
		for _, b := range m.ShardBlocks {
			split, merged = split || b.AfterSplit, merged || b.AfterMerge
		}

		alone, err := decode.MasterBlock(ctx, raw)
		require.NoError(t, err)
		stats, err = replay.New(net, replay.Options{}).Run(ctx, alone)
		require.NoError(t, err)
		require.Equal(t, len(m.Transactions), stats.Replayed, "block %d alone: %v", seqno, stats.Proven)
	}
	require.Greater(t, len(seen), 200)
	require.Positive(t, kinds[chain.TickTock])
	require.True(t, split, "the scenario splits")
	require.True(t, merged, "the scenario merges")
}
