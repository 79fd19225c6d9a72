package pending_test

import (
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
	"tonql/internal/pending"
)

// Requests of every wallet version have a time until which they are valid; other messages have the default lifetime.
func TestExpiry_IsTheValidityOfAWalletRequest(t *testing.T) {
	t.Parallel()
	const sent, until = 1_750_000_000, 1_750_000_060
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	for _, version := range []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1, contracts.HighloadV3} {
		w, err := contracts.NewWallet(version, 0, key, -3)
		require.NoError(t, err)
		order := contracts.Order{Message: contracts.Transfer(w.Address, 1, "")}
		many := []contracts.Order{order, order, order, order}
		if version == contracts.HighloadV3 {
			many = many[:1]
		}
		for n := range many {
			ticket := contracts.Ticket{Seqno: 1, ValidUntil: until}
			if version == contracts.HighloadV3 {
				ticket.ValidUntil -= contracts.HighloadTimeout // of creation
			}
			root, err := w.External(ticket, many[:n+1]...)
			require.NoError(t, err)
			var m tlb.ExternalMessage
			require.NoError(t, tlb.Parse(&m, root))
			at, ok := pending.ValidUntil(m.Body)
			require.True(t, ok, "version %v with %d orders", version, n+1)
			require.EqualValues(t, until, at)
			require.EqualValues(t, until, pending.Expiry(m.Body, sent))
		}
	}
	signed := func() *cell.Builder { return cell.BeginCell().MustStoreSlice(make([]byte, 64), 512) }
	message := cell.BeginCell().EndCell()
	telegram := func(opcode uint64) *cell.Builder {
		return signed().MustStoreUInt(opcode, 32).MustStoreUInt(1, 32).MustStoreUInt(until, 32).MustStoreUInt(9, 32)
	}
	for name, c := range map[string]struct {
		body *cell.Builder
		ok   bool
	}{
		"v2":                    {signed().MustStoreUInt(1, 32).MustStoreUInt(until, 32).MustStoreUInt(3, 8).MustStoreRef(message), true},
		"highload v2":           {signed().MustStoreUInt(1, 32).MustStoreUInt(until, 32).MustStoreUInt(9, 32).MustStoreBoolBit(true).MustStoreRef(message), true},
		"Telegram, one message": {telegram(0x63896e75).MustStoreUInt(3, 8).MustStoreRef(message), true},
		"Telegram, several":     {telegram(0x73896e75).MustStoreUInt(2, 8).MustStoreBoolBit(true).MustStoreRef(message), true},
		"Telegram, another key": {telegram(0xfbba99c8).MustStoreUInt(7, 256).MustStoreRef(message).MustStoreRef(message), true},
		"Telegram, no opcode":   {telegram(0x63896e76).MustStoreUInt(3, 8).MustStoreRef(message), false},
		"v1":                    {signed().MustStoreUInt(until, 32).MustStoreUInt(3, 8).MustStoreRef(message), false},
		"a signature":           {signed(), false},
		"nothing":               {cell.BeginCell(), false},
		"a number":              {cell.BeginCell().MustStoreUInt(until, 32).MustStoreUInt(until, 32), false},
		"v5 cut off":            {cell.BeginCell().MustStoreUInt(0x7369676e, 32).MustStoreUInt(until, 32), false},
	} {
		at, ok := pending.ValidUntil(c.body.EndCell())
		require.Equal(t, c.ok, ok, name)
		if c.ok {
			require.EqualValues(t, until, at, name)
		} else {
			require.EqualValues(t, sent+pending.DefaultLifetime, pending.Expiry(c.body.EndCell(), sent), name)
		}
	}
	_, ok := pending.ValidUntil(nil)
	require.False(t, ok)
}

// The expiry is bounded, whatever time the wallet sets.
func TestExpiry_NeverExceedsMaxLifetime(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreUInt(1, 32).MustStoreUInt(0xffffffff, 32).MustStoreUInt(0, 32).EndCell()
	require.EqualValues(t, 1000+pending.MaxLifetime, pending.Expiry(body, 1000))
}
