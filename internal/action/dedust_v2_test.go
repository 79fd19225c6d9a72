package action_test

import (
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// The pools of DeDust v2 receive Jettons themselves: the router is the first pool.
const (
	atPosition  = atVault
	atPool2A    = atProxy // the second pool's wallet of the Jetton A
	dedustV2Pay = 0xcbc33949
)

// dedustV2Steps makes an order to swap, with the minimum of each step.
func dedustV2Steps(least ...uint64) *cell.Builder {
	order := op(0xc442500f).MustStoreCoins(least[0]).MustStoreUInt(99, 40)
	if len(least) == 1 {
		return order.MustStoreBoolBit(false).MustStoreBoolBit(false).MustStoreBoolBit(false)
	}
	step := to(cell.BeginCell(), atPool2).MustStoreCoins(least[1]).MustStoreUInt(99, 40).MustStoreBoolBit(false)
	return ref(order.MustStoreBoolBit(true), step).MustStoreBoolBit(false).MustStoreBoolBit(false)
}

func dedustV2Deposit(x, y uint64) *cell.Builder {
	return op(0xc9a015da).MustStoreCoins(x).MustStoreCoins(y).MustStoreCoins(1).MustStoreUInt(0, 16)
}

// dedustV2Coins adds a payment of coins to a pool.
func (m *exchange) dedustV2Coins(from *action.Transaction, pool byte, amount uint64, order *cell.Builder) *action.Transaction {
	body := ref(ref(withQueryID(0xa5a7cbf8).MustStoreCoins(amount), order), cell.BeginCell())
	return m.send(from, pool, int64(amount)+200, body.EndCell())
}

// dedustV2Jettons adds a payment of the Jetton A to the first pool.
func (m *exchange) dedustV2Jettons(amount uint64, order *cell.Builder) *action.Transaction {
	return m.move(m.root, atTraderA, atRouterA, atRouter, amount, ref(ref(op(dedustV2Pay), order), cell.BeginCell()))
}

// dedustV2Swap adds the log of a swap and the excess of its request.
func (m *exchange) dedustV2Swap(pool *action.Transaction, in, out uint64) {
	m.log(pool, to(op(0x78e79ba4).MustStoreBoolBit(true).MustStoreCoins(in).MustStoreCoins(out), atTrader, atTrader).EndCell())
	m.send(pool, atTrader, 20, withQueryID(0xd53276db).EndCell())
}

// dedustV2Payout adds a payment of coins by a pool. The code is not 0 for a return.
func (m *exchange) dedustV2Payout(pool *action.Transaction, amount, code uint64) *action.Transaction {
	body := withQueryID(0x3216ca09).MustStoreCoins(amount).MustStoreUInt(code, 32).MustStoreBoolBit(false)
	return m.send(pool, atTrader, int64(amount), body.EndCell())
}

const (
	coinsIn  = `{"amount":40,"source":"A1","destination":"A4"}`
	jettonIn = `{"amount":100,"asset":"A20","source":"A1","source_jetton_wallet":"A2","destination":"A4","destination_jetton_wallet":"A5"}`
)

func TestDedustV2Swap_EveryTransition(t *testing.T) {
	t.Parallel()
	requireTransitions(t, map[string]transition{
		"coins for Jettons": {
			func(m *exchange) {
				pool := m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90))
				m.dedustV2Swap(pool, 40, 100)
				m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"jetton_swap"},
			`{"success":true,"source":"A1","destination":"A1","destination_secondary":"A2","asset2":"A20","jetton_swap_data":{
				"dex":"dedust_v2","sender":"A1","min_out_amount":90,"dex_incoming_transfer":` + coinsIn + `,"dex_outgoing_transfer":{
				"amount":100,"asset":"A20","source":"A4","source_jetton_wallet":"A5","destination":"A1","destination_jetton_wallet":"A2"}}}`,
		},
		"the receiver of the excess swaps again": {
			func(m *exchange) {
				pool := m.dedustV2Jettons(100, dedustV2Steps(30))
				m.dedustV2Swap(pool, 100, 40)
				excess := m.trace.Transactions[len(m.trace.Transactions)-1]
				m.dedustV2Payout(pool, 40, 0)
				pool = m.move(excess, atTraderA, atRouterA, atRouter, 100, ref(ref(op(dedustV2Pay), dedustV2Steps(30)), cell.BeginCell()))
				m.dedustV2Swap(pool, 100, 40)
				m.dedustV2Payout(pool, 40, 0)
			},
			[]string{"jetton_swap", "jetton_swap"}, "",
		},
		"Jettons for coins": {
			func(m *exchange) {
				pool := m.dedustV2Jettons(100, dedustV2Steps(30))
				m.dedustV2Swap(pool, 100, 40)
				m.dedustV2Payout(pool, 40, 0)
			},
			[]string{"jetton_swap"},
			`{"success":true,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20","jetton_swap_data":{
				"dex":"dedust_v2","sender":"A1","min_out_amount":30,"dex_incoming_transfer":` + jettonIn + `,
				"dex_outgoing_transfer":{"amount":40,"source":"A4","destination":"A1"}}}`,
		},
		"coins through two pools": {
			func(m *exchange) {
				m.r.wallets[account(atPool2A)] = &action.JettonWallet{Owner: account(atPool2), Jetton: account(jettonA)}
				pool := m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90, 7))
				m.dedustV2Swap(pool, 40, 100)
				next := m.move(pool, atRouterA, atPool2A, atPool2, 100, ref(ref(op(dedustV2Pay), dedustV2Steps(7)), cell.BeginCell()))
				m.dedustV2Swap(next, 100, 8)
				m.dedustV2Payout(next, 8, 0)
			},
			[]string{"jetton_swap"},
			`{"success":true,"source":"A1","destination":"A1","jetton_swap_data":{"dex":"dedust_v2","sender":"A1","min_out_amount":7,
				"dex_incoming_transfer":` + coinsIn + `,"dex_outgoing_transfer":{"amount":8,"source":"A8","destination":"A1"},
				"peer_swaps":[{"amount_in":40,"amount_out":100,"asset_out":"A20"},{"amount_in":100,"asset_in":"A20","amount_out":8}]}}`,
		},
		"Jettons through two pools": {
			func(m *exchange) {
				pool := m.dedustV2Jettons(100, dedustV2Steps(30, 6))
				m.dedustV2Swap(pool, 100, 40)
				next := m.dedustV2Coins(pool, atPool2, 40, dedustV2Steps(6))
				m.dedustV2Swap(next, 40, 8)
				m.dedustV2Payout(next, 8, 0)
			},
			[]string{"jetton_swap"},
			`{"success":true,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20","jetton_swap_data":{
				"dex":"dedust_v2","sender":"A1","min_out_amount":6,"dex_incoming_transfer":` + jettonIn + `,
				"dex_outgoing_transfer":{"amount":8,"source":"A8","destination":"A1"},
				"peer_swaps":[{"amount_in":100,"asset_in":"A20","amount_out":40},{"amount_in":40,"amount_out":8}]}}`,
		},
		"Jettons paid into a deposit are no swap": {
			func(m *exchange) {
				m.r.wallets[account(atPool2A)] = &action.JettonWallet{Owner: account(atPool2), Jetton: account(jettonA)}
				pool := m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90))
				m.dedustV2Swap(pool, 40, 100)
				next := m.move(pool, atRouterA, atPool2A, atPool2, 100, ref(ref(op(dedustV2Pay), dedustV2Deposit(100, 40)), cell.BeginCell()))
				m.dedustV2Credit(next, true, 100)
			},
			[]string{"call_contract", "call_contract", "dex_deposit_liquidity"}, "",
		},
		"more steps than are followed": {
			func(m *exchange) {
				var step *cell.Cell
				for range 33 {
					step = to(cell.BeginCell(), atPool2).MustStoreCoins(7).MustStoreUInt(99, 40).MustStoreMaybeRef(step).EndCell()
				}
				pool := m.dedustV2Coins(m.root, atRouter, 40, op(0xc442500f).MustStoreCoins(90).MustStoreUInt(99, 40).MustStoreMaybeRef(step))
				m.dedustV2Swap(pool, 40, 100)
				m.dedustV2Payout(pool, 100, 0)
			},
			[]string{"jetton_swap"},
			`{"success":true,"source":"A1","destination":"A1","jetton_swap_data":{"dex":"dedust_v2","sender":"A1",
				"dex_incoming_transfer":` + coinsIn + `,"dex_outgoing_transfer":{"amount":100,"source":"A4","destination":"A1"}}}`,
		},
		"coins rejected by the pool": {
			func(m *exchange) {
				pool := m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90))
				m.dedustV2Payout(pool, 40, 9)
				m.send(pool, atTrader, 20, withQueryID(0xd53276db).EndCell())
			},
			[]string{"jetton_swap"},
			`{"success":false,"source":"A1","destination":"A1","jetton_swap_data":{"dex":"dedust_v2","sender":"A1","min_out_amount":90,
				"dex_incoming_transfer":` + coinsIn + `,"dex_outgoing_transfer":{"amount":0,"source":"A4","destination":"A1"}}}`,
		},
		"Jettons rejected by a pool with a record": {
			func(m *exchange) {
				m.r.pools[account(atRouter)] = &action.DedustPool{Assets: [2]*chain.Address{new(account(jettonB)), new(account(jettonA))}}
				pool := m.dedustV2Jettons(100, dedustV2Steps(30))
				m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"jetton_swap"},
			`{"success":false,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20","asset2":"A21","jetton_swap_data":{
				"dex":"dedust_v2","sender":"A1","min_out_amount":30,"dex_incoming_transfer":` + jettonIn + `,
				"dex_outgoing_transfer":{"amount":0,"asset":"A21","source":"A4","destination":"A1"}}}`,
		},
		"another Jetton paid without a log": {
			func(m *exchange) {
				m.move(m.dedustV2Jettons(100, dedustV2Steps(30)), atRouterB, atTraderB, atTrader, 100, nil)
			},
			[]string{"jetton_transfer", "jetton_transfer"}, "",
		},
		"rejected by the second pool": {
			func(m *exchange) {
				pool := m.dedustV2Jettons(100, dedustV2Steps(30, 6))
				m.dedustV2Swap(pool, 100, 40)
				m.dedustV2Payout(m.dedustV2Coins(pool, atPool2, 40, dedustV2Steps(6)), 40, 9)
			},
			[]string{"jetton_transfer", "call_contract", "call_contract"}, "",
		},
		"the pool has not paid yet": {
			func(m *exchange) {
				m.log(m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90)), op(0x78e79ba4).MustStoreUInt(0, 9).EndCell())
			},
			[]string{"call_contract"}, "",
		},
		"the pool fails": {
			func(m *exchange) { m.bounce(m.abort(m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90)))) },
			[]string{"call_contract", "call_contract"}, "",
		},
		"coins returned without a swap": {
			func(m *exchange) {
				m.dedustV2Payout(m.dedustV2Coins(m.root, atRouter, 40, dedustV2Deposit(40, 100)), 40, 9)
			},
			[]string{"call_contract", "call_contract"}, "",
		},
		"coins paid out without a log": {
			func(m *exchange) { m.dedustV2Payout(m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90)), 40, 0) },
			[]string{"call_contract", "call_contract"}, "",
		},
		"a log that cannot be read": {
			func(m *exchange) {
				pool := m.dedustV2Coins(m.root, atRouter, 40, dedustV2Steps(90))
				m.log(pool, op(0x78e79ba4).EndCell())
				m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"call_contract", "jetton_transfer"}, "",
		},
	})
}

// dedustV2Credit adds the message of a pool to the deposit contract about one half.
func (m *exchange) dedustV2Credit(pool *action.Transaction, first bool, amount uint64) *action.Transaction {
	return m.send(pool, atDeposit, 300, withQueryID(0xdc5ddba1).MustStoreBoolBit(first).MustStoreCoins(amount).EndCell())
}

// dedustV2Join adds the message by which the deposit contract passes both assets to the pool.
func (m *exchange) dedustV2Join(deposit *action.Transaction, x, y uint64) *action.Transaction {
	body := ref(withQueryID(0x25251ee0), cell.BeginCell()).MustStoreCoins(x).MustStoreCoins(y)
	return m.send(deposit, atRouter, 250, to(body, atTrader).EndCell())
}

// dedustV2Joined adds the log of a deposit and the liquidity of the position.
func (m *exchange) dedustV2Joined(pool *action.Transaction, x, y, liquidity uint64) {
	m.log(pool, to(op(0x35df2e12).MustStoreCoins(x).MustStoreCoins(y).MustStoreCoins(liquidity), atTrader, atTrader).EndCell())
	m.send(m.send(pool, atPosition, 100, withQueryID(0x855afcbd).EndCell()), atTrader, 50, withQueryID(0xd53276db).EndCell())
}

func (m *exchange) dedustV2HalfOfCoins() *action.Transaction {
	return m.dedustV2Credit(m.dedustV2Coins(m.root, atRouter, 40, dedustV2Deposit(40, 100)), true, 40)
}

func (m *exchange) dedustV2HalfOfJettons() *action.Transaction {
	return m.dedustV2Credit(m.dedustV2Jettons(100, dedustV2Deposit(40, 100)), false, 100)
}

func TestDedustV2Deposit_EveryTransition(t *testing.T) {
	t.Parallel()
	requireTransitions(t, map[string]transition{
		"one half of coins": {
			func(m *exchange) { m.send(m.dedustV2HalfOfCoins(), atTrader, 20, withQueryID(0xd53276db).EndCell()) },
			[]string{"dex_deposit_liquidity"},
			`{"success":true,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount1":40}}`,
		},
		"one half of Jettons": {
			func(m *exchange) { m.dedustV2HalfOfJettons() },
			[]string{"dex_deposit_liquidity"},
			`{"success":true,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2"}}`,
		},
		"the deposit contract rejects the half": {
			func(m *exchange) { m.bounce(m.abort(m.dedustV2HalfOfCoins())) },
			[]string{"dex_deposit_liquidity", "call_contract"},
			`{"success":false,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount1":40}}`,
		},
		"the pool fails": {
			func(m *exchange) { m.bounce(m.abort(m.dedustV2Join(m.dedustV2HalfOfCoins(), 40, 100))) },
			[]string{"dex_deposit_liquidity", "call_contract", "call_contract"},
			`{"success":false,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount1":40}}`,
		},
		"completed by the second half": {
			func(m *exchange) {
				pool := m.dedustV2Join(m.dedustV2HalfOfJettons(), 40, 100)
				m.dedustV2Joined(pool, 39, 100, 60)
				m.dedustV2Payout(pool, 1, 0)
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":true,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount1":39,"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2","lp_tokens_minted":60,
				"target_asset_2":"A20","target_amount_1":40,"target_amount_2":100,"vault_excesses":[{"amount":1}]}}`,
		},
		"both halves": {
			func(m *exchange) {
				m.dedustV2HalfOfJettons()
				m.dedustV2Joined(m.dedustV2Join(m.dedustV2HalfOfCoins(), 40, 100), 40, 99, 60)
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":true,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount1":40,"amount2":99,"asset2":"A20","user_jetton_wallet_2":"A2","lp_tokens_minted":60,
				"target_asset_2":"A20","target_amount_1":40,"target_amount_2":100}}`,
		},
		"rejected by the pool": {
			func(m *exchange) {
				m.dedustV2HalfOfCoins()
				pool := m.dedustV2Join(m.dedustV2HalfOfJettons(), 40, 100)
				m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
				m.dedustV2Payout(pool, 40, 9)
				m.send(pool, atTrader, 20, withQueryID(0xd53276db).EndCell())
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A4","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust_v2","amount1":40,"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2","target_asset_2":"A20",
				"target_amount_1":40,"target_amount_2":100,"vault_excesses":[{"asset":"A20","amount":100},{"amount":40}]}}`,
		},
		"the pool has not decided yet": {
			func(m *exchange) { m.dedustV2Join(m.dedustV2HalfOfCoins(), 40, 100) },
			[]string{"dex_deposit_liquidity", "call_contract"}, "",
		},
		"a return to another account": {
			func(m *exchange) {
				pool := m.dedustV2Join(m.dedustV2HalfOfCoins(), 40, 100)
				m.dedustV2Joined(pool, 39, 100, 60)
				m.dedustV2Payout(pool, 1, 0).In.Destination = new(account(atReferral))
			},
			[]string{"dex_deposit_liquidity", "call_contract", "call_contract", "call_contract", "call_contract"}, "",
		},
		"two halves in one asset": {
			func(m *exchange) {
				m.dedustV2HalfOfCoins()
				m.dedustV2Joined(m.dedustV2Join(m.dedustV2HalfOfCoins(), 80, 100), 80, 100, 60)
			},
			[]string{"dex_deposit_liquidity", "dex_deposit_liquidity"}, "",
		},
		"more than two halves": {
			func(m *exchange) {
				m.dedustV2HalfOfCoins()
				m.dedustV2HalfOfCoins()
				m.dedustV2Joined(m.dedustV2Join(m.dedustV2HalfOfJettons(), 80, 100), 80, 100, 60)
			},
			[]string{"dex_deposit_liquidity", "dex_deposit_liquidity", "dex_deposit_liquidity"}, "",
		},
		"a credit without a payment": {
			func(m *exchange) { m.dedustV2Credit(m.send(m.root, atRouter, 400, op(7).EndCell()), true, 40) },
			[]string{"call_contract", "call_contract"}, "",
		},
	})
}

// dedustV2Exit adds a withdrawal, up to the transaction in which the pool pays.
func (m *exchange) dedustV2Exit(claim bool) *action.Transaction {
	body := ref(withQueryID(0x20b5ef89).MustStoreCoins(60).MustStoreCoins(1).MustStoreCoins(1).MustStoreBoolBit(claim), cell.BeginCell())
	position := m.send(m.send(m.root, atRouter, 900, body.EndCell()), atPosition, 800, withQueryID(0xbc1531a9).EndCell())
	return m.send(position, atRouter, 700, withQueryID(0xf6f6a3aa).EndCell())
}

func (m *exchange) dedustV2PaidBoth(pool *action.Transaction) {
	m.dedustV2Payout(pool, 40, 0)
	m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
	m.send(pool, atTrader, 20, withQueryID(0xd53276db).EndCell())
}

const dedustV2Both = `"amount1":40,"dex_wallet_1":"A4","amount2":100,"asset2_out":"A20","user_jetton_wallet_2":"A2",
	"dex_jetton_wallet_2":"A5","dex_wallet_2":"A4"`

func TestDedustV2Withdraw_EveryTransition(t *testing.T) {
	t.Parallel()
	burnt := func(m *exchange, pool *action.Transaction) {
		m.log(pool, to(op(0xc0d77b54).MustStoreCoins(59).MustStoreCoins(40).MustStoreCoins(100), atTrader, atTrader).EndCell())
	}
	requireTransitions(t, map[string]transition{
		"paid": {
			func(m *exchange) {
				pool := m.dedustV2Exit(false)
				burnt(m, pool)
				m.dedustV2PaidBoth(pool)
			},
			[]string{"dex_withdraw_liquidity"},
			`{"success":true,"source":"A1","destination":"A4","dex_withdraw_liquidity_data":{"dex":"dedust_v2","is_refund":false,
				"lp_tokens_burnt":59,` + dedustV2Both + `}}`,
		},
		"rejected by the pool": {
			func(m *exchange) { m.dedustV2Exit(false) },
			[]string{"dex_withdraw_liquidity"},
			`{"success":false,"source":"A1","destination":"A4","dex_withdraw_liquidity_data":{"dex":"dedust_v2","is_refund":true,
				"lp_tokens_burnt":60}}`,
		},
		"fees paid with it": {
			func(m *exchange) {
				pool := m.dedustV2Exit(true)
				burnt(m, pool)
				m.dedustV2PaidBoth(pool)
			},
			[]string{"call_contract", "call_contract", "call_contract", "call_contract", "jetton_transfer", "call_contract"}, "",
		},
		"the position rejects it": {
			func(m *exchange) {
				body := ref(withQueryID(0x20b5ef89).MustStoreCoins(60).MustStoreCoins(1).MustStoreCoins(1).MustStoreBoolBit(false), cell.BeginCell())
				m.bounce(m.abort(m.send(m.send(m.root, atRouter, 900, body.EndCell()), atPosition, 800, withQueryID(0xbc1531a9).EndCell())))
			},
			[]string{"call_contract", "call_contract", "call_contract"}, "",
		},
	})
}

func TestDedustV2Claims_EveryTransition(t *testing.T) {
	t.Parallel()
	fees := func(m *exchange, x, y uint64) *action.Transaction {
		position := m.send(m.send(m.root, atRouter, 900, to(withQueryID(0x5652f1df), atTrader).EndCell()), atPosition, 800, withQueryID(0x25f19752).EndCell())
		return m.send(position, atRouter, 700, to(withQueryID(0x29ff1bcf).MustStoreCoins(x).MustStoreCoins(y), atTrader, atTrader).EndCell())
	}
	reward := func(m *exchange, amount uint64) *action.Transaction {
		position := m.send(m.send(m.root, atRouter, 900, withQueryID(0x909fdb65).EndCell()), atPosition, 800, withQueryID(0x2e0cccba).EndCell())
		return m.send(position, atRouter, 700, to(withQueryID(0x9e17fbbe).MustStoreCoins(amount).MustStoreUInt(1, 2), atTrader, atTrader).EndCell())
	}
	row := func(success, data string) string {
		return `{"success":` + success + `,"source":"A1","destination":"A4","destination_secondary":"A10","dex_withdraw_liquidity_data":{
			"dex":"dedust_v2","is_refund":false,` + data + `}}`
	}
	requireTransitions(t, map[string]transition{
		"fees of both sides": {
			func(m *exchange) { m.dedustV2PaidBoth(fees(m, 40, 100)) },
			[]string{"dedust_v2_claim_fees"}, row("true", dedustV2Both),
		},
		"fees of one side": {
			func(m *exchange) { m.move(fees(m, 0, 100), atRouterA, atTraderA, atTrader, 100, nil) },
			[]string{"dedust_v2_claim_fees"},
			row("true", `"amount1":0,"amount2":100,"asset2_out":"A20","user_jetton_wallet_2":"A2","dex_jetton_wallet_2":"A5","dex_wallet_2":"A4"`),
		},
		"a payment that is none of the fees": {
			func(m *exchange) {
				pool := fees(m, 40, 100)
				m.move(pool, atRouterB, atTraderB, atTrader, 7, nil)
				m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"dedust_v2_claim_fees"},
			row("true", `"amount1":40,"amount2":100,"asset2_out":"A20","user_jetton_wallet_2":"A2","dex_jetton_wallet_2":"A5","dex_wallet_2":"A4"`),
		},
		"no fees": {
			func(m *exchange) { fees(m, 0, 0) }, []string{"dedust_v2_claim_fees"}, row("true", `"amount1":0,"amount2":0`),
		},
		"fees that the pool does not pay": {
			func(m *exchange) { m.bounce(m.abort(fees(m, 40, 100))) },
			[]string{"dedust_v2_claim_fees"}, row("false", `"amount1":40,"amount2":100`),
		},
		"a reward": {
			func(m *exchange) { m.move(reward(m, 100), atRouterA, atTraderA, atTrader, 100, nil) },
			[]string{"dedust_v2_claim_reward"},
			row("true", `"amount1":100,"asset1_out":"A20","user_jetton_wallet_1":"A2","dex_jetton_wallet_1":"A5","dex_wallet_1":"A4"`),
		},
		"a reward in coins": {
			func(m *exchange) { m.dedustV2Payout(reward(m, 40), 40, 0) },
			[]string{"dedust_v2_claim_reward"}, row("true", `"amount1":40,"dex_wallet_1":"A4"`),
		},
		"the position rejects the claim": {
			func(m *exchange) {
				m.bounce(m.abort(m.send(m.send(m.root, atRouter, 900, withQueryID(0x909fdb65).EndCell()), atPosition, 800, withQueryID(0x2e0cccba).EndCell())))
			},
			[]string{"call_contract", "call_contract", "call_contract"}, "",
		},
	})
}
