package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton/jetton"

	"tonql/internal/devnet/contracts"
)

func TestLiars_AreRefutedByTheContractTheyName(t *testing.T) {
	t.Parallel()
	f := newNFT(t)
	master := contracts.JettonMaster(admin, contracts.OffchainContent("https://famous.test/j.json"), contracts.JettonWalletCode())
	f.deploy(master)
	wallet := contracts.LiarJettonWallet(dave, bob, master.Address, 1_000_000)
	item := contracts.LiarNFTItem(dave, f.collection.Address, 0)
	for _, liar := range []contracts.Contract{wallet, item} {
		f.deploy(liar)
		steps := f.send(bob, contracts.Call(liar.Address, tons("0.1"), contracts.Lie(1, alice)))
		require.Equal(t, int32(401), steps[0].Exit)
		require.True(t, steps[0].Bounced)
	}
	steps := f.send(dave, contracts.Call(wallet.Address, tons("0.1"), contracts.Lie(1, alice)))
	require.Equal(t, []uint32{contracts.OpLie, contracts.OpJettonTransferNotification}, opcodes(steps))
	steps = f.send(dave, contracts.Call(item.Address, tons("0.1"), contracts.Lie(1, alice)))
	require.Equal(t, []uint32{contracts.OpLie, contracts.OpNFTOwnershipAssign}, opcodes(steps))

	// The contracts that they name refute their claims.
	genuine, err := jetton.NewJettonMasterClient(f, master.Address).GetJettonWallet(t.Context(), bob)
	require.NoError(t, err)
	require.NotEqual(t, wallet.Address.StringRaw(), genuine.Address().StringRaw())
	require.NotEqual(t, item.Address.StringRaw(), f.item(0).StringRaw())
}

func TestHostileContract_GetMethodsThrowOrReturn(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, malice := range contracts.Malices() {
		c := contracts.Hostile(malice, 1)
		s.deploy(c)
		steps := s.send(bob, contracts.Transfer(c.Address, 1_000_000, ""))
		require.False(t, steps[0].Aborted, "every message is accepted")
		_, err := s.RunGetMethod(t.Context(), nil, c.Address, "get_jetton_data")
		if malice == contracts.Throws || malice == contracts.Loops {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, "malice %d", malice)
	}
}

func TestHostileContract_GrowAddsBallast(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	c := contracts.Hostile(contracts.Throws, 2)
	s.deploy(c)
	for i := range 3 {
		require.False(t, contracts.Ballast(s.data(c.Address)))
		steps := s.send(bob, contracts.Call(c.Address, tons("1"), contracts.Grow(uint64(i), 400)))
		require.False(t, steps[0].Aborted, "exit %d action %d", steps[0].Exit, steps[0].Action)
	}
	require.True(t, contracts.Ballast(s.data(c.Address)))
	require.Greater(t, len(s.data(c.Address).ToBOC()), 120_000)
}

func TestMalformedContents_AreReturnedUnchanged(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	names := map[string]bool{}
	for _, m := range contracts.MalformedContents() {
		require.False(t, names[m.Name])
		names[m.Name] = true
		c := contracts.JettonMaster(admin, m.Content, contracts.JettonWalletCode())
		s.deploy(c)
		res, err := s.RunGetMethod(t.Context(), nil, c.Address, "get_jetton_data")
		require.NoError(t, err, m.Name)
		require.Equal(t, m.Content.Hash(), res.MustCell(3).Hash(), m.Name)
	}
}
