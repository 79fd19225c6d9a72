package action_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

const (
	codeDone     = 0xc64370e5
	codeNoLiquid = 0x5ffe1295
	codeReferral = 0x45078540
)

// swapAB returns the row of a swap of 100 A for 90 B.
func swapAB(dex, secondary string) string {
	return `{"success":true,"source":"A1","source_secondary":"A2","destination":"A1","destination_secondary":"` + secondary + `",
		"asset":"A20","asset2":"A21","jetton_swap_data":{"dex":"` + dex + `","sender":"A1",
		"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
			"destination_jetton_wallet":"A5"},
		"dex_outgoing_transfer":{"asset":"A21","amount":90,"source":"A4","source_jetton_wallet":"A6","destination":"A1",
			"destination_jetton_wallet":"A3"}}}`
}

// refusedAB returns the row of a refused swap of 100 A for B.
func refusedAB(dex, secondary string) string {
	return `{"success":false,"source":"A1","source_secondary":"A2","destination":"A1","destination_secondary":"` + secondary + `",
		"asset":"A20","asset2":"A21","jetton_swap_data":{"dex":"` + dex + `","sender":"A1",
		"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
			"destination_jetton_wallet":"A5"},
		"dex_outgoing_transfer":{"asset":"A20","amount":100,"source":"A4","source_jetton_wallet":"A5","destination":"A1",
			"destination_jetton_wallet":"A2"}}}`
}

func stonfiOrder() *cell.Builder {
	return to(op(0x25938561), atRouterB).MustStoreCoins(80).MustStoreAddr(std(atTrader)).MustStoreBoolBit(false)
}

// stonfiPay makes a pool request a payment.
func (m *exchange) stonfiPay(pool *action.Transaction, owner byte, code uint64) *action.Transaction {
	return m.send(pool, atRouter, 700, to(withQueryID(0xf93bb43f), owner).MustStoreUInt(code, 32).EndCell())
}

func TestStonfiSwap_PaysOrReturnsTheAsset(t *testing.T) {
	t.Parallel()
	t.Run("with a referral", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.r.wallets[account(15)] = &action.JettonWallet{Owner: account(atReferral), Jetton: account(jettonB)}
		router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder())
		pool := m.send(router, atPool, 800, withQueryID(0x25938561).EndCell())
		m.move(m.stonfiPay(pool, atReferral, codeReferral), atRouterB, 15, atReferral, 1, nil)
		m.move(m.stonfiPay(pool, atTrader, codeDone), atRouterB, atTraderB, atTrader, 90, nil)
		m.requireRow(t, "jetton_swap", swapAB("stonfi", "A6"))
		m.requireKinds(t, "jetton_swap", "call_contract", "jetton_transfer")
	})
	t.Run("with a referral that has the code of the swap", func(t *testing.T) {
		t.Parallel()
		for _, referralFirst := range []bool{true, false} {
			m := newExchange()
			m.r.wallets[account(15)] = &action.JettonWallet{Owner: account(atReferral), Jetton: account(jettonB)}
			pool := m.send(m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder()), atPool, 800, withQueryID(0x25938561).EndCell())
			if referralFirst {
				m.move(m.stonfiPay(pool, atReferral, codeDone), atRouterB, 15, atReferral, 1, nil)
			}
			m.move(m.stonfiPay(pool, atTrader, codeDone), atRouterB, atTraderB, atTrader, 90, nil)
			if !referralFirst {
				m.move(m.stonfiPay(pool, atReferral, codeDone), atRouterB, 15, atReferral, 1, nil)
			}
			m.requireRow(t, "jetton_swap", swapAB("stonfi", "A6"))
			m.requireKinds(t, "jetton_swap")
		}
	})
	t.Run("into a Jetton that takes a fee", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pool := m.send(m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder()), atPool, 800, withQueryID(0x25938561).EndCell())
		body := to(withQueryID(0xf93bb43f), atTrader).MustStoreUInt(codeDone, 32)
		body = ref(body, to(to(cell.BeginCell().MustStoreCoins(0), atRouterA).MustStoreCoins(91), atRouterB))
		m.move(m.send(pool, atRouter, 700, body.EndCell()), atRouterB, atTraderB, atTrader, 90, nil)
		m.requireRow(t, "jetton_swap", strings.Replace(swapAB("stonfi", "A6"), `"amount":90`, `"amount":91`, 1))
	})
	t.Run("of a code that is not of swaps", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pool := m.send(m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder()), atPool, 800, withQueryID(0x25938561).EndCell())
		m.move(m.stonfiPay(pool, atTrader, 0x12345678), atRouterB, atTraderB, atTrader, 90, nil)
		m.requireKinds(t, "jetton_transfer", "call_contract", "call_contract", "jetton_transfer")
	})
	t.Run("refused, of an asset without a record", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		delete(m.r.wallets, account(atRouterB))
		pool := m.send(m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder()), atPool, 800, withQueryID(0x25938561).EndCell())
		m.move(m.stonfiPay(pool, atTrader, codeNoLiquid), atRouterA, atTraderA, atTrader, 100, nil)
		m.requireRow(t, "jetton_swap", strings.Replace(refusedAB("stonfi", "A6"), `"asset2":"A21"`, `"asset2":"A20"`, 1))
	})
	t.Run("refused, of an order without an address", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pool := m.send(m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0x25938561)), atPool, 800, withQueryID(0x25938561).EndCell())
		body := to(withQueryID(0xf93bb43f), atTrader).MustStoreUInt(codeNoLiquid, 32)
		body = ref(body, to(to(cell.BeginCell().MustStoreCoins(0), atRouterB).MustStoreCoins(100), atRouterA))
		m.move(m.send(pool, atRouter, 700, body.EndCell()), atRouterA, atTraderA, atTrader, 100, nil)
		m.requireRow(t, "jetton_swap", strings.Replace(refusedAB("stonfi", "A5"), `"asset2":"A21"`, `"asset2":"A20"`, 1))
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder())
		pool := m.send(router, atPool, 800, withQueryID(0x25938561).EndCell())
		m.move(m.stonfiPay(pool, atTrader, codeNoLiquid), atRouterA, atTraderA, atTrader, 100, nil)
		m.requireRow(t, "jetton_swap", refusedAB("stonfi", "A6"))
	})
	t.Run("into coins", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		order := to(op(0x25938561), atProxy).MustStoreCoins(80).MustStoreAddr(std(atTrader)).MustStoreBoolBit(false)
		router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order)
		pool := m.send(router, atPool, 800, withQueryID(0x25938561).EndCell())
		paying := m.stonfiPay(pool, atTrader, codeDone)
		tx := m.send(paying, atProxy, 600, to(withQueryID(0x0f8a7ea5).MustStoreCoins(90), atTrader, atTrader).
			MustStoreBoolBit(false).MustStoreCoins(0).MustStoreBoolBit(false).EndCell())
		m.send(tx, atTrader, 90, withQueryID(0x7362d09c).EndCell())
		m.requireRow(t, "jetton_swap", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A1",
			"destination_secondary":"A9","asset":"A20","asset2":"proxy","jetton_swap_data":{"dex":"stonfi","sender":"A1",
			"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
				"destination_jetton_wallet":"A5"},
			"dex_outgoing_transfer":{"asset":"proxy","amount":90,"source":"A4","destination":"A1"}}}`)
	})
	t.Run("without a payment", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, stonfiOrder())
		m.send(router, atPool, 800, withQueryID(0x25938561).EndCell())
		m.requireKinds(t, "jetton_transfer", "call_contract")
	})
}

// stonfiV2Order makes a swap order for the asset of a router's wallet, with an optional next order.
func stonfiV2Order(code uint64, wallet byte, next *cell.Builder) *cell.Builder {
	more := to(cell.BeginCell().MustStoreCoins(80), atTrader).MustStoreCoins(0)
	if next == nil {
		more.MustStoreBoolBit(false)
	} else {
		ref(more.MustStoreBoolBit(true), next)
	}
	more.MustStoreCoins(0).MustStoreBoolBit(false).MustStoreUInt(10, 16).MustStoreAddr(nil)
	return ref(to(op(code), wallet, atTrader, atTrader).MustStoreUInt(99, 64), more)
}

// stonfiV2Pool adds the message by which a router passes an order to a pool.
func (m *exchange) stonfiV2Pool(router *action.Transaction, pool byte, amount uint64, order *cell.Builder) *action.Transaction {
	return m.send(router, pool, 800, ref(to(withQueryID(0x6664de2a), atTrader).MustStoreCoins(amount).MustStoreCoins(0), order).EndCell())
}

// stonfiV2Pay makes a pool request a payment from one of the router's wallets.
func (m *exchange) stonfiV2Pay(pool *action.Transaction, code uint64, wallet byte, amount uint64) *action.Transaction {
	more := to(to(cell.BeginCell().MustStoreCoins(0).MustStoreCoins(0), atRouterA).MustStoreCoins(amount), wallet)
	body := to(withQueryID(0x657b54f5), atTrader, atTrader, atTrader).MustStoreUInt(code, 32).MustStoreBoolBit(false)
	return m.send(pool, atRouter, 700, ref(body, more).EndCell())
}

func TestStonfiV2Swap_PaysOrReturnsTheAsset(t *testing.T) {
	t.Parallel()
	const swap, cross = 0x6664de2a, 0x69cf1a5b
	for name, tc := range map[string]struct {
		trade func(m *exchange)
		row   string
	}{
		"Jettons": {func(m *exchange) {
			order := stonfiV2Order(swap, atRouterB, nil)
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			m.move(m.stonfiV2Pay(pool, codeDone, atRouterB, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, swapAB("stonfi_v2", "A3")},
		"refused": {func(m *exchange) {
			order := stonfiV2Order(swap, atRouterB, nil)
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			m.move(m.stonfiV2Pay(pool, 0x38976e9b, atRouterA, 100), atRouterA, atTraderA, atTrader, 100, nil)
		}, refusedAB("stonfi_v2", "A2")},
		"refused, of an asset without a record": {func(m *exchange) {
			delete(m.r.wallets, account(atRouterB))
			order := stonfiV2Order(swap, atRouterB, nil)
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			m.move(m.stonfiV2Pay(pool, 0x38976e9b, atRouterA, 100), atRouterA, atTraderA, atTrader, 100, nil)
		}, strings.Replace(refusedAB("stonfi_v2", "A2"), `"asset2":"A21"`, `"asset2":"A20"`, 1)},
		"coins by a transfer of the proxy": {func(m *exchange) {
			order := stonfiV2Order(swap, atRouterB, nil)
			body := ref(to(withQueryID(0x0f8a7ea5).MustStoreCoins(100), atRouter, atTrader).MustStoreBoolBit(false).MustStoreCoins(1).MustStoreBoolBit(true), order)
			router := m.send(m.send(m.root, atProxy, 200, body.EndCell()), atRouter, 50, withQueryID(0x7362d09c).MustStoreCoins(100).EndCell())
			pool := m.stonfiV2Pool(router, atPool, 100, order)
			m.move(m.stonfiV2Pay(pool, codeDone, atRouterB, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, `{"success":true,"source":"A1","destination":"A1","destination_secondary":"A3","asset2":"A21","jetton_swap_data":{
			"dex":"stonfi_v2","sender":"A1","dex_incoming_transfer":{"amount":100,"source":"A1","destination":"A4"},
			"dex_outgoing_transfer":{"asset":"A21","amount":90,"source":"A4","source_jetton_wallet":"A6","destination":"A1",
				"destination_jetton_wallet":"A3"}}}`},
		"into coins": {func(m *exchange) {
			order := stonfiV2Order(swap, atProxy, nil)
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			m.giveCoins(m.stonfiV2Pay(pool, codeDone, atProxy, 90), atTrader, 90)
		}, `{"success":true,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20",
			"jetton_swap_data":{"dex":"stonfi_v2","sender":"A1",
			"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
				"destination_jetton_wallet":"A5"},
			"dex_outgoing_transfer":{"amount":90,"source":"A4","destination":"A1"}}}`},
		"coins refused": {func(m *exchange) {
			order := stonfiV2Order(swap, atRouterB, nil)
			pool := m.stonfiV2Pool(m.payCoins(m.root, 100, order), atPool, 100, order)
			m.giveCoins(m.stonfiV2Pay(pool, 0x38976e9b, atProxy, 100), atTrader, 100)
		}, `{"success":false,"source":"A1","destination":"A1","asset2":"A21","jetton_swap_data":{"dex":"stonfi_v2","sender":"A1",
			"dex_incoming_transfer":{"amount":100,"source":"A1","destination":"A4","destination_jetton_wallet":"A9"},
			"dex_outgoing_transfer":{"amount":100,"source":"A4","destination":"A1"}}}`},
		"through two pools of a router": {func(m *exchange) {
			order := stonfiV2Order(swap, atProxy, stonfiV2Order(cross, atRouterB, nil))
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			router := m.stonfiV2Pay(pool, codeDone, atProxy, 50)
			pool = m.stonfiV2Pool(router, atPool2, 50, stonfiV2Order(cross, atRouterB, nil))
			m.move(m.stonfiV2Pay(pool, codeDone, atRouterB, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, withHops(swapAB("stonfi_v2", "A3"), `[{"asset_in":"A20","amount_in":100,"amount_out":50},
			{"amount_in":50,"asset_out":"A21","amount_out":90}]`)},
		"through two routers, coins between": {func(m *exchange) {
			next := stonfiV2Order(swap, atRouterB, nil)
			order := stonfiV2Order(swap, atProxy, next)
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			proxy := m.giveCoins(m.stonfiV2Pay(pool, codeDone, atProxy, 50), atVault, 50)
			router := m.send(proxy, atRouter, 400, withQueryID(0x7362d09c).EndCell())
			pool = m.stonfiV2Pool(router, atPool2, 50, next)
			m.move(m.stonfiV2Pay(pool, codeDone, atRouterB, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, withHops(swapAB("stonfi_v2", "A3"), `[{"asset_in":"A20","amount_in":100,"amount_out":50},
			{"amount_in":50,"asset_out":"A21","amount_out":90}]`)},
		"through two pools, into a Jetton that takes a fee": {func(m *exchange) {
			order := stonfiV2Order(swap, atProxy, stonfiV2Order(cross, atRouterB, nil))
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			pool = m.stonfiV2Pool(m.stonfiV2Pay(pool, codeDone, atProxy, 50), atPool2, 50, stonfiV2Order(cross, atRouterB, nil))
			m.move(m.stonfiV2Pay(pool, codeDone, atRouterB, 91), atRouterB, atTraderB, atTrader, 90, nil)
		}, withHops(swapAB("stonfi_v2", "A3"), `[{"asset_in":"A20","amount_in":100,"amount_out":50},
			{"amount_in":50,"asset_out":"A21","amount_out":91}]`)},
		"refused by the second pool": {func(m *exchange) {
			order := stonfiV2Order(swap, atProxy, stonfiV2Order(cross, atRouterB, nil))
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			router := m.stonfiV2Pay(pool, codeDone, atProxy, 50)
			pool = m.stonfiV2Pool(router, atPool2, 50, stonfiV2Order(cross, atRouterB, nil))
			m.giveCoins(m.stonfiV2Pay(pool, 0x38976e9b, atProxy, 50), atTrader, 50)
		}, `{"success":false,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20","asset2":"A21",
			"jetton_swap_data":{"dex":"stonfi_v2","sender":"A1",
			"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
				"destination_jetton_wallet":"A5"},
			"dex_outgoing_transfer":{"amount":50,"source":"A4","destination":"A1"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			tc.trade(m)
			m.requireRow(t, "jetton_swap", tc.row)
			m.requireKinds(t, "jetton_swap")
		})
	}
}

// withHops adds hops to the row of a swap.
func withHops(row, hops string) string { return row[:len(row)-2] + `,"peer_swaps":` + hops + `}}` }

// withLeast adds the minimum that only rows of TONCO have.
func withLeast(row, least string) string {
	return row[:len(row)-2] + `,"min_out_amount":` + least + `}}`
}

// dedustStep adds the step of a swap through a pool, with an optional next step.
func dedustStep(b *cell.Builder, pool byte, next *cell.Builder) *cell.Builder {
	to(b, pool).MustStoreBoolBit(false).MustStoreCoins(80)
	if next == nil {
		return b.MustStoreBoolBit(false)
	}
	return ref(b.MustStoreBoolBit(true), next)
}

// dedustAsset adds an asset; 0 is TON.
func dedustAsset(b *cell.Builder, jetton byte) *cell.Builder {
	if jetton == 0 {
		return b.MustStoreUInt(0, 4)
	}
	id := account(jetton).ID
	return b.MustStoreUInt(1, 4).MustStoreUInt(0, 8).MustStoreSlice(id[:], 256)
}

// dedustHop adds the swap of a pool with its log.
func (m *exchange) dedustHop(from *action.Transaction, code uint64, pool, in, out byte, amountIn, amountOut uint64) *action.Transaction {
	tx := m.send(from, pool, 800, withQueryID(code).EndCell())
	m.log(tx, dedustAsset(dedustAsset(op(0x9c610de3), in), out).MustStoreCoins(amountIn).MustStoreCoins(amountOut).EndCell())
	return tx
}

// dedustPay makes a pool request a payment from the vault.
func (m *exchange) dedustPay(pool *action.Transaction, amount uint64) *action.Transaction {
	return m.send(pool, atRouter, 700, to(withQueryID(0xad4eb6f5).MustStoreCoins(amount), atTrader).EndCell())
}

func (m *exchange) dedustPools() {
	m.r.pools[account(atPool)] = &action.DedustPool{Assets: [2]*chain.Address{nil, new(account(jettonA))}}
	m.r.pools[account(atPool2)] = &action.DedustPool{Assets: [2]*chain.Address{nil, new(account(jettonB))}}
}

func TestDedustSwap_PaysOrReturnsTheAsset(t *testing.T) {
	t.Parallel()
	const direct, payload, first, peer = 0xea06185d, 0xe3a0d482, 0x61ee542d, 0x72aca8aa
	route := func(b *cell.Builder) *cell.Builder {
		return dedustStep(b, atPool, dedustStep(cell.BeginCell(), atPool2, nil))
	}
	for name, tc := range map[string]struct {
		trade func(m *exchange)
		row   string
	}{
		"into coins": {func(m *exchange) {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, dedustStep(op(payload), atPool, nil))
			pool := m.dedustHop(vault, first, atPool, jettonA, 0, 100, 90)
			m.send(m.dedustPay(pool, 90), atTrader, 95, withQueryID(0x474f86cf).EndCell())
		}, `{"success":true,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20",
			"jetton_swap_data":{"dex":"dedust","sender":"A1",
			"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
				"destination_jetton_wallet":"A5"},
			"dex_outgoing_transfer":{"amount":90,"source":"A4","destination":"A1"}}}`},
		"through two pools": {func(m *exchange) {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, route(op(payload)))
			pool := m.dedustHop(vault, first, atPool, jettonA, 0, 100, 50)
			pool = m.dedustHop(pool, peer, atPool2, 0, jettonB, 50, 90)
			m.move(m.dedustPay(pool, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, withHops(swapAB("dedust", "A3"), `[{"asset_in":"A20","amount_in":100,"amount_out":50},
			{"amount_in":50,"asset_out":"A21","amount_out":90}]`)},
		"refused by the first pool": {func(m *exchange) {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, route(op(payload)))
			pool := m.send(vault, atPool, 800, withQueryID(first).EndCell())
			m.move(m.dedustPay(pool, 100), atRouterA, atTraderA, atTrader, 100, nil)
		}, refusedAB("dedust", "A2")},
		"coins refused": {func(m *exchange) {
			order := dedustStep(withQueryID(direct).MustStoreCoins(100), atPool2, nil)
			vault := m.send(m.root, atVault, 150, order.EndCell())
			pool := m.send(vault, atPool2, 120, withQueryID(first).EndCell())
			m.send(m.dedustPay(pool, 100), atTrader, 110, withQueryID(0x474f86cf).EndCell())
		}, `{"success":false,"source":"A1","destination":"A1","asset2":"A21","jetton_swap_data":{"dex":"dedust","sender":"A1",
			"dex_incoming_transfer":{"amount":100,"source":"A1","destination":"A10"},
			"dex_outgoing_transfer":{"amount":100,"source":"A4","destination":"A1"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			m.dedustPools()
			tc.trade(m)
			m.requireRow(t, "jetton_swap", tc.row)
			m.requireKinds(t, "jetton_swap")
			m.r.pools = nil
			if strings.Contains(tc.row, `"success":true`) {
				m.requireRow(t, "jetton_swap", tc.row) // the logs of the pools contain their assets
			} else { // no log contains the requested asset
				m.requireKinds(t, "jetton_swap")
				m.requireRow(t, "jetton_swap", strings.Replace(tc.row, `"asset2":"A21",`, "", 1))
			}
		})
	}
}

// toncoOrder makes a swap order for the asset of a router's wallet, with an optional next order.
func toncoOrder(wallet byte, next *cell.Builder) *cell.Builder {
	b := to(to(op(0xa7fb58f8), wallet).MustStoreUInt(0, 160).MustStoreCoins(80), atTrader)
	if next == nil {
		return b.MustStoreBoolBit(false)
	}
	more := ref(ref(to(cell.BeginCell(), atRouter).MustStoreCoins(1).MustStoreCoins(0), next), cell.BeginCell())
	return ref(b.MustStoreBoolBit(true), more)
}

// toncoPool adds the message by which the router passes an order to a pool.
func (m *exchange) toncoPool(router *action.Transaction, pool byte, amount, least uint64) *action.Transaction {
	order := cell.BeginCell().MustStoreCoins(amount).MustStoreUInt(0, 160).MustStoreCoins(least)
	return m.send(router, pool, 800, ref(to(withQueryID(0xa7fb58f8), atTrader, atRouterA), order).EndCell())
}

// toncoPay makes a pool request payments from both wallets of the router.
func (m *exchange) toncoPay(pool *action.Transaction, code, amount1, amount2 uint64) *action.Transaction {
	amounts := to(to(cell.BeginCell().MustStoreCoins(amount1), atRouterA).MustStoreCoins(amount2), atRouterB)
	body := to(withQueryID(0xa1daa96d), atTrader, atTrader).MustStoreUInt(code, 32).MustStoreUInt(3, 64)
	return m.send(pool, atRouter, 700, ref(body.MustStoreBoolBit(true), amounts).MustStoreBoolBit(false).EndCell())
}

func TestToncoSwap_PaysOrReturnsTheAsset(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		trade func(m *exchange)
		row   string
		rest  []string
	}{
		"Jettons": {func(m *exchange) {
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(atRouterB, nil))
			m.move(m.toncoPay(m.toncoPool(router, atPool, 100, 80), 200, 0, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, withLeast(swapAB("tonco", "A3"), "90"), nil},
		"the rest is returned": {func(m *exchange) {
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(atRouterB, nil))
			paying := m.toncoPay(m.toncoPool(router, atPool, 100, 80), 200, 5, 90)
			m.move(paying, atRouterA, atTraderA, atTrader, 5, nil)
			m.move(paying, atRouterB, atTraderB, atTrader, 90, nil)
		}, withLeast(swapAB("tonco", "A3"), "90"), []string{"jetton_transfer"}},
		"refused": {func(m *exchange) {
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(atRouterB, nil))
			m.move(m.toncoPay(m.toncoPool(router, atPool, 100, 80), 230, 100, 0), atRouterA, atTraderA, atTrader, 100, nil)
		}, withLeast(strings.Replace(refusedAB("tonco", "A2"), `"asset2":"A21"`, `"asset2":"A20"`, 1), "100"), nil},
		"coins refused": {func(m *exchange) {
			pool := m.toncoPool(m.payCoins(m.root, 100, toncoOrder(atRouterB, nil)), atPool, 100, 80)
			m.giveCoins(m.toncoPay(pool, 230, 100, 0), atTrader, 100)
		}, `{"success":false,"source":"A1","destination":"A1","asset2":"A21","jetton_swap_data":{"dex":"tonco","sender":"A1",
			"min_out_amount":80,"dex_incoming_transfer":{"amount":100,"source":"A1","destination":"A4","destination_jetton_wallet":"A9"},
			"dex_outgoing_transfer":{"amount":100,"source":"A4","destination":"A1"}}}`, nil},
		"refused, of an asset without a record": {func(m *exchange) {
			delete(m.r.wallets, account(atRouterB))
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(atRouterB, nil))
			m.move(m.toncoPay(m.toncoPool(router, atPool, 100, 80), 230, 100, 0), atRouterA, atTraderA, atTrader, 100, nil)
		}, withLeast(strings.Replace(refusedAB("tonco", "A2"), `"asset2":"A21"`, `"asset2":"A20"`, 1), "100"), nil},
		"through two pools, a Jetton between": {func(m *exchange) {
			m.r.wallets[account(15)] = &action.JettonWallet{Owner: account(atRouter), Jetton: account(jettonLP)}
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(15, toncoOrder(atRouterB, nil)))
			paying := m.toncoPay(m.toncoPool(router, atPool, 100, 40), 200, 0, 50)
			router = m.move(paying, 15, 15, atRouter, 50, toncoOrder(atRouterB, nil))
			m.move(m.toncoPay(m.toncoPool(router, atPool2, 50, 80), 0, 0, 90), atRouterB, atTraderB, atTrader, 90, nil)
		}, withLeast(withHops(swapAB("tonco", "A3"), `[{"asset_in":"A20","amount_in":100,"asset_out":"A22","amount_out":50},
			{"asset_in":"A22","amount_in":50,"asset_out":"A21","amount_out":90}]`), "90"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			tc.trade(m)
			m.requireRow(t, "jetton_swap", tc.row)
			m.requireKinds(t, append(tc.rest, "jetton_swap")...)
		})
	}
}

// coffeeAsset adds an asset; 0 is TON.
func coffeeAsset(b *cell.Builder, jetton byte) *cell.Builder {
	if jetton == 0 {
		return b.MustStoreUInt(0, 2)
	}
	id := account(jetton).ID
	return b.MustStoreUInt(1, 2).MustStoreUInt(0, 8).MustStoreSlice(id[:], 256)
}

// coffeeHop adds the swap of a pool with its log.
func (m *exchange) coffeeHop(from *action.Transaction, pool, in byte, amountIn, amountOut uint64) *action.Transaction {
	tx := m.send(from, pool, 800, withQueryID(0xc0ffee20).EndCell())
	m.log(tx, coffeeAsset(withQueryID(0xc0ffee30), in).MustStoreCoins(amountIn).MustStoreCoins(amountOut).EndCell())
	return tx
}

// coffeePay makes a pool of two assets request a payment from the vault.
func (m *exchange) coffeePay(pool *action.Transaction, amount uint64, first, second byte) *action.Transaction {
	proof := coffeeAsset(coffeeAsset(to(cell.BeginCell(), atDeposit).MustStoreUInt(1, 2), first), second)
	body := to(withQueryID(0xc0ffee21), atTrader).MustStoreCoins(amount).MustStoreUInt(0, 2)
	return m.send(pool, atRouter, 700, ref(body, proof).EndCell())
}

func TestCoffeeSwap_PaysOrReturnsTheAsset(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0xc0ffee10) }
	intoCoins := `{"success":true,"source":"A1","source_secondary":"A2","destination":"A1","asset":"A20",
		"jetton_swap_data":{"dex":"coffee","sender":"A1",
		"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
			"destination_jetton_wallet":"A5"},
		"dex_outgoing_transfer":{"amount":90,"source":"A7","destination":"A1"}}}`
	coinsOut := func(code uint64) func(m *exchange) {
		return func(m *exchange) {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order())
			pool := m.coffeeHop(vault, atPool, jettonA, 100, 90)
			m.send(m.coffeePay(pool, 90, 0, jettonA), atTrader, 95, withQueryID(code).EndCell())
		}
	}
	for name, tc := range map[string]struct {
		trade func(m *exchange)
		row   string
	}{
		"into coins":                     {coinsOut(0xc0ffee32), intoCoins},
		"into coins with a notification": {coinsOut(0xc0ffee36), strings.Replace(intoCoins, `{"amount":90,"source":"A7"`, `{"amount":95,"source":"A4"`, 1)},
		"through two pools": {func(m *exchange) {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order())
			pool := m.coffeeHop(m.coffeeHop(vault, atPool, jettonA, 100, 50), atPool2, 0, 50, 90)
			m.move(m.coffeePay(pool, 90, 0, jettonB), atRouterB, atTraderB, atTrader, 90, nil)
		}, withHops(swapAB("coffee", "A3"), `[{"asset_in":"A20","amount_in":100,"amount_out":50},
			{"amount_in":50,"asset_out":"A21","amount_out":90}]`)},
		"refused": {func(m *exchange) {
			vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order())
			pool := m.send(vault, atPool, 800, withQueryID(0xc0ffee20).EndCell())
			m.move(m.coffeePay(pool, 100, jettonA, jettonB), atRouterA, atTraderA, atTrader, 100, nil)
		}, refusedAB("coffee", "A2")},
		"coins refused": {func(m *exchange) {
			vault := m.send(m.root, atVault, 150, withQueryID(0xc0ffee00).MustStoreCoins(100).EndCell())
			pool := m.send(vault, atPool, 120, withQueryID(0xc0ffee20).EndCell())
			m.send(m.coffeePay(pool, 100, 0, jettonB), atTrader, 110, withQueryID(0xc0ffee32).EndCell())
		}, `{"success":false,"source":"A1","destination":"A1","asset2":"A21","jetton_swap_data":{"dex":"coffee","sender":"A1",
			"dex_incoming_transfer":{"amount":100,"source":"A1","destination":"A10"},
			"dex_outgoing_transfer":{"amount":100,"source":"A7","destination":"A1"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			tc.trade(m)
			m.requireRow(t, "jetton_swap", tc.row)
			m.requireKinds(t, "jetton_swap")
		})
	}
}

func TestNamed_ListsAccountsOfOrders(t *testing.T) {
	t.Parallel()
	m := newExchange()
	order := stonfiV2Order(0x6664de2a, atProxy, stonfiV2Order(0x69cf1a5b, atRouterB, nil))
	m.move(m.root, atTraderA, atRouterA, atRouter, 100, order)
	m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(15, toncoOrder(16, nil)))
	m.move(m.root, atTraderA, atRouterA, atRouter, 100, dedustStep(op(0xe3a0d482), 17, nil))
	m.move(m.root, atTraderA, atRouterA, atRouter, 100, to(op(0x25938561), 18))
	m.move(m.root, atTraderA, atRouterA, atRouter, 100, to(op(0x4468de77), 19))
	m.send(m.root, atVault, 10, dedustStep(withQueryID(0xea06185d).MustStoreCoins(1), 23, nil).EndCell())
	named := action.Named(m.trace)
	for _, n := range []byte{atProxy, atRouterB, 15, 16, 17, 18, 19, 23} {
		require.Contains(t, named, account(n))
	}
}

// Endless swaps are classified within a time that is far above what they need.
func TestSwaps_HopsAreBounded(t *testing.T) {
	t.Parallel()
	for name, trade := range map[string]func(m *exchange){
		"one router": func(m *exchange) {
			order := stonfiV2Order(0x6664de2a, atRouterB, nil)
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order)
			for len(m.trace.Transactions) < action.MaxTransactions-10 {
				router = m.stonfiV2Pay(m.stonfiV2Pool(router, atPool, 1, order), codeDone, atRouterB, 1)
			}
		},
		"many routers": func(m *exchange) {
			router, order := m.root, stonfiV2Order(0x6664de2a, atRouterB, nil)
			for len(m.trace.Transactions) < action.MaxTransactions-10 {
				router = m.move(router, atTraderA, atRouterA, atRouter, 100, order)
				router = m.stonfiV2Pay(m.stonfiV2Pool(router, atPool, 1, order), codeDone, atRouterB, 1)
			}
		},
		"pools of DeDust": func(m *exchange) {
			m.dedustPools()
			pool := m.move(m.root, atTraderA, atRouterA, atRouter, 100, dedustStep(op(0xe3a0d482), atPool, nil))
			for len(m.trace.Transactions) < action.MaxTransactions-10 {
				pool = m.send(pool, atPool, 5, withQueryID(0x61ee542d).EndCell())
			}
		},
		"exchanges that pay each other": func(m *exchange) { alternate(m, action.MaxTransactions-20) },
		"a deposit that returns without end": func(m *exchange) {
			deposit := m.reject(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100))
			for len(m.trace.Transactions) < action.MaxTransactions-20 {
				m.dedustReturn(deposit, 1, 1)
			}
		},
		"pools of swap.coffee": func(m *exchange) {
			pool := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee10))
			for len(m.trace.Transactions) < action.MaxTransactions-10 {
				pool = m.send(pool, atPool, 5, withQueryID(0xc0ffee20).EndCell())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			trade(m)
			start := time.Now()
			_, err := action.Classify(m.trace, m.r)
			require.NoError(t, err)
			require.Less(t, time.Since(start), pacetest.Slow*5*time.Second)
			t.Log(time.Since(start))
		})
	}
}

// A route of which a later pool does not pay ends at the payment for that pool: the swaps before it are made, and what the last pool did
// remains calls.
func TestSwaps_RouteEndsWhereAPoolDoesNotPay(t *testing.T) {
	t.Parallel()
	const swap, atRouter2, atRouter2C = 0x6664de2a, 16, 15
	wallets := func(m *exchange, owner byte) {
		m.r.wallets[account(atRouter2C)] = &action.JettonWallet{Owner: account(owner), Jetton: account(jettonB)}
	}
	for name, tc := range map[string]struct {
		trade func(m *exchange) (last *action.Transaction)
		row   string
	}{
		"ston.fi v2, Jettons between": {func(m *exchange) *action.Transaction {
			wallets(m, atRouter2)
			next := stonfiV2Order(swap, atRouter2C, nil)
			order := stonfiV2Order(swap, atRouterB, next)
			pool := m.stonfiV2Pool(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order), atPool, 100, order)
			router := m.move(m.stonfiV2Pay(pool, codeDone, atRouterB, 90), atRouterB, atRouter2C, atRouter2, 90, next)
			return m.stonfiV2Pool(router, atPool2, 90, next)
		}, `{"success":true,"source":"A1","source_secondary":"A2","destination":"A16","destination_secondary":"A15","asset":"A20",
			"asset2":"A21","jetton_swap_data":{"dex":"stonfi_v2","sender":"A1",
			"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
				"destination_jetton_wallet":"A5"},
			"dex_outgoing_transfer":{"asset":"A21","amount":90,"source":"A4","source_jetton_wallet":"A6","destination":"A16",
				"destination_jetton_wallet":"A15"}}}`},
		"TONCO, Jettons between": {func(m *exchange) *action.Transaction {
			wallets(m, atRouter)
			router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(atRouterB, toncoOrder(atRouterA, nil)))
			paying := m.toncoPay(m.toncoPool(router, atPool, 100, 40), 200, 0, 90)
			return m.toncoPool(m.move(paying, atRouterB, atRouter2C, atRouter, 90, toncoOrder(atRouterA, nil)), atPool2, 90, 80)
		}, withLeast(`{"success":true,"source":"A1","source_secondary":"A2","destination":"A4","destination_secondary":"A15","asset":"A20",
			"asset2":"A21","jetton_swap_data":{"dex":"tonco","sender":"A1",
			"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
				"destination_jetton_wallet":"A5"},
			"dex_outgoing_transfer":{"asset":"A21","amount":90,"source":"A4","source_jetton_wallet":"A6","destination":"A4",
				"destination_jetton_wallet":"A15"}}}`, "90")},
	} {
		t.Run(name+", the pool fails", func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			last := tc.trade(m)
			last.Aborted = true
			m.requireRow(t, "jetton_swap", tc.row)
			m.requireKinds(t, "jetton_swap", "call_contract")
		})
		t.Run(name+", the payment fails", func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			last := tc.trade(m)
			if last.Account == account(atPool2) && strings.HasPrefix(name, "ston.fi") {
				m.stonfiV2Pay(last, codeDone, atRouter2C, 80).Aborted = true
			} else {
				m.toncoPay(last, 200, 80, 0).Aborted = true
			}
			m.requireRow(t, "jetton_swap", tc.row)
			m.requireKinds(t, "jetton_swap", "call_contract", "call_contract")
		})
	}
}
