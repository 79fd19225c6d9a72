package contracts_test

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
)

const testGlobalID = -777

func newWallet(t *testing.T, version contracts.WalletVersion) *contracts.Wallet {
	t.Helper()
	w, err := contracts.NewWallet(version, contracts.Basechain, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)), testGlobalID)
	require.NoError(t, err)
	return w
}

func TestWalletDeploysItselfAndSends(t *testing.T) {
	t.Parallel()
	for _, version := range []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1, contracts.HighloadV3} {
		t.Run(version.String(), func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			w := newWallet(t, version)
			s.send(party("faucet"), contracts.Transfer(w.Address, tons("10"), ""))

			ticket := contracts.Ticket{Seqno: 0, ValidUntil: startTime + 60, Deploy: true}
			if version == contracts.HighloadV3 {
				ticket.ValidUntil = startTime - 10
			}
			orders := []contracts.Order{
				{Message: contracts.Transfer(alice, tons("1"), "first")},
				{Message: contracts.Transfer(bob, tons("2"), "second")},
			}
			ext, err := w.External(ticket, orders...)
			require.NoError(t, err)
			steps, accepted := s.external(ext)
			require.True(t, accepted)
			require.False(t, steps[0].Aborted)
			require.Equal(t, tons("1"), s.balance(alice))
			require.Equal(t, tons("2"), s.balance(bob))
			_, accepted = s.external(ext)
			require.False(t, accepted, "the same message is not taken twice")
			if version == contracts.HighloadV3 {
				return
			}
			seqno, err := w.Seqno(s.data(w.Address))
			require.NoError(t, err)
			require.Equal(t, uint32(1), seqno)

			ext, err = w.External(contracts.Ticket{Seqno: 1, ValidUntil: startTime - 1}, orders...)
			require.NoError(t, err)
			_, accepted = s.external(ext)
			require.False(t, accepted, "an expired message is not taken")
		})
	}
}

func TestWalletClosesItsAccount(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := newWallet(t, contracts.V3R2)
	s.send(party("faucet"), contracts.Transfer(w.Address, tons("10"), ""))
	ext, err := w.External(contracts.Ticket{ValidUntil: startTime + 60, Deploy: true},
		contracts.Order{Message: contracts.Transfer(alice, 0, "bye"), Mode: contracts.ModeAllBalance | contracts.ModeCloseAccount})
	require.NoError(t, err)
	steps, accepted := s.external(ext)
	require.True(t, accepted)
	require.True(t, steps[0].Destroyed)
	require.False(t, s.state(w.Address).IsValid)
}

func TestWalletSendsAsManyAsItsVersionCan(t *testing.T) {
	t.Parallel()
	for _, version := range []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1, contracts.HighloadV3} {
		t.Run(version.String(), func(t *testing.T) {
			t.Parallel()
			w := newWallet(t, version)
			orders := make([]contracts.Order, version.MaxMessages()+1)
			for i := range orders {
				orders[i].Message = contracts.Transfer(alice, 1, "")
			}
			_, err := w.External(contracts.Ticket{}, orders...)
			require.ErrorContains(t, err, version.String())
			ext, err := w.External(contracts.Ticket{}, orders[1:]...)
			require.NoError(t, err)
			var parsed tlb.ExternalMessage
			require.NoError(t, tlb.Parse(&parsed, ext))
			require.Equal(t, w.Address.StringRaw(), parsed.DstAddr.StringRaw())
		})
	}
}

// The addresses are those tonutils-go's wallet package derives from the same key on the same network.
func TestWalletAddresses(t *testing.T) {
	t.Parallel()
	for version, want := range map[contracts.WalletVersion]string{
		contracts.V3R2:       "0:61bdf322e357500f6ca7e60a7f5ba38c86404341662b0013933914adf25e338a",
		contracts.V4R2:       "0:2a6ee6b7ff41bfecafe383386325c7a895f4fe4ce346b18eb9c14a0152d6629c",
		contracts.V5R1:       "0:fd548d7299fbac31c0827090eda626b358667bea6e65b0ec3fdeca6336631d22",
		contracts.HighloadV3: "0:e12ad57d011dccbdd4afe4f3f4cf017fdd749bf9e4ffc80799bbda9e4ec72fda",
	} {
		require.Equal(t, want, newWallet(t, version).Address.StringRaw(), version.String())
	}
	_, err := contracts.NewWallet(9, contracts.Basechain, ed25519.NewKeyFromSeed(make([]byte, 32)), testGlobalID)
	require.Error(t, err)
}
