package ledger

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/layout"
)

// shardNames returns the ids of the current shards.
func shardNames(c *Chain) (out []string) {
	for _, q := range c.OutQueueSizes()[1:] {
		out = append(out, fmt.Sprintf("%016x", uint64(q.ID.Shard)))
	}
	return out
}

func queued(c *Chain) (n int) {
	for _, q := range c.OutQueueSizes() {
		n += q.Size
	}
	return n
}

// TestShards_SplitAndMergeLoseNoMessage sends transfers between accounts of all shards during two levels
// of splits and the merges. Every message arrives once.
func TestShards_SplitAndMergeLoseNoMessage(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 24, 0)
	master := newTestWallet(t, 1000, -1, 1000e9)
	c := openChain(t, Options{Genesis: accountsOf(append(wallets, master)...)})

	seqnos := make([]uint32, len(wallets))
	sent := 0
	round := func() {
		for i, w := range wallets {
			if (i+int(c.mcTip.id.SeqNo))%3 != 0 {
				continue
			}
			a, b := wallets[(i*7+3)%len(wallets)], wallets[(i+11)%len(wallets)]
			msgs := []*tlb.InternalMessage{pay(a.address, 1e6), pay(b.address, 2e6), pay(master.address, 3e8)}
			require.NoError(t, c.SendExternal(context.Background(), w.transfer(t, seqnos[i], msgs...)))
			seqnos[i]++
			sent += len(msgs)
		}
		mine(t, c, 1)
	}
	full := layout.FullShard
	left, right := layout.ShardChildren(full)
	round()
	require.NoError(t, c.RequestSplit(0, int64(full)))
	for range 4 {
		round()
	}
	require.Equal(t, []string{"4000000000000000", "c000000000000000"}, shardNames(c))
	require.NoError(t, c.RequestSplit(0, int64(left)))
	require.NoError(t, c.RequestSplit(0, int64(right)))
	for range 4 {
		round()
	}
	require.Len(t, shardNames(c), 4)
	require.NoError(t, c.RequestMerge(0, int64(left)))
	for range 4 {
		round()
	}
	require.Equal(t, []string{"4000000000000000", "a000000000000000", "e000000000000000"}, shardNames(c))
	require.NoError(t, c.RequestMerge(0, int64(right)))
	for range 4 {
		round()
	}
	require.NoError(t, c.RequestMerge(0, int64(full)))
	for range 5 {
		round()
	}
	require.Equal(t, []string{"8000000000000000"}, shardNames(c))
	mine(t, c, 4)
	require.Zero(t, queued(c))

	received := map[string]int{}
	var merges, splits int
	for seqno := uint32(1); seqno <= c.Head().ID.SeqNo; seqno++ {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		head, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		for _, b := range append(blocks, head) {
			if len(b.Prev) == 2 {
				merges++
			}
			var blk tlb.Block
			require.NoError(t, tlb.Parse(&blk, b.Root))
			if blk.BlockInfo.AfterSplit {
				splits++
			}
			for _, tx := range blockTxs(t, b) {
				if tx.IO.In != nil && tx.IO.In.MsgType == tlb.MsgTypeInternal && tx.IO.In.AsInternal().SrcAddr.Workchain() == 0 {
					msg, err := tx.IO.In.ToCell()
					require.NoError(t, err)
					received[string(msg.Hash())]++
				}
			}
		}
	}
	require.Equal(t, 3, merges)
	require.Equal(t, 6, splits)
	require.Len(t, received, sent)
	for _, n := range received {
		require.Equal(t, 1, n)
	}
	r := replayAll(t, c)
	require.Positive(t, r.tickers)
	require.Greater(t, r.txs, sent)
}
