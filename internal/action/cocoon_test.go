package action_test

import (
	"math/big"
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// The parties of Cocoon; the owner also receives the excesses.
const (
	cocoonOwner, cocoonClient, cocoonProxy, cocoonWallet, cocoonWorker = 1, 2, 3, 4, 5
)

const (
	cocoonPay  = 0xc59a7cd3
	cocoonRest = 0x2565934c
	toProxy    = 0x65448ff4
)

func cocoonBody(code uint64) *cell.Cell { return op(code).MustStoreUInt(9, 64).EndCell() }

// signedRequest makes a request with a signed payload: the address for excesses and the signature follow the query id.
func signedRequest(code uint64) *cell.Cell {
	return op(code).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonOwner)).MustStoreUInt(0, 256).MustStoreUInt(0, 256).
		MustStoreRef(cell.BeginCell().EndCell()).EndCell()
}

// tokensRequest makes a request with the tokens and the address in the places where rows read them.
func tokensRequest(code uint64) *cell.Cell {
	return op(code).MustStoreUInt(9, 64).MustStoreUInt(1234, 64).MustStoreAddr(std(cocoonClient)).EndCell()
}

func TestCocoon_EachRequestIsOneAction(t *testing.T) {
	t.Parallel()
	// forwarded adds a request that the client's contract forwards to the proxy.
	forwarded := func(b *builder, root *action.Transaction, body *cell.Cell) *action.Transaction {
		return b.send(b.send(root, cocoonClient, 1000, body), cocoonProxy, 900, cocoonBody(toProxy))
	}
	// noted adds a request of which the client's contract only notifies the proxy.
	noted := func(b *builder, from *action.Transaction, body *cell.Cell) *action.Transaction {
		tx := b.send(from, cocoonClient, 1000, body)
		b.send(tx, cocoonProxy, 1, cocoonBody(toProxy))
		b.send(tx, cocoonOwner, 900, cocoonBody(cocoonRest))
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
				b.send(tx, cocoonWallet, 4000, cocoonBody(cocoonPay))
			},
			[]string{"cocoon_worker_payout"},
			want{
				"source": raw(cocoonOwner), "source_secondary": raw(cocoonWorker), "destination": raw(cocoonWallet), "amount": 4000,
				"cocoon_worker_payout_data": want{
					"query_id": 9, "payout_type": "last", "new_tokens": 55, "worker_state": 2, "worker_tokens": 66,
				},
			},
		},
		"a proxy's payout": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, cocoonProxy, 1000, cocoonBody(0x7610e6eb))
				b.send(tx, cocoonOwner, 4000, cocoonBody(cocoonPay))
				b.send(tx, cocoonWallet, 100, cocoonBody(cocoonRest))
			},
			[]string{"cocoon_proxy_payout"},
			want{
				"source": raw(cocoonProxy), "destination": raw(cocoonOwner), "destination_secondary": raw(cocoonWallet), "success": true,
				"cocoon_proxy_payout_data": want{"query_id": 9},
			},
		},
		"a proxy's payout that cannot be taken": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, cocoonProxy, 1000, cocoonBody(0x7610e6eb))
				b.send(tx, cocoonOwner, 4000, cocoonBody(cocoonPay)).Aborted = true
				b.send(tx, cocoonWallet, 100, cocoonBody(cocoonRest))
			},
			[]string{"cocoon_proxy_payout"},
			want{"success": false},
		},
		"a proxy is registered": {
			func(b *builder, root *action.Transaction) {
				b.send(b.send(root, cocoonProxy, 1000, cocoonBody(0x927c7cb5)), cocoonOwner, 900, cocoonBody(cocoonRest))
			},
			[]string{"cocoon_register_proxy"},
			want{"destination": raw(cocoonProxy), "success": true, "cocoon_register_proxy_data": want{"query_id": 9}},
		},
		"a proxy is removed": {
			func(b *builder, root *action.Transaction) {
				body := op(0x6d49eaf2).MustStoreUInt(9, 64).MustStoreUInt(3, 32).EndCell()
				b.send(b.send(root, cocoonProxy, 1000, body), cocoonOwner, 900, cocoonBody(cocoonRest))
			},
			[]string{"cocoon_unregister_proxy"},
			want{"destination": raw(cocoonProxy), "success": true, "cocoon_unregister_proxy_data": want{"query_id": 9, "seqno": 3}},
		},
		"a top up": {
			func(b *builder, root *action.Transaction) {
				tx := forwarded(b, root, op(0xf172e6c2).MustStoreUInt(9, 64).MustStoreCoins(500).EndCell())
				b.send(tx, cocoonOwner, 400, cocoonBody(cocoonRest))
			},
			[]string{"cocoon_client_top_up"},
			want{
				"source": raw(cocoonOwner), "destination": raw(cocoonClient), "destination_secondary": raw(cocoonProxy), "amount": 500,
				"success": true, "cocoon_client_top_up_data": want{"query_id": 9},
			},
		},
		"a client is registered": {
			func(b *builder, root *action.Transaction) {
				noted(b, root, op(0xc45f9f3b).MustStoreUInt(9, 64).MustStoreUInt(7, 64).MustStoreAddr(std(cocoonOwner)).EndCell())
			},
			[]string{"cocoon_client_register"},
			want{
				"source": raw(cocoonOwner), "destination": raw(cocoonClient), "success": true,
				"cocoon_client_register_data": want{"query_id": 9, "nonce": 7},
			},
		},
		"a new secret": {
			func(b *builder, root *action.Transaction) {
				noted(b, root, op(0xa9357034).MustStoreUInt(9, 64).MustStoreUInt(0xab, 256).MustStoreAddr(std(cocoonOwner)).EndCell())
			},
			[]string{"cocoon_client_change_secret_hash"},
			want{
				"source": raw(cocoonOwner), "destination": raw(cocoonClient), "success": true,
				"cocoon_client_change_secret_hash_data": want{"query_id": 9, "new_secret_hash": "ab"},
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
			// The first 64 bits of the address of the owner.
			want{"cocoon_proxy_charge_data": want{"new_tokens_used": uint64(0x8000200000000000), "expected_address": nil}},
		},
		"a refund": {
			func(b *builder, root *action.Transaction) {
				tx := forwarded(b, root, tokensRequest(0xefd711e1))
				b.send(tx, cocoonOwner, 700, cocoonBody(cocoonPay))
				b.send(tx, cocoonWallet, 100, cocoonBody(cocoonRest))
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
				b.send(tx, cocoonOwner, 700, cocoonBody(cocoonPay)).Aborted = true
				b.send(tx, cocoonWallet, 100, cocoonBody(cocoonRest))
			},
			[]string{"cocoon_grant_refund"},
			want{"success": false},
		},
		"a refund requested through the wallet": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, cocoonWallet, 2000, cocoonBody(0x9c69f376))
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
				b.send(tx, cocoonOwner, 700, cocoonBody(cocoonPay))
			},
			[]string{"cocoon_client_withdraw"},
			want{"amount": 0, "cocoon_client_withdraw_data": want{"withdraw_amount": 0}},
		},
		"a withdrawal that is paid with the rest of the gas": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, cocoonClient, 10, op(0xda068e78).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonOwner)).EndCell())
				refund := op(0xc68ebc7b).MustStoreCoins(650).EndCell()
				tx = b.send(tx, cocoonProxy, 10, op(toProxy).MustStoreUInt(9, 64).MustStoreAddr(std(cocoonOwner)).
					MustStoreRef(cell.BeginCell().EndCell()).MustStoreMaybeRef(refund).EndCell())
				b.send(tx, cocoonOwner, 700, cocoonBody(cocoonPay))
			},
			[]string{"cocoon_client_withdraw"},
			want{"amount": 650, "cocoon_client_withdraw_data": want{"withdraw_amount": 650}},
		},
	} {
		b, root := external(cocoonOwner)
		tc.build(b, root)
		t.Log(name)
		requireRows(t, b, records{}, tc.kinds, tc.row)
	}
}

// An external address may be longer than any integer that is read.
func TestCocoonProxyCharge_PrintsLongExternalAddresses(t *testing.T) {
	t.Parallel()
	id := new(big.Int).Lsh(big.NewInt(0xabc), 256)
	id.Add(id, big.NewInt(0xd))
	b, root := external(cocoonOwner)
	tx := b.send(root, cocoonClient, 1000, op(0xbb63ff93).MustStoreUInt(9, 64).MustStoreUInt(1, 64).MustStoreUInt(1, 2).
		MustStoreUInt(300, 9).MustStoreUInt(0, 32).MustStoreBigUInt(new(big.Int).Rsh(id, 20), 248).
		MustStoreBigUInt(new(big.Int).And(id, big.NewInt(1<<20-1)), 20).EndCell())
	b.send(tx, cocoonProxy, 1, cocoonBody(toProxy))
	b.send(tx, cocoonOwner, 900, cocoonBody(cocoonRest))
	requireRows(t, b, records{}, []string{"cocoon_proxy_charge"}, want{
		"cocoon_proxy_charge_data": want{"expected_address": "300;" + id.Text(16)},
	})
}

// Behind the query id of current requests are bits of an address and of a signature, in which any form of an address can begin.
func TestCocoonProxyCharge_IgnoresRewritePrefixes(t *testing.T) {
	t.Parallel()
	b, root := external(cocoonOwner)
	tx := b.send(root, cocoonClient, 1000, op(0xbb63ff93).MustStoreUInt(9, 64).MustStoreUInt(1, 64).MustStoreUInt(0b101, 3).
		MustStoreUInt(3, 5).MustStoreUInt(0b111, 3).MustStoreInt(-1, 8).MustStoreSlice(make([]byte, 32), 256).EndCell())
	b.send(tx, cocoonProxy, 1, cocoonBody(toProxy))
	b.send(tx, cocoonOwner, 900, cocoonBody(cocoonRest))
	requireRows(t, b, records{}, []string{"cocoon_proxy_charge"}, want{
		"cocoon_proxy_charge_data": want{"expected_address": chain.Address{Workchain: -1}.String()},
	})
}
