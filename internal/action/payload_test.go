package action_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// cutText is a text of two cells whose second one ends within a byte.
func cutText(code uint64) *cell.Cell {
	return op(code).MustStoreSlice([]byte("than"), 32).MustStoreRef(cell.BeginCell().MustStoreUInt(5, 9).EndCell()).EndCell()
}

// twoTails is a text whose second cell has two references.
func twoTails(code uint64) *cell.Cell {
	tail := cell.BeginCell().MustStoreSlice([]byte("ks"), 16).EndCell()
	second := cell.BeginCell().MustStoreUInt(65, 8).MustStoreRef(tail).MustStoreRef(tail).EndCell()
	return op(code).MustStoreSlice([]byte("than"), 32).MustStoreRef(second).EndCell()
}

func TestComment_TextThatCannotBeReadIsNone(t *testing.T) {
	t.Parallel()
	for _, body := range []*cell.Cell{cutText(0), twoTails(0)} {
		b, root := external(1)
		b.send(root, 2, 500, body)
		require.Equal(t, map[string]any{"content": nil, "encrypted": false}, requireOne(t, b, records{})["ton_transfer_data"])
	}
	b, root := external(1)
	b.send(root, 2, 500, cutText(0x2167da4b))
	require.Equal(t, map[string]any{"content": nil, "encrypted": true}, requireOne(t, b, records{})["ton_transfer_data"])
}

// A comment of a Jetton transfer can be empty, unlike that of coins, and what cannot be read is no comment.
func TestJettonTransfer_CommentsOfPayloads(t *testing.T) {
	t.Parallel()
	refOnly := cell.BeginCell().MustStoreRef(textBody("hi")).EndCell()
	for name, tc := range map[string]struct {
		payload   *cell.Cell
		comment   any
		encrypted bool
	}{
		"text":                          {textBody("hi"), "hi", false},
		"empty text":                    {op(0).EndCell(), "", false},
		"text in a reference":           {op(0).MustStoreRef(cell.BeginCell().MustStoreSlice([]byte("hi"), 16).EndCell()).EndCell(), "hi", false},
		"no complete bytes":             {op(0).MustStoreUInt(5, 9).EndCell(), nil, false},
		"cut text":                      {cutText(0), nil, false},
		"two tails":                     {twoTails(0), nil, false},
		"encrypted":                     {op(0x2167da4b).MustStoreUInt(0x010203, 24).EndCell(), base64.StdEncoding.EncodeToString([]byte{1, 2, 3}), true},
		"encrypted, no complete bytes":  {op(0x2167da4b).MustStoreUInt(5, 9).EndCell(), nil, false},
		"encrypted, cut":                {cutText(0x2167da4b), nil, false},
		"fewer bits than an opcode":     {cell.BeginCell().MustStoreUInt(0, 16).EndCell(), nil, false},
		"another opcode":                {op(5).EndCell(), nil, false},
		"no payload":                    {nil, nil, false},
		"an empty payload":              {cell.BeginCell().EndCell(), nil, false},
		"a payload without own content": {refOnly, nil, false},
	} {
		b, root := external(5)
		b.send(b.send(root, 4, 100, transferJettons(600, 6, 5, tc.payload)), 7, 90, receiveJettons(0x178d4519, 600, 5))
		got, ok := requireOne(t, b, wallets([3]byte{7, 6, 9}))["jetton_transfer_data"].(map[string]any)
		require.True(t, ok, name)
		require.Equal(t, tc.comment, got["comment"], name)
		require.Equal(t, tc.encrypted, got["is_encrypted_comment"], name)
		payload := any(nil)
		if tc.payload != nil && tc.payload.BitsSize() > 0 {
			payload = *action.EncodeBOC(tc.payload, true)
		}
		require.Equal(t, payload, got["forward_payload"], name)
	}
}

// Some wallets send a fee in a message of its own beside the transfer, and some minters send to several wallets at once.
func TestJettonTransfer_TakesAllMessagesToWallets(t *testing.T) {
	t.Parallel()
	b, root := external(5)
	sent := b.send(root, 4, 100, transferJettons(600, 6, 5, nil))
	got := b.send(sent, 7, 90, receiveJettons(0x178d4519, 590, 5))
	b.send(got, 6, 1, op(0x7362d09c).EndCell())
	fee := b.send(sent, 11, 80, receiveJettons(0x178d4519, 10, 5))
	b.send(b.send(fee, 12, 1, op(0x7362d09c).EndCell()), 5, 0, op(7).EndCell())
	b.send(fee, 5, 70, op(0xd53276db).EndCell())
	requireRows(t, b, wallets([3]byte{7, 6, 9}, [3]byte{11, 12, 9}), []string{"jetton_transfer", "call_contract"}, want{
		"amount": 590, "destination": raw(6), "destination_secondary": raw(7), "success": true,
		"accounts": []string{raw(4), raw(5), raw(6), raw(7), raw(11), raw(12)},
	})

	// The fee comes first.
	b, root = external(5)
	sent = b.send(root, 4, 100, transferJettons(600, 6, 5, nil))
	b.send(sent, 11, 80, receiveJettons(0x178d4519, 10, 5))
	got = b.send(sent, 7, 90, receiveJettons(0x178d4519, 590, 5))
	paid := want{"amount": 590, "destination": raw(6), "destination_secondary": raw(7), "success": true}
	requireRows(t, b, wallets([3]byte{7, 6, 9}, [3]byte{11, 12, 9}), []string{"jetton_transfer"}, paid)
	requireRows(t, b, wallets([3]byte{7, 6, 9}), []string{"jetton_transfer"}, paid)
	got.Aborted = true
	requireRows(t, b, wallets([3]byte{7, 6, 9}, [3]byte{11, 12, 9}), []string{"jetton_transfer"}, want{"amount": 590, "success": false})

	order := op(0x642b7d07).MustStoreUInt(1, 64).MustStoreAddr(std(6)).MustStoreCoins(30).EndCell()
	for _, sides := range [][2]byte{{7, 11}, {11, 7}} {
		b, root = external(1)
		minted := b.send(root, 9, 100, order)
		for _, wallet := range sides {
			b.send(minted, wallet, 90, receiveJettons(0x178d4519, 70+uint64(wallet), 9))
		}
		requireRows(t, b, wallets([3]byte{7, 6, 9}, [3]byte{11, 12, 9}), []string{"jetton_mint"}, want{
			"amount": 77, "destination": raw(6), "destination_secondary": raw(7), "success": true,
		})
	}
	b, root = external(1)
	minter := b.send(root, 9, 100, order)
	b.send(minter, 7, 90, receiveJettons(0x178d4519, 77, 9))
	b.send(minter, 11, 80, receiveJettons(0x178d4519, 3, 9))
	b.send(minter, 6, 1, op(0x7362d09c).EndCell())
	requireRows(t, b, wallets([3]byte{7, 6, 9}, [3]byte{11, 12, 9}), []string{"jetton_mint"}, want{
		"amount": 77, "destination": raw(6), "destination_secondary": raw(7), "success": true,
	})

	b, root = external(5)
	burnt := b.send(root, 4, 100, op(0x595f07bc).MustStoreUInt(1, 64).MustStoreCoins(77).MustStoreAddr(std(5)).MustStoreBoolBit(false).EndCell())
	b.send(burnt, 9, 90, op(0x7bdd97de).EndCell())
	b.send(b.send(burnt, 10, 80, op(0x7bdd97de).EndCell()), 5, 70, op(0xd53276db).EndCell())
	requireRows(t, b, wallets([3]byte{4, 5, 9}), []string{"jetton_burn"}, want{"amount": 77, "success": true})
}

// What follows the account for the excess in a request to burn depends on the wallet.
func TestJettonBurn_ReadsRequestsWithAnyEnd(t *testing.T) {
	t.Parallel()
	request := func() *cell.Builder {
		return op(0x595f07bc).MustStoreUInt(1, 64).MustStoreCoins(77).MustStoreAddr(std(5))
	}
	for name, body := range map[string]*cell.Cell{
		"nothing": request().EndCell(), "a payload in place": request().MustStoreUInt(0xffff, 16).EndCell(),
	} {
		b, root := external(5)
		b.send(root, 4, 100, body)
		t.Log(name)
		requireRows(t, b, wallets([3]byte{4, 5, 9}), []string{"jetton_burn"}, want{"amount": 77})
	}
}

// Orders of the first years end before the payload. An empty payload is one.
func TestNFTTransfer_PayloadThatIsLeftOut(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder {
		return op(0x5fcc3d14).MustStoreUInt(9, 64).MustStoreAddr(std(buyer)).MustStoreAddr(std(buyer)).MustStoreBoolBit(false).MustStoreCoins(1)
	}
	empty := *action.EncodeBOC(cell.BeginCell().EndCell(), true)
	for name, tc := range map[string]struct {
		body *cell.Cell
		want any
	}{
		"left out":                    {order().EndCell(), nil},
		"left out, with a reference":  {order().MustStoreRef(textBody("hi")).EndCell(), nil},
		"empty":                       {order().MustStoreBoolBit(false).EndCell(), empty},
		"empty, in a reference":       {order().MustStoreBoolBit(true).MustStoreRef(cell.BeginCell().EndCell()).EndCell(), empty},
		"a reference that is missing": {order().MustStoreBoolBit(true).EndCell(), "not a transfer"},
	} {
		b, root := external(seller)
		b.send(root, item, 100, tc.body)
		t.Log(name)
		if tc.want == "not a transfer" {
			requireRows(t, b, marketplace(""), []string{"call_contract"}, want{})
			continue
		}
		requireRows(t, b, marketplace(""), []string{"nft_transfer"}, want{"nft_transfer_data": want{"forward_payload": tc.want}})
	}
	// Items reject a transfer to no account.
	b, root := external(seller)
	b.send(root, item, 100, op(0x5fcc3d14).MustStoreUInt(9, 64).MustStoreUInt(0, 4).MustStoreBoolBit(false).MustStoreCoins(1).
		MustStoreBoolBit(false).EndCell()).Aborted = true
	requireRows(t, b, marketplace(""), []string{"call_contract"}, want{"success": false})

	for name, body := range map[string]*cell.Cell{
		"left out":                    op(0x05138d91).MustStoreUInt(5, 64).MustStoreAddr(std(seller)).EndCell(),
		"a reference that is missing": op(0x05138d91).MustStoreUInt(5, 64).MustStoreAddr(std(seller)).MustStoreBoolBit(true).EndCell(),
	} {
		b, root := external(seller)
		b.send(b.send(root, item, 100, op(7).EndCell()), buyer, 50, body)
		t.Log(name)
		requireRows(t, b, marketplace(""), []string{"nft_transfer", "call_contract"}, want{
			"source": raw(seller), "destination": raw(buyer), "nft_transfer_data": want{"forward_payload": nil, "is_purchase": false},
		})
	}
}
