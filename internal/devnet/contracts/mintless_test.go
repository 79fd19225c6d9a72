package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
)

func TestMintless_ClaimsNeedTheirOwnProofInTime(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	f := nftFixture{sandbox: s}
	grants := []contracts.Grant{
		{Owner: alice, Amount: 500, StartFrom: startTime, Until: startTime + 1000},
		{Owner: bob, Amount: 70, StartFrom: startTime + 5000, Until: startTime + 6000},
		{Owner: carol, Amount: 9, StartFrom: startTime, Until: startTime + 1000},
	}
	airdrop := contracts.Airdrop(grants)
	master := contracts.MintlessMaster(admin, contracts.OffchainContent("https://mintless.test/j.json"), airdrop)
	s.deploy(master)
	res, err := s.RunGetMethod(t.Context(), nil, master.Address, "get_mintless_airdrop_hashmap_root")
	require.NoError(t, err)
	require.Equal(t, airdrop.Hash(), res.MustInt(0).Bytes())

	claim := func(who, proven *address.Address, amount uint64) []step {
		payload, err := contracts.MintlessClaim(airdrop, proven)
		require.NoError(t, err)
		wallet := contracts.MintlessWallet(who, master.Address, airdrop)
		order := contracts.JettonTransfer{QueryID: 1, Amount: tlb.FromNanoTONU(amount), Destination: dave, Response: who, CustomPayload: payload}
		return s.send(who, wallet.Deploy(tons("0.2"), order.Body()))
	}
	wallet := contracts.MintlessWallet(alice, master.Address, airdrop)
	steps := claim(alice, alice, 100)
	require.Equal(t, []uint32{contracts.OpJettonTransfer, contracts.OpJettonInternalTransfer, contracts.OpExcesses}, opcodes(steps))
	require.False(t, steps[1].Aborted, "exit %d", steps[1].Exit)
	require.NotZero(t, f.getInt(wallet.Address, "is_claimed"))
	steps = claim(alice, alice, 401)
	require.Equal(t, int32(706), steps[0].Exit, "an airdrop counts once")
	require.True(t, steps[0].Bounced)
	steps = claim(bob, bob, 1)
	require.Equal(t, int32(55), steps[0].Exit, "not yet")
	steps = claim(dave, alice, 1)
	require.NotZero(t, steps[0].Exit, "another's proof")
	_, err = contracts.MintlessClaim(airdrop, dave)
	require.Error(t, err)

	other := contracts.Airdrop([]contracts.Grant{{Owner: carol, Amount: 1_000_000, Until: startTime + 1000}})
	payload, err := contracts.MintlessClaim(other, carol)
	require.NoError(t, err)
	order := contracts.JettonTransfer{Amount: tlb.FromNanoTONU(1), Destination: dave, CustomPayload: payload}
	steps = s.send(carol, contracts.MintlessWallet(carol, master.Address, airdrop).Deploy(tons("0.2"), order.Body()))
	require.Equal(t, int32(54), steps[0].Exit, "a proof of another airdrop")

	mint := contracts.JettonMint{Recipient: bob, Amount: tlb.FromNanoTONU(30), Value: tons("0.1"), Response: admin}
	steps = s.send(bob, contracts.Call(master.Address, tons("0.2"), mint.Body()))
	require.Equal(t, int32(73), steps[0].Exit)
	steps = s.send(admin, contracts.Call(master.Address, tons("0.2"), mint.Body()))
	require.False(t, steps[1].Aborted)
	burn := contracts.JettonBurn(1, tlb.FromNanoTONU(10), bob)
	steps = s.send(bob, contracts.Call(contracts.MintlessWallet(bob, master.Address, airdrop).Address, tons("0.1"), burn))
	require.Equal(t, []uint32{contracts.OpJettonBurn, contracts.OpJettonBurnNotification, contracts.OpExcesses}, opcodes(steps))
}

func TestStuckJetton_TransferBounces(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	master := contracts.JettonMaster(admin, contracts.OffchainContent("https://stuck.test/j.json"), contracts.StuckJettonWalletCode())
	s.deploy(master)
	mint := contracts.JettonMint{Recipient: alice, Amount: tlb.FromNanoTONU(100), Value: tons("0.1")}
	s.send(admin, contracts.Call(master.Address, tons("0.2"), mint.Body()))
	wallet := contracts.JettonWallet(alice, master.Address, contracts.StuckJettonWalletCode())
	order := contracts.JettonTransfer{Amount: tlb.FromNanoTONU(40), Destination: bob, Response: alice}
	steps := s.send(alice, contracts.Call(wallet.Address, tons("0.2"), order.Body()))
	require.Equal(t, []uint32{contracts.OpJettonTransfer, contracts.OpJettonInternalTransfer, contracts.OpJettonInternalTransfer}, opcodes(steps))
	require.Equal(t, int32(777), steps[1].Exit)
	balance, err := contracts.JettonBalance(s.data(wallet.Address))
	require.NoError(t, err)
	require.Equal(t, int64(100), balance.Int64())
}
