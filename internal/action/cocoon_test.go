package action_test

import (
	"math/big"
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The parties of Cocoon: the owner is also who gets the excesses.
const (
	cocoonOwner, cocoonClient, cocoonProxy, cocoonWallet, cocoonWorker = 1, 2, 3, 4, 5
)

const (
	cocoonPay  = 0xc59a7cd3
	cocoonRest = 0x2565934c
	toProxy    = 0x65448ff4
)

func cocoonSays(code uint64) *cell.Cell { return op(code).MustStoreUInt(9, 64).EndCell() }

// signedRequest is a request whose payload is signed: behind the query id stand the address for excesses and the signature.
func signedRequest(code uint64) *cell.Cell {
	return op(code).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonOwner)).MustStoreUInt(0, 256).MustStoreUInt(0, 256).
		MustStoreRef(cell.BeginCell().EndCell()).EndCell()
}

// tokensRequest is a request whose tokens and address can be read where rows have them.
func tokensRequest(code uint64) *cell.Cell {
	return op(code).MustStoreUInt(9, 64).MustStoreUInt(1234, 64).MustStoreAddr(std(cocoonClient)).EndCell()
}

func TestCocoon(t *testing.T) {
	t.Parallel()
	// forwarded makes the request of a client that the client's contract forwards to the proxy.
	forwarded := func(b *builder, root *action.Transaction, body *cell.Cell) *action.Transaction {
		return b.send(b.send(root, cocoonClient, 1000, body), cocoonProxy, 900, cocoonSays(toProxy))
	}
	// noted is a client's request that the proxy only takes note of.
	noted := func(b *builder, from *action.Transaction, body *cell.Cell) *action.Transaction {
		tx := b.send(from, cocoonClient, 1000, body)
		b.send(tx, cocoonProxy, 1, cocoonSays(toProxy))
		b.send(tx, cocoonOwner, 900, cocoonSays(cocoonRest))
		return tx
	}
	for name, tc := range map[string]struct {
		build func(*builder, *action.Transaction)
		kinds []string
		row   want
	}{
		"a worker's last payout": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, cocoonWorker, 1000, op(0xf5f26a36).MustStoreUInt(9, 64).MustStoreUInt(55, 64).EndCell())
				tx = b.send(tx, cocoonProxy, 900, op(0x4d725d2c).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonWallet)).
					MustStoreUInt(2, 2).MustStoreUInt(66, 64).MustStoreBoolBit(false).EndCell())
				b.send(tx, cocoonWallet, 4000, cocoonSays(cocoonPay))
			},
			[]string{"cocoon_worker_payout"},
			want{
				"source": raw(cocoonOwner), "source_secondary": raw(cocoonWorker), "destination": raw(cocoonWallet), "amount": 4000,
				"cocoon_worker_payout_data": want{
					"query_id": 9, "payout_type": "last", "new_tokens": 55, "worker_state": 2, "worker_tokens": 66,
				},
			},
		},
		"a charge": {
			func(b *builder, root *action.Transaction) { noted(b, root, tokensRequest(0xbb63ff93)) },
			[]string{"cocoon_proxy_charge"},
			want{
				"source": raw(cocoonClient), "destination": raw(cocoonProxy), "amount": 0, "success": true,
				"cocoon_proxy_charge_data": want{"query_id": 9, "new_tokens_used": 1234, "expected_address": raw(cocoonClient)},
			},
		},
		"a signed charge": {
			func(b *builder, root *action.Transaction) { noted(b, root, signedRequest(0xbb63ff93)) },
			[]string{"cocoon_proxy_charge"},
			// The first 64 bits of an address of the basechain whose id begins with 1.
			want{"cocoon_proxy_charge_data": want{"new_tokens_used": uint64(0x8000200000000000), "expected_address": nil}},
		},
		"a refund": {
			func(b *builder, root *action.Transaction) {
				tx := forwarded(b, root, tokensRequest(0xefd711e1))
				b.send(tx, cocoonOwner, 700, cocoonSays(cocoonPay))
				b.send(tx, cocoonWallet, 100, cocoonSays(cocoonRest))
			},
			[]string{"cocoon_grant_refund"},
			want{
				"source": raw(cocoonClient), "source_secondary": raw(cocoonProxy), "destination": raw(cocoonOwner), "amount": 700,
				"success": true, "cocoon_grant_refund_data": want{"query_id": 9, "new_tokens_used": 1234},
			},
		},
		"a refund that cannot be taken": {
			func(b *builder, root *action.Transaction) {
				tx := forwarded(b, root, tokensRequest(0xefd711e1))
				b.send(tx, cocoonOwner, 700, cocoonSays(cocoonPay)).Aborted = true
				b.send(tx, cocoonWallet, 100, cocoonSays(cocoonRest))
			},
			[]string{"cocoon_grant_refund"},
			want{"success": false},
		},
		"a refund requested through the wallet": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, cocoonWallet, 2000, cocoonSays(0x9c69f376))
				noted(b, tx, op(0xfafa6cc1).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonOwner)).EndCell())
			},
			[]string{"cocoon_client_request_refund"},
			want{
				"source": raw(cocoonOwner), "destination": raw(cocoonClient),
				"cocoon_client_request_refund_data": want{"query_id": 9, "via_wallet": true},
			},
		},
		"more stake": {
			func(b *builder, root *action.Transaction) {
				noted(b, root, op(0x6a1f6a60).MustStoreUInt(9, 64).MustStoreCoins(500).MustStoreAddr(std(cocoonOwner)).EndCell())
			},
			[]string{"cocoon_client_increase_stake"},
			want{
				"source": raw(cocoonOwner), "destination": raw(cocoonClient), "amount": 500, "success": true,
				"cocoon_client_increase_stake_data": want{"query_id": 9, "new_stake": 500},
			},
		},
		"more stake, refused": {
			func(b *builder, root *action.Transaction) {
				noted(b, root, op(0x6a1f6a60).MustStoreUInt(9, 64).MustStoreCoins(500).MustStoreAddr(std(cocoonOwner)).EndCell()).
					Aborted = true
			},
			[]string{"cocoon_client_increase_stake"},
			want{"success": false},
		},
		"a withdrawal without an amount": {
			func(b *builder, root *action.Transaction) {
				tx := forwarded(b, root, op(0xda068e78).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonOwner)).EndCell())
				b.send(tx, cocoonOwner, 700, cocoonSays(cocoonPay))
			},
			[]string{"cocoon_client_withdraw"},
			want{"amount": 700, "cocoon_client_withdraw_data": want{"withdraw_amount": 0}},
		},
	} {
		b, root := external(cocoonOwner)
		tc.build(b, root)
		t.Log(name)
		requireRows(t, b, records{}, tc.kinds, tc.row)
	}
}

// TestCocoonExternalAddress holds the form of an address that is external, which may be longer than any number we read.
func TestCocoonExternalAddress(t *testing.T) {
	t.Parallel()
	id := new(big.Int).Lsh(big.NewInt(0xabc), 256)
	id.Add(id, big.NewInt(0xd))
	b, root := external(cocoonOwner)
	tx := b.send(root, cocoonClient, 1000, op(0xbb63ff93).MustStoreUInt(9, 64).MustStoreUInt(1, 64).MustStoreUInt(1, 2).
		MustStoreUInt(300, 9).MustStoreUInt(0, 32).MustStoreBigUInt(new(big.Int).Rsh(id, 20), 248).
		MustStoreBigUInt(new(big.Int).And(id, big.NewInt(1<<20-1)), 20).EndCell())
	b.send(tx, cocoonProxy, 1, cocoonSays(toProxy))
	b.send(tx, cocoonOwner, 900, cocoonSays(cocoonRest))
	requireRows(t, b, records{}, []string{"cocoon_proxy_charge"}, want{
		"cocoon_proxy_charge_data": want{"expected_address": "300;" + id.Text(16)},
	})
}
