package action_test

import (
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// The parties of orders.
const (
	orderMaker, orderWallet, orderItself, orderSigner = 1, 2, 3, 4
)

func TestMultisig_RefusedApprovalIsNotSuccessful(t *testing.T) {
	t.Parallel()
	r := records{orders: map[chain.Address]*action.MultisigOrder{
		account(orderItself): {Signers: []chain.Address{account(orderMaker), account(orderSigner)}},
	}}
	order := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	request := op(0xf718510f).MustStoreUInt(5, 64).MustStoreUInt(12, 256).MustStoreBoolBit(true).MustStoreUInt(3, 8).
		MustStoreUInt(1_800_000_000, 48).MustStoreRef(order).EndCell()
	begin := func(signed bool) *cell.Cell {
		b := op(0x9c73fba2).MustStoreUInt(5, 64).MustStoreUInt(2, 8).MustStoreRef(order).MustStoreUInt(1_800_000_000, 48).
			MustStoreRef(order).MustStoreBoolBit(signed)
		if signed {
			b = b.MustStoreUInt(3, 8)
		}
		return b.EndCell()
	}
	for _, signed := range []bool{true, false} {
		b, root := external(orderMaker)
		b.send(b.send(root, orderWallet, 1000, request), orderItself, 900, begin(signed))
		requireRows(t, b, r, []string{"multisig_create_order"}, want{
			"source": raw(orderMaker), "destination": raw(orderWallet), "destination_secondary": raw(orderItself),
			"accounts": []string{raw(orderMaker), raw(orderWallet), raw(orderItself), raw(orderSigner)},
			"multisig_create_order_data": want{
				"query_id": 5, "order_seqno": 12, "is_created_by_signer": true, "is_signed_by_creator": signed, "creator_index": 3,
				"expiration_date": 1_800_000_000,
			},
		})
	}

	accepted := op(0x82609bf6).MustStoreUInt(5, 64).EndCell()
	refused := op(0xafaf283e).MustStoreUInt(5, 64).MustStoreUInt(107, 32).EndCell()
	for name, tc := range map[string]struct {
		request, reply *cell.Cell
		success        bool
		data           want
	}{
		"by call":             {op(0xa762230f).MustStoreUInt(5, 64).MustStoreUInt(3, 8).EndCell(), accepted, true, want{"signer_index": 3, "exit_code": 0}},
		"by call, refused":    {op(0xa762230f).MustStoreUInt(5, 64).MustStoreUInt(3, 8).EndCell(), refused, false, want{"signer_index": 3, "exit_code": 107}},
		"by comment":          {textBody("approve"), accepted, true, want{"signer_index": -1, "exit_code": 0}},
		"by comment, refused": {textBody("approve"), refused, false, want{"signer_index": -1, "exit_code": 107}},
	} {
		b, root := external(orderSigner)
		b.send(b.send(root, orderItself, 1000, tc.request), orderSigner, 900, tc.reply)
		t.Log(name)
		requireRows(t, b, r, []string{"multisig_approve"}, want{
			"source": raw(orderSigner), "destination": raw(orderItself), "success": tc.success, "multisig_approve_data": tc.data,
		})
	}

	b, root := external(orderItself)
	tx := b.send(root, orderWallet, 1000, op(0x75097f5d).MustStoreUInt(5, 64).MustStoreUInt(12, 256).
		MustStoreUInt(1_800_000_000, 48).MustStoreUInt(2, 8).MustStoreUInt(0, 256).MustStoreRef(order).EndCell())
	executed := want{
		"source": raw(orderItself), "destination": raw(orderWallet), "success": true,
		"multisig_execute_data": want{"query_id": 5, "order_seqno": 12, "expiration_date": 1_800_000_000, "approvals_num": 2},
	}
	requireRows(t, b, r, []string{"multisig_execute"}, executed)
	tx.Aborted = true
	requireRows(t, b, r, []string{"multisig_execute"}, want{"success": false})
	// Without the record of the order it is a call.
	tx.Aborted = false
	requireRows(t, b, records{}, []string{"call_contract"}, want{})
}
