package action_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The parties of a request that a relayer delivers.
const relayer, relayedWallet, paidAccount = 1, 2, 3

// telegramRequest makes the body of a request to Telegram's wallet, up to the sequence number.
func telegramRequest(code uint64) *cell.Builder {
	return cell.BeginCell().MustStoreSlice(bytes.Repeat([]byte{0xc3}, 64), 512).MustStoreUInt(code, 32).
		MustStoreUInt(1, 32).MustStoreUInt(2, 32).MustStoreUInt(3, 32)
}

func TestGaslessRequest_IsBesideTheActionsOfTheRequest(t *testing.T) {
	t.Parallel()
	marker := []string{"gasless_request", "call_contract", "ton_transfer"}
	for name, tc := range map[string]struct {
		body  *cell.Cell
		kinds []string
		op    any // of the call
	}{
		"wallet v5":                      {op(0x73696e74).MustStoreUInt(1, 32).EndCell(), marker, 0x73696e74},
		"Telegram, one message":          {telegramRequest(0x63896e74).EndCell(), marker, 0x63896e74},
		"Telegram, several messages":     {telegramRequest(0x73896e74).EndCell(), marker, 0x73896e74},
		"Telegram, a key not replaced":   {telegramRequest(0xfbba99c7).EndCell(), marker, 0xfbba99c7},
		"a request of an extension":      {op(0x6578746e).EndCell(), marker[1:], 0x6578746e},
		"an external form":               {telegramRequest(0x63896e75).EndCell(), marker[1:], 0x63896e75},
		"another request, signed":        {telegramRequest(0x12345678).EndCell(), marker[1:], 0xc3c3c3c3},
		"a signature and an opcode":      {cell.BeginCell().MustStoreSlice(bytes.Repeat([]byte{0xc3}, 64), 512).MustStoreUInt(0x63896e74, 32).EndCell(), marker[1:], 0xc3c3c3c3},
		"an opcode that is not a text's": {op(0x73696e75).EndCell(), marker[1:], 0x73696e75},
	} {
		b, root := external(relayer)
		tx := b.send(root, relayedWallet, 70, tc.body)
		b.send(tx, paidAccount, 5, textBody(""))
		row := want{"source": raw(relayer), "destination": raw(relayedWallet), "value": 70, "success": true}
		requireRows(t, b, records{}, tc.kinds, row)
		actions, err := action.Classify(b.trace, records{})
		require.NoError(t, err)
		for _, a := range actions {
			switch a.Type {
			case "gasless_request":
				require.Nil(t, a.Opcode, name)
				require.Empty(t, a.ParentID, name)
				require.Len(t, a.TxHashes, 2, name)
			case "call_contract":
				requireColumns(t, want{"opcode": tc.op}, columns(t, a))
			}
		}
	}
}

func TestGaslessRequest_FailsWithTheWallet(t *testing.T) {
	t.Parallel()
	b, root := external(relayer)
	b.bounce(b.abort(b.send(root, relayedWallet, 70, op(0x73696e74).EndCell())))
	requireRows(t, b, records{}, []string{"gasless_request", "call_contract", "call_contract"}, want{"success": false})
}

// An owner who sends the request himself pays for the gas.
func TestGaslessRequest_ExternalRequestIsNone(t *testing.T) {
	t.Parallel()
	b, root := external(relayedWallet)
	root.In.Opcode, root.In.Body = new(uint32(0x73696e74)), action.Parsed(op(0x73696e74).EndCell())
	b.send(root, paidAccount, 5, textBody(""))
	requireRows(t, b, records{}, []string{"ton_transfer"}, want{})
}

func TestChangeWalletKey_NeedsTheLogOfTheWallet(t *testing.T) {
	t.Parallel()
	key, signature, old := bytes.Repeat([]byte{0x11}, 32), bytes.Repeat([]byte{0x22}, 64), bytes.Repeat([]byte{0x33}, 32)
	change := func(code uint64) *cell.Builder { return telegramRequest(code).MustStoreSlice(key, 256) }
	request := func(code uint64) *cell.Cell {
		return ref(ref(change(code), cell.BeginCell().MustStoreSlice(signature, 512)), cell.BeginCell().MustStoreSlice(old, 256)).EndCell()
	}
	changed := op(0xeba19948).MustStoreSlice(old, 256).EndCell()
	changedLater := op(0x5d1cd02f).MustStoreSlice(old, 256).EndCell() // of a later version of the code
	keys := want{
		"new_public_key": hex.EncodeToString(key), "rotation_signature": hex.EncodeToString(signature),
		"encrypted_old_private_key": hex.EncodeToString(old),
	}
	externally := func(body *cell.Cell) (*builder, *action.Transaction) {
		b, root := external(relayedWallet)
		root.In.Opcode, root.In.Body = new(uint32(0xc3c3c3c3)), action.Parsed(body)
		return b, root
	}

	for _, log := range []*cell.Cell{changed, changedLater} {
		b, wallet := externally(request(0xfbba99c8))
		b.log(wallet, log)
		requireRows(t, b, records{}, []string{"change_wallet_key"}, want{
			"source": nil, "destination": raw(relayedWallet), "value": nil, "opcode": nil, "success": true, "change_wallet_key_data": keys,
		})

		b, root := external(relayer)
		b.log(b.send(root, relayedWallet, 70, request(0xfbba99c7)), log)
		requireRows(t, b, records{}, []string{"change_wallet_key", "gasless_request"}, want{
			"source": raw(relayer), "destination": raw(relayedWallet), "value": 70, "success": true, "change_wallet_key_data": keys,
		})
	}

	for name, build := range map[string]func(b *builder, root *action.Transaction){
		"the wallet ignores it": func(b *builder, root *action.Transaction) { b.send(root, relayedWallet, 70, request(0xfbba99c7)) },
		"the wallet fails": func(b *builder, root *action.Transaction) {
			tx := b.send(root, relayedWallet, 70, request(0xfbba99c7))
			b.log(tx, changed)
			b.abort(tx)
		},
		"no proof of the new key": func(b *builder, root *action.Transaction) {
			b.log(b.send(root, relayedWallet, 70, change(0xfbba99c7).EndCell()), changed)
		},
		"a log cut short": func(b *builder, root *action.Transaction) {
			b.log(b.send(root, relayedWallet, 70, request(0xfbba99c7)), op(0xeba19948).EndCell())
		},
		"a log of another key": func(b *builder, root *action.Transaction) {
			b.log(b.send(root, relayedWallet, 70, request(0xfbba99c7)), op(0xeba19948).MustStoreSlice(key, 256).EndCell())
		},
	} {
		b, root := external(relayer)
		build(b, root)
		t.Log(name)
		requireRows(t, b, records{}, []string{"gasless_request", "call_contract"}, want{})
	}

	// The form of the other kind of message is no request.
	b, wallet := externally(request(0xfbba99c7))
	b.log(wallet, changed)
	requireRows(t, b, records{}, []string{"unknown"}, want{})
	b, root := external(relayer)
	b.log(b.send(root, relayedWallet, 70, request(0xfbba99c8)), changed)
	requireRows(t, b, records{}, []string{"call_contract"}, want{})
}

// A request of a relayer may itself be relayed: each has its marker.
func TestGaslessRequest_MayBeNested(t *testing.T) {
	t.Parallel()
	b, root := external(relayer)
	tx := b.send(root, relayedWallet, 70, op(0x73696e74).EndCell())
	b.send(tx, paidAccount, 60, op(0x73696e74).EndCell())
	requireRows(t, b, records{}, []string{"gasless_request", "gasless_request", "call_contract", "call_contract"}, want{})
}
