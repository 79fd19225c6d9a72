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
	"tonql/internal/devnet/devnettest"
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
	d := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{0xb0}}})
	db := testdb.New(t)
	d.Index(t, db, indexer.Options{})
	svc := New(db.Reader(), d.Client, Options{HeadTTL: time.Nanosecond, Pending: db.Pending(store.PendingLimits{})})
	t.Cleanup(svc.Close)
	d.AdvanceTo(t, 4)
	d.WaitIndexed(t, db)

	faucet := d.FaucetWallet
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
