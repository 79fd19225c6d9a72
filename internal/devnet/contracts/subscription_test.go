package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
)

func TestSubscription_PaysEachPeriodUntilRemoved(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := newWallet(t, contracts.V4R2)
	s.send(party("faucet"), contracts.Transfer(w.Address, tons("50"), ""))
	ext, err := w.External(contracts.Ticket{ValidUntil: s.now + 60, Deploy: true}, contracts.Order{Message: contracts.Transfer(alice, 1, "")})
	require.NoError(t, err)
	s.external(ext)

	plugin := contracts.Subscription(contracts.SubscriptionTerms{
		Wallet: w.Address, Beneficiary: bob, Amount: tons("2"), Start: s.now, Period: 30, Timeout: 10, ID: 1,
	})
	ext, err = w.DeployPlugin(contracts.Ticket{Seqno: 1, ValidUntil: s.now + 60}, plugin, tons("2.1"), contracts.PluginFunds(1))
	require.NoError(t, err)
	steps, accepted := s.external(ext)
	require.True(t, accepted)
	require.Equal(t, uint32(contracts.OpPluginFunds), steps[1].inOp())
	require.Equal(t, uint32(contracts.OpSubscriptionPay), steps[2].inOp())
	require.Equal(t, bob.StringRaw(), steps[2].Account.StringRaw())

	_, accepted = s.external(contracts.SubscriptionReminder(plugin.Address))
	require.False(t, accepted, "nothing is due")
	s.now += 30
	steps, accepted = s.external(contracts.SubscriptionReminder(plugin.Address))
	require.True(t, accepted)
	require.Equal(t, []uint32{contracts.OpPluginRequestFunds, contracts.OpPluginFunds, contracts.OpSubscriptionPay}, opcodes(steps)[1:])
	before := s.balance(bob)
	require.Greater(t, before, tons("3.9"))

	steps = s.send(alice, contracts.Call(plugin.Address, tons("0.1"), contracts.PluginDestruct(2)))
	require.Equal(t, int32(80), steps[0].Exit, "another account")
	ext, err = w.RemovePlugin(contracts.Ticket{Seqno: 2, ValidUntil: s.now + 60}, plugin.Address, tons("0.05"), 3)
	require.NoError(t, err)
	steps, accepted = s.external(ext)
	require.True(t, accepted)
	require.Equal(t, []uint32{contracts.OpPluginDestruct, contracts.OpPluginDestruct}, opcodes(steps)[1:])
	require.True(t, steps[1].Destroyed)
	require.False(t, s.state(plugin.Address).IsValid)
}

func TestSubscription_EndsAfterFailedAttempts(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	// The payer's wallet has not installed the plug-in, so it ignores its requests.
	plugin := contracts.Subscription(contracts.SubscriptionTerms{Wallet: alice, Beneficiary: bob, Amount: tons("2"), Period: 30, Timeout: 10})
	s.deploy(plugin)
	for range 3 {
		s.now += 10
		_, accepted := s.external(contracts.SubscriptionReminder(plugin.Address))
		require.True(t, accepted)
	}
	_, accepted := s.external(contracts.SubscriptionReminder(plugin.Address))
	require.False(t, accepted, "the next attempt is not due yet")
	s.now += 10
	steps, accepted := s.external(contracts.SubscriptionReminder(plugin.Address))
	require.True(t, accepted)
	require.True(t, steps[0].Destroyed)
}

func TestDeployPlugin_OnlyV4WalletsSupportIt(t *testing.T) {
	t.Parallel()
	w := newWallet(t, contracts.V5R1)
	_, err := w.DeployPlugin(contracts.Ticket{}, contracts.Emitter(), 1, contracts.PluginFunds(1))
	require.Error(t, err)
	_, err = w.RemovePlugin(contracts.Ticket{}, alice, 1, 1)
	require.Error(t, err)
}
