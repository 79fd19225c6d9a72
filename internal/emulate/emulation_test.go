package emulate

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
)

func TestEmulation_LimitsLeaveMessagesInFlight(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	d := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{0xb0}}})
	x, _ := newEmulator(t, d, 4, d.Client)

	faucet := d.FaucetWallet
	thrower := contracts.Thrower(0, 9)
	root, err := faucet.External(contracts.Ticket{ValidUntil: d.Chain.Now() + 60},
		contracts.Order{Message: thrower.Deploy(1e9, contracts.ThrowCode(9))}, contracts.Order{Message: contracts.Transfer(faucet.Address, 1e6, "me")},
		contracts.Order{Message: contracts.Transfer(thrower.Address, 1e8, "too")})
	require.NoError(t, err)
	to, ok := standardAddress(faucet.Address)
	require.True(t, ok)
	v, err := x.At(ctx, nil)
	require.NoError(t, err)
	emulated := func(limit int) *chain.FullTrace {
		e := x.NewEmulation(v, Limits{Transactions: limit})
		require.NoError(t, e.Run(ctx, InFlight{To: to, Message: root}))
		require.LessOrEqual(t, len(e.done), limit)
		return Trace(nil, e.done)
	}
	complete := emulated(256)
	require.Zero(t, complete.PendingMessages)
	all := len(complete.Transactions)
	require.GreaterOrEqual(t, all, 5, "the wallet, three messages, and a bounced one")
	for limit := 1; limit < all; limit++ {
		cut := emulated(limit)
		require.Len(t, cut.Transactions, limit)
		require.Positive(t, cut.PendingMessages)
		require.Equal(t, complete.ID, cut.ID)
	}
	costly := x.NewEmulation(v, Limits{Transactions: 256})
	costly.maxGas = 1
	require.NoError(t, costly.Run(ctx, InFlight{To: to, Message: root}))
	require.Len(t, costly.done, 1, "the transaction that exceeds the gas is the last")
	require.Equal(t, chain.StoppedByGas, costly.stop(ctx))
	large := x.NewEmulation(v, Limits{Transactions: 256, Bytes: 1})
	require.NoError(t, large.Run(ctx, InFlight{To: to, Message: root}))
	require.Len(t, large.done, 1, "the transaction that exceeds the bytes is the last")
	require.True(t, large.Full())
	require.Equal(t, chain.StoppedBySize, large.stop(ctx))
	require.GreaterOrEqual(t, large.size, Weight(Trace(nil, large.done)))
	over, end := context.WithCancel(ctx)
	end()
	require.Error(t, x.NewEmulation(v, Limits{Transactions: 1}).Run(over, InFlight{To: to, Message: root}), "no transaction was executed in time")

	foreign, err := contracts.NewWallet(contracts.V4R2, 0, faucet.Key(), 7)
	require.NoError(t, err)
	wrong, err := foreign.External(contracts.Ticket{Seqno: 5, ValidUntil: d.Chain.Now() + 60})
	require.NoError(t, err)
	require.Equal(t, ErrNotAccepted, x.NewEmulation(v, Limits{Transactions: 1}).Run(ctx, InFlight{To: to, Message: wrong}))
}
