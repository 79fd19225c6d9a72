package action_test

import (
	"math/big"
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The parties of lending.
const (
	lender, evaa, user, lenderWallet, evaaWallet, lent, borrower = 1, 2, 3, 4, 5, 6, 7
)

const tonID = "0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a"

func asset(id string) *big.Int {
	n, ok := new(big.Int).SetString(id, 0)
	if !ok {
		panic(id)
	}
	return n
}

// toUser makes a message to a user's contract: a version, no upgrade, two bits.
func toUser(code uint64) *cell.Cell {
	return cell.BeginCell().MustStoreCoins(6).MustStoreBoolBit(false).MustStoreUInt(0, 2).MustStoreUInt(code, 32).EndCell()
}

// evaaReply makes the message of a user's contract to the master about a supply or a withdrawal.
func evaaReply(code uint64, id string, amount uint64) *cell.Cell {
	return op(code).MustStoreUInt(1, 64).MustStoreAddr(std(lender)).MustStoreBigUInt(asset(id), 256).MustStoreUInt(amount, 64).EndCell()
}

// payWith adds a transfer of Jettons with a request to EVAA and returns the transaction of EVAA.
func payWith(b *builder, root *action.Transaction, request *cell.Cell) *action.Transaction {
	tx := b.send(root, lenderWallet, 1000, transferJettons(300, evaa, lender, request))
	tx = b.send(tx, evaaWallet, 900, receiveJettons(0x178d4519, 300, lender))
	return b.send(tx, evaa, 800, op(0x7362d09c).EndCell())
}

// giveBack adds a transfer that returns the Jettons.
func giveBack(b *builder, from *action.Transaction) {
	tx := b.send(from, evaaWallet, 700, transferJettons(300, lender, evaa, nil))
	b.send(tx, lenderWallet, 600, receiveJettons(0x178d4519, 300, evaa))
}

type flow struct {
	build func(*builder, *action.Transaction)
	row   want
}

// beside lists the other actions without a parent, of the flows that have any.
var beside = map[string][]string{
	"TON, refused by the user's contract":     {"call_contract"},
	"Jettons, refused by the user's contract": {"jetton_transfer"},
	"Jettons, refused at once":                {"jetton_transfer"},

	"Jettons, after another transfer of the master": {"jetton_transfer"},
}

func requireFlows(t *testing.T, kind string, flows map[string]flow) {
	t.Helper()
	r := wallets([3]byte{lenderWallet, lender, lent}, [3]byte{evaaWallet, evaa, lent})
	for name, f := range flows {
		b, root := external(lender)
		f.build(b, root)
		t.Log(name)
		requireRows(t, b, r, append([]string{kind}, beside[name]...), f.row)
	}
}

func TestEvaaSupply_RefusedIsNotSuccessful(t *testing.T) {
	t.Parallel()
	request := op(1).MustStoreInt(0, 2).MustStoreAddr(std(lender)).MustStoreUInt(0, 64).MustStoreRef(cell.BeginCell().EndCell()).EndCell()
	requireFlows(t, "evaa_supply", map[string]flow{
		"TON": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, evaa, 1000, op(1).MustStoreUInt(1, 64).EndCell())
				tx = b.send(tx, user, 500, toUser(0x11))
				tx = b.send(tx, evaa, 400, evaaReply(0x11a, tonID, 490))
				b.send(tx, lender, 300, textBody("EVAA supply."))
			},
			want{
				"source": raw(lender), "source_secondary": nil, "destination": raw(lender), "destination_secondary": raw(user),
				"asset": nil, "amount": 490, "success": true,
				"evaa_supply_data": want{
					"is_ton": true, "asset_id": tonID, "master": raw(evaa), "master_jetton_wallet": nil, "recipient_jetton_wallet": nil,
				},
			},
		},
		"TON, refused by the user's contract": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, evaa, 1000, op(1).MustStoreUInt(1, 64).EndCell())
				tx = b.send(tx, user, 500, toUser(0x11))
				tx = b.send(tx, evaa, 400, evaaReply(0x11f, tonID, 490))
				b.send(tx, lender, 890, op(0x11ae1).EndCell())
			},
			want{"amount": 490, "success": false, "destination": raw(lender), "evaa_supply_data": want{"is_ton": true, "asset_id": tonID}},
		},
		"Jettons, refused by the user's contract": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(payWith(b, root, request), user, 500, toUser(0x11))
				giveBack(b, b.send(tx, evaa, 400, evaaReply(0x11f, "0x7b", 300)))
			},
			want{
				"source": raw(lender), "source_secondary": raw(lenderWallet), "asset": raw(lent), "amount": 300, "success": false,
				"evaa_supply_data": want{
					"is_ton": false, "asset_id": "0x7b", "master": raw(evaa), "master_jetton_wallet": raw(evaaWallet),
					"recipient_jetton_wallet": raw(lenderWallet),
				},
			},
		},
		"Jettons, refused at once": {
			func(b *builder, root *action.Transaction) { giveBack(b, payWith(b, root, request)) },
			want{
				"source": raw(lender), "destination": raw(lender), "destination_secondary": nil, "amount": 300, "success": false,
				"evaa_supply_data": want{"asset_id": nil, "master": raw(evaa)},
			},
		},
		"Jettons, after another transfer of the master": {
			func(b *builder, root *action.Transaction) {
				master := payWith(b, root, request)
				giveBack(b, master)
				b.send(b.send(master, user, 500, toUser(0x11)), evaa, 400, evaaReply(0x11a, "0x7b", 300))
			},
			want{"amount": 300, "success": true, "evaa_supply_data": want{"asset_id": "0x7b"}},
		},
		"Jettons for somebody else": {
			func(b *builder, root *action.Transaction) {
				other := op(1).MustStoreInt(0, 2).MustStoreAddr(std(borrower)).MustStoreUInt(0, 64).MustStoreRef(cell.BeginCell().EndCell()).EndCell()
				tx := b.send(payWith(b, root, other), user, 500, toUser(0x11))
				supplied := op(0x11a).MustStoreUInt(1, 64).MustStoreAddr(std(borrower)).MustStoreBigUInt(asset("0x7b"), 256).MustStoreUInt(300, 64)
				b.send(tx, evaa, 400, supplied.EndCell())
			},
			want{
				"source": raw(lender), "destination": raw(borrower), "success": true,
				"evaa_supply_data": want{"master_jetton_wallet": raw(evaaWallet), "recipient_jetton_wallet": nil},
			},
		},
	})
}

func TestEvaa_OnlyCoinsWithItsCommentsBelongToIt(t *testing.T) {
	t.Parallel()
	supply := func(b *builder, root *action.Transaction) *action.Transaction {
		tx := b.send(b.send(root, evaa, 1000, op(1).MustStoreUInt(1, 64).EndCell()), user, 500, toUser(0x11))
		return b.send(tx, evaa, 400, evaaReply(0x11a, tonID, 490))
	}
	liquidate := func(b *builder, root *action.Transaction) *action.Transaction {
		tx := b.send(b.send(root, evaa, 1000, liquidation(op(3).MustStoreUInt(1, 64))), user, 900, toUser(0x31))
		return b.send(b.send(tx, evaa, 800, satisfied()), user, 100, toUser(0x311a))
	}
	for kind, request := range map[string]func(*builder, *action.Transaction) *action.Transaction{"evaa_supply": supply, "evaa_liquidate": liquidate} {
		for body, beside := range map[*cell.Cell][]string{
			textBody("EVAA supply."): nil, textBody("hi"): {"ton_transfer"}, op(0x11ae).EndCell(): {"call_contract"},
		} {
			b, root := external(lender)
			b.send(request(b, root), lender, 300, body)
			requireRows(t, b, records{}, append([]string{kind}, beside...), want{"success": true})
		}
	}
}

func TestEvaaWithdraw_NamesTheReasonOfAFailure(t *testing.T) {
	t.Parallel()
	request := func(b *builder, root *action.Transaction) *action.Transaction {
		tx := b.send(root, evaa, 1000, op(2).MustStoreUInt(1, 64).MustStoreBigUInt(big.NewInt(0x7b), 256).MustStoreUInt(300, 64).
			MustStoreAddr(std(borrower)).EndCell())
		return b.send(tx, user, 900, toUser(0x21))
	}
	flows := map[string]flow{
		"Jettons": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(request(b, root), evaa, 800, evaaReply(0x211, "0x7b", 299))
				b.send(b.send(tx, user, 100, toUser(0x211a)), lender, 50, textBody("EVAA withdraw."))
				giveBack(b, tx)
			},
			want{
				"source": raw(lender), "destination": raw(lender), "destination_secondary": raw(user), "asset": raw(lent), "amount": 299,
				"success": true,
				"evaa_withdraw_data": want{
					"fail_reason": nil, "asset_id": "0x7b", "is_ton": false, "master": raw(evaa), "master_jetton_wallet": raw(evaaWallet),
					"recipient_jetton_wallet": raw(lenderWallet),
				},
			},
		},
		"TON to somebody else": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(request(b, root), evaa, 800, evaaReply(0x211, "0x7b", 299))
				b.send(tx, user, 100, toUser(0x211a))
				b.send(tx, borrower, 1000, op(0x211a).EndCell())
			},
			want{"source": raw(lender), "destination": raw(borrower), "asset": nil, "amount": 299, "success": true},
		},
		"no funds": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(request(b, root), evaa, 800, evaaReply(0x211, "0x7b", 299))
				b.send(b.send(tx, user, 100, toUser(0x211f)), lender, 50, op(0x211fe8).EndCell())
			},
			want{"success": false, "amount": 300, "evaa_withdraw_data": want{"fail_reason": "withdraw_no_funds_excess"}},
		},
	}
	for code, reason := range map[uint64]string{
		0x21e6: "withdraw_locked_excess", 0x21e7: "withdraw_not_collateralized_excess", 0x21e8: "withdraw_missing_prices_excess",
		0x21ec: "withdraw_execution_crashed",
	} {
		flows[reason] = flow{
			func(b *builder, root *action.Transaction) { b.send(request(b, root), lender, 800, op(code).EndCell()) },
			want{"success": false, "amount": 300, "destination": raw(borrower), "evaa_withdraw_data": want{"fail_reason": reason}},
		}
	}
	requireFlows(t, "evaa_withdraw", flows)
}

// liquidation makes the request of a liquidator; a transfer of Jettons contains it without the query id.
func liquidation(b *cell.Builder) *cell.Cell {
	return b.MustStoreAddr(std(borrower)).MustStoreAddr(std(lender)).MustStoreUInt(0, 192).MustStoreUInt(456, 64).
		MustStoreUInt(40, 64).MustStoreInt(0, 2).MustStoreUInt(77, 64).MustStoreRef(cell.BeginCell().EndCell()).
		MustStoreRef(cell.BeginCell().EndCell()).EndCell()
}

// satisfied makes the approval of a user's contract: 50 of the collateral for a debt of 70, and a gift of 7.
func satisfied() *cell.Cell {
	in := cell.BeginCell().MustStoreInt(-1, 64).MustStoreUInt(70, 64).MustStoreUInt(7, 64).MustStoreInt(-1, 64).
		MustStoreUInt(0, 192).MustStoreUInt(456, 64).MustStoreInt(1, 64).MustStoreUInt(50, 64).MustStoreUInt(40, 64).EndCell()
	return op(0x311).MustStoreUInt(1, 64).MustStoreAddr(std(borrower)).MustStoreAddr(std(lender)).
		MustStoreUInt(0, 192).MustStoreUInt(0x7b, 64).MustStoreRef(in).EndCell()
}

func unsatisfied(reason uint64, old bool) *cell.Cell {
	in := cell.BeginCell().MustStoreUInt(77, 64).MustStoreUInt(0, 192).MustStoreUInt(456, 64).MustStoreUInt(40, 64)
	if !old {
		in = in.MustStoreUInt(0, 64).MustStoreRef(cell.BeginCell().EndCell())
	}
	return op(0x31f).MustStoreUInt(1, 64).MustStoreAddr(std(borrower)).MustStoreAddr(std(lender)).
		MustStoreUInt(0, 192).MustStoreUInt(0x7b, 64).MustStoreRef(in.MustStoreUInt(reason, 32).EndCell()).EndCell()
}

func TestEvaaLiquidate_NamesTheReasonOfAFailure(t *testing.T) {
	t.Parallel()
	request := func(b *builder, root *action.Transaction) *action.Transaction {
		return b.send(root, evaa, 1000, liquidation(op(3).MustStoreUInt(1, 64)))
	}
	flows := map[string]flow{
		"a debt in TON, paid in Jettons": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(b.send(request(b, root), user, 900, toUser(0x31)), evaa, 800, satisfied())
				b.send(b.send(tx, user, 100, toUser(0x311a)), borrower, 50, textBody("EVAA liquidation."))
				giveBack(b, tx)
			},
			want{
				"source": raw(lender), "destination": raw(borrower), "destination_secondary": raw(user), "asset": "456", "amount": 50,
				"success": true, "evaa_liquidate_data": want{"asset_id": "0x1c8", "debt_amount": 70, "fail_reason": nil},
			},
		},
		"a debt in Jettons, paid in TON": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(payWith(b, root, liquidation(op(3))), user, 900, toUser(0x31))
				tx = b.send(tx, evaa, 800, satisfied())
				b.send(tx, user, 100, toUser(0x311a))
				b.send(tx, lender, 500, op(0x311d).EndCell())
			},
			want{"source": raw(lender), "asset": "456", "amount": 50, "success": true},
		},
		"nothing to pay with": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(b.send(request(b, root), user, 900, toUser(0x31)), evaa, 800, satisfied())
				b.send(tx, user, 100, toUser(0x311f))
				b.send(tx, lender, 700, op(0xe008).EndCell())
			},
			want{
				"success": false, "amount": 0, "destination": raw(borrower),
				"evaa_liquidate_data": want{"fail_reason": "master_not_enough_liquidity", "debt_amount": 77},
			},
		},
		"a reason without a name": {
			func(b *builder, root *action.Transaction) {
				b.send(b.send(request(b, root), user, 900, toUser(0x31)), evaa, 800, unsatisfied(0xe0ff, false))
			},
			want{"success": false, "evaa_liquidate_data": want{"fail_reason": "unknown"}},
		},
		"bounced": {
			func(b *builder, root *action.Transaction) {
				b.send(request(b, root), lender, 900, op(0xffffffff).EndCell()).In.Bounced = true
			},
			want{
				"source": raw(lender), "destination": raw(borrower), "destination_secondary": nil, "asset": "456", "amount": 0,
				"success":             false,
				"evaa_liquidate_data": want{"fail_reason": "immediate_rejection", "debt_amount": 77, "asset_id": "0x1c8"},
			},
		},
		"a request in another layout": {
			func(b *builder, root *action.Transaction) {
				tx := b.send(root, evaa, 1000, op(3).MustStoreUInt(1, 64).EndCell())
				b.send(b.send(tx, user, 900, toUser(0x31)), evaa, 800, unsatisfied(0xe003, false))
			},
			want{
				"success": false, "destination": raw(borrower), "asset": "456", "amount": 0,
				"evaa_liquidate_data": want{"fail_reason": "not_liquidatable", "asset_id": "0x1c8", "debt_amount": 77},
			},
		},
		"Jettons given back at once": {
			func(b *builder, root *action.Transaction) { giveBack(b, payWith(b, root, liquidation(op(3)))) },
			want{"success": false, "evaa_liquidate_data": want{"fail_reason": "immediate_rejection", "debt_amount": 300}},
		},
	}
	for code, reason := range map[uint64]string{
		0xe002: "user_withdraw_in_progress", 0xe003: "not_liquidatable", 0xe004: "execution_crashed",
		0xe005: "min_collateral_not_satisfied", 0xe006: "user_not_enough_collateral", 0xe007: "user_liquidating_too_much",
		0xe009: "liquidation_prices_missing",
	} {
		flows[reason] = flow{
			func(b *builder, root *action.Transaction) {
				tx := b.send(b.send(request(b, root), user, 900, toUser(0x31)), evaa, 800, unsatisfied(code, code%2 == 0))
				b.send(tx, lender, 700, op(code).EndCell())
			},
			want{
				"success": false, "destination": raw(borrower), "asset": "456", "amount": 0,
				"evaa_liquidate_data": want{"fail_reason": reason, "asset_id": "0x1c8", "debt_amount": 77},
			},
		}
	}
	requireFlows(t, "evaa_liquidate", flows)

	// The opcode is a small number: a bounced call of another protocol may have it.
	b, root := external(lender)
	b.send(b.send(root, evaa, 1000, op(3).MustStoreUInt(1, 64).EndCell()), lender, 900, op(0xffffffff).EndCell()).In.Bounced = true
	requireRows(t, b, records{}, []string{"call_contract", "call_contract"}, want{})
}
