package contracts_test

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/wallet"

	"tonql/internal/devnet/contracts"
)

const testGlobalID = -777

func newWallet(t *testing.T, version contracts.WalletVersion) *contracts.Wallet {
	t.Helper()
	w, err := contracts.NewWallet(version, contracts.Basechain, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)), testGlobalID)
	require.NoError(t, err)
	return w
}

func TestWallet_DeploysItselfAndRefusesReplays(t *testing.T) {
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
			require.False(t, accepted, "a replayed message is not accepted")
			if version == contracts.HighloadV3 {
				return
			}
			seqno, err := w.Seqno(s.data(w.Address))
			require.NoError(t, err)
			require.Equal(t, uint32(1), seqno)

			ext, err = w.External(contracts.Ticket{Seqno: 1, ValidUntil: startTime - 1}, orders...)
			require.NoError(t, err)
			_, accepted = s.external(ext)
			require.False(t, accepted, "an expired message is not accepted")
		})
	}
}

func TestWallet_ClosesItsAccount(t *testing.T) {
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

func TestWallet_SendsUpToMaxMessages(t *testing.T) {
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

func TestWallet_AddressesAgreeWithTonutils(t *testing.T) {
	t.Parallel()
	for version, config := range map[contracts.WalletVersion]wallet.VersionConfig{
		contracts.V3R2:       wallet.V3R2,
		contracts.V4R2:       wallet.V4R2,
		contracts.V5R1:       wallet.ConfigV5R1Final{NetworkGlobalID: testGlobalID},
		contracts.HighloadV3: wallet.ConfigHighloadV3{MessageTTL: contracts.HighloadTimeout},
	} {
		ours := newWallet(t, version)
		theirs, err := wallet.FromPrivateKey(nil, ours.Key(), config)
		require.NoError(t, err)
		require.Equal(t, theirs.WalletAddress().StringRaw(), ours.Address.StringRaw(), version.String())
	}
	_, err := contracts.NewWallet(9, contracts.Basechain, ed25519.NewKeyFromSeed(make([]byte, 32)), testGlobalID)
	require.Error(t, err)
}
