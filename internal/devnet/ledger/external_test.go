package ledger

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

func TestSendExternal_InvalidMessagesAreRefused(t *testing.T) {
	t.Parallel()
	w, nobody := newTestWallet(t, 1, 0, 10e9), newTestWallet(t, 2, 0, 0)
	c := openChain(t, Options{Genesis: accountsOf(w), Mempool: 2})

	var refused *ExternalError
	err := c.SendExternal(context.Background(), w.transfer(t, 5, pay(w.address, 1)))
	require.ErrorAs(t, err, &refused)
	require.True(t, refused.Executed)
	require.Equal(t, int32(33), refused.ExitCode)
	require.Contains(t, refused.Text, "External message was not accepted")
	require.Contains(t, refused.Text, "exitcode=33")

	err = c.SendExternal(context.Background(), nobody.transfer(t, 0, pay(w.address, 1)))
	require.ErrorAs(t, err, &refused)
	require.Contains(t, refused.Text, "before smart-contract execution")

	var bad *chain.Error
	err = c.SendExternal(context.Background(), cell.BeginCell().EndCell())
	require.ErrorAs(t, err, &bad)
	require.Equal(t, chain.Invalid, bad.Kind)
	internal, err := tlb.ToCell(pay(w.address, 1))
	require.NoError(t, err)
	require.ErrorAs(t, c.SendExternal(context.Background(), internal), &bad)
	require.Equal(t, chain.Invalid, bad.Kind)

	// The same message twice counts once; a third different one exceeds the limit.
	first := w.transfer(t, 0, pay(w.address, 1))
	require.NoError(t, c.SendExternal(context.Background(), first))
	require.NoError(t, c.SendExternal(context.Background(), first))
	require.Equal(t, 1, c.pool.len())
	require.NoError(t, c.SendExternal(context.Background(), w.transfer(t, 0, pay(w.address, 2))))
	require.ErrorAs(t, c.SendExternal(context.Background(), w.transfer(t, 0, pay(w.address, 3))), &bad)
	require.Equal(t, chain.Unavailable, bad.Kind)

	// Only the first of the two can succeed; no block contains the other.
	mine(t, c, 1)
	blocks, err := c.Committed(1)
	require.NoError(t, err)
	require.Len(t, blockTxs(t, blocks[0]), 2)
	require.Zero(t, c.pool.len())
}

// TestMine_MessagesAboveTheBlockLimitWait floods small blocks: messages wait in the shard's own queue and
// are all processed later, in order.
func TestMine_MessagesAboveTheBlockLimitWait(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 20, 0)
	c := openChain(t, Options{Genesis: accountsOf(wallets...), MaxBlockTxs: 10})
	sink := newTestWallet(t, 500, 0, 0)
	for _, w := range wallets {
		m := w.transfer(t, 0, pay(sink.address, 10), pay(sink.address, 20), pay(sink.address, 30))
		require.NoError(t, c.SendExternal(context.Background(), m))
	}
	mine(t, c, 1)
	require.Positive(t, queued(c))
	require.True(t, c.busy())
	for range 20 {
		mine(t, c, 1)
	}
	require.Zero(t, queued(c))
	require.Equal(t, uint64(20*60), accountState(t, c, sink.address).Balance.Nano().Uint64())
	replayAll(t, c)
}

// TestMiner_MinesByIntervalOrMessage checks both modes of the miner, and that Run ends with its context.
func TestMiner_MinesByIntervalOrMessage(t *testing.T) {
	t.Parallel()
	w := newTestWallet(t, 1, 0, 10e9)
	c := openChain(t, Options{Genesis: accountsOf(w)})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()

	run, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- (&Miner{Chain: c, Interval: 5 * time.Millisecond}).Run(run) }()
	require.NoError(t, c.WaitSeqno(ctx, 5))
	stop()
	require.NoError(t, <-done)

	run, stop = context.WithCancel(ctx)
	go func() { done <- (&Miner{Chain: c, Instant: true}).Run(run) }()
	seqno := c.Head().ID.SeqNo
	require.NoError(t, c.SendExternal(ctx, w.transfer(t, 0, pay(w.address, 1))))
	require.NoError(t, c.WaitSeqno(ctx, seqno+1))
	stop()
	require.NoError(t, <-done)

	short, end := context.WithTimeout(ctx, 10*time.Millisecond)
	defer end()
	require.ErrorIs(t, c.WaitSeqno(short, 1<<30), context.DeadlineExceeded)
}
