package action_test

import (
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// A deposit on ston.fi v2 fails with the account of the user, with the pool, and when the pool returns both halves.
func TestStonfiV2Deposit_EveryRefusalFails(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x37c096df) }
	half := func(m *exchange) *action.Transaction {
		return m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0)
	}
	added := func(m *exchange) *action.Transaction {
		return m.send(half(m), atPool, 400, withQueryID(0x06ecd527).EndCell())
	}
	refunded := func(m *exchange, pool *action.Transaction) {
		sides := to(to(cell.BeginCell().MustStoreCoins(0).MustStoreCoins(100), atRouterA).MustStoreCoins(40), atProxy)
		body := to(withQueryID(0x657b54f5), atTrader, atTrader, atTrader).MustStoreUInt(4, 32).MustStoreBoolBit(false)
		router := m.send(pool, atRouter, 700, ref(body, sides).EndCell())
		m.move(router, atRouterA, atTraderA, atTrader, 100, nil)
		m.giveCoins(router, atTrader, 40)
	}
	one := func(more string) string {
		return `{"success":false,"source":"A1","destination":"A7","dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":100,
			"asset1":"A20","user_jetton_wallet_1":"A2"` + more + `}}`
	}
	const returned = `,"vault_excesses":[{"asset":"A20","amount":100},{"amount":40}]`
	requireTransitions(t, map[string]transition{
		"the account fails": {
			func(m *exchange) { m.bounce(m.abort(half(m))) }, []string{"dex_deposit_liquidity"}, one(""),
		},
		"the pool fails": {
			func(m *exchange) { m.bounce(m.abort(added(m))) }, []string{"dex_deposit_liquidity"}, one(""),
		},
		"the pool returns both halves": {
			func(m *exchange) { refunded(m, added(m)) }, []string{"dex_deposit_liquidity"}, one(returned),
		},
		"the pool returns both halves, which are in the trace": {
			func(m *exchange) {
				m.stonfiV2Half(m.payCoins(m.root, 40, order()), 0, 40)
				refunded(m, added(m))
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A7","dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":40,
				"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2"` + returned + `}}`,
		},
	})
}

// A position on TONCO that the pool does not create fails, with the assets that it returns; the item of one that it creates may have
// no record.
func TestToncoDeposit_FailsWithoutAPosition(t *testing.T) {
	t.Parallel()
	requested := func(m *exchange) *action.Transaction {
		account := m.toncoAdd(m.move(m.root, atTraderA, atRouterA, atRouter, 100, to(op(0x4468de77), atRouterB)))
		return m.send(account, atPool, 500, withQueryID(0x81702ef8).EndCell())
	}
	row := func(success, more string) string {
		return `{"success":` + success + `,"source":"A1","source_secondary":"A2","destination":"A7","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"tonco","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2","target_amount_1":99,
			"target_amount_2":40,"target_asset_1":"A20","target_asset_2":"A21","tick_lower":-10,"tick_upper":10` + more + `}}`
	}
	requireTransitions(t, map[string]transition{
		"the pool fails": {
			func(m *exchange) { m.bounce(m.abort(requested(m))) }, []string{"dex_deposit_liquidity"}, row("false", ""),
		},
		"the pool returns both assets": {
			func(m *exchange) {
				paying := m.toncoPay(requested(m), 108, 100, 40)
				m.move(paying, atRouterA, atTraderA, atTrader, 100, nil)
				m.move(paying, atRouterB, atTraderB, atTrader, 40, nil)
			},
			[]string{"dex_deposit_liquidity"}, row("false", `,"vault_excesses":[{"asset":"A20","amount":100},{"asset":"A21","amount":40}]`),
		},
		"the item has no record": {
			func(m *exchange) {
				pool := requested(m)
				m.send(pool, 15, 60, withQueryID(0xd5ecca2a).EndCell())
				m.move(m.toncoPay(pool, 0, 1, 0), atRouterA, atTraderA, atTrader, 1, nil)
			},
			[]string{"dex_deposit_liquidity", "call_contract", "call_contract", "call_contract", "jetton_transfer"}, row("true", ""),
		},
	})
}
