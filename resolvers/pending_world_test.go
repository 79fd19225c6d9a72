package resolvers

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	network "tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/pending"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// Foretelling ends at its bounds, with what is known by then: the rest stays in flight.
func TestForetellingIsBounded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	d, err := devnet.Start(ctx, devnet.Options{Seed: [32]byte{0xb0}, Deterministic: true, Interval: devnet.ByHand})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	config, err := d.GlobalConfig()
	require.NoError(t, err)
	client, err := network.Open(ctx, network.Options{Config: config, Timeout: pacetest.Slow * 5 * time.Second})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	db := testdb.New(t)
	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- indexer.New(client, db, indexer.Options{}).Run(running) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-done) })
	svc := New(db.Reader(), client, Options{HeadTTL: time.Nanosecond, Pending: db.Pending(store.PendingLimits{})})
	t.Cleanup(svc.Close)
	for range 3 {
		_, err := d.Advance(ctx)
		require.NoError(t, err)
	}
	head := d.Chain.Head().ID.SeqNo
	require.Eventually(t, func() bool { seqno, err := svc.McSeqno(ctx); return err == nil && seqno == head }, pacetest.Slow*time.Minute, 10*time.Millisecond)

	faucet, err := devnet.FaucetWallet(d.Seed())
	require.NoError(t, err)
	thrower := contracts.Thrower(0, 9)
	root, err := faucet.External(contracts.Ticket{ValidUntil: d.Chain.Now() + 60},
		contracts.Order{Message: thrower.Deploy(1e9, contracts.ThrowCode(9))}, contracts.Order{Message: contracts.Transfer(faucet.Address, 1e6, "me")},
		contracts.Order{Message: contracts.Transfer(thrower.Address, 1e8, "too")})
	require.NoError(t, err)
	to, ok := standardAddress(faucet.Address)
	require.True(t, ok)
	v, err := svc.exec.view(ctx, nil)
	require.NoError(t, err)
	told := func(most int, ctx context.Context) *chain.FullTrace {
		w := svc.exec.newWorld(v, most)
		require.NoError(t, w.run(ctx, flight{to: to, message: root}))
		require.LessOrEqual(t, len(w.done), most)
		return pending.Trace(nil, w.done)
	}
	whole := told(maxForetold, ctx)
	require.Zero(t, whole.PendingMessages)
	all := len(whole.Transactions)
	require.GreaterOrEqual(t, all, 5, "the wallet, three messages, and what bounces")
	for most := 1; most < all; most++ {
		cut := told(most, ctx)
		require.Len(t, cut.Transactions, most)
		require.Positive(t, cut.PendingMessages)
		require.Equal(t, whole.ID, cut.ID)
	}
	dear := svc.exec.newWorld(v, maxForetold)
	dear.maxGas = 1
	require.NoError(t, dear.run(ctx, flight{to: to, message: root}))
	require.Len(t, dear.done, 1, "the transaction that exceeds the gas is the last")
	require.Equal(t, chain.StoppedByGas, dear.stop(ctx))
	over, end := context.WithCancel(ctx)
	end()
	require.Error(t, svc.exec.newWorld(v, 1).run(over, flight{to: to, message: root}), "nothing is known when there is no time at all")

	// Nobody is told of what the wallet does not take.
	stranger, err := contracts.NewWallet(contracts.V4R2, 0, faucet.Key(), 7)
	require.NoError(t, err)
	wrong, err := stranger.External(contracts.Ticket{Seqno: 5, ValidUntil: d.Chain.Now() + 60})
	require.NoError(t, err)
	f, err := svc.oracle.message(ctx, v, chain.Hash(wrong.HashKey()), to, wrong)
	require.NoError(t, err)
	require.True(t, f.refused)
}
