package action_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

func TestCoffeeCreateVault_NestsItsCalls(t *testing.T) {
	t.Parallel()
	m := newExchange()
	factory := m.send(m.root, atRouter, 50, coffeeAsset(withQueryID(0xc0ffee06), jettonA).EndCell())
	m.send(factory, atVault, 40, withQueryID(0xc0ffee22).EndCell())
	m.requireKinds(t, "coffee_create_vault")
	m.requireRow(t, "coffee_create_vault", `{"success":true,"source":"A1","destination":"A10","asset":"A20","value":50}`)
	require.Len(t, m.rows(t, "call_contract"), 2, "nested")
}

// coffeeCreator makes a deposit of TON or A whose vault requests a pool creator contract; it returns the transaction of
// that contract.
func (m *exchange) coffeeCreator(vault *action.Transaction, amount uint64) *action.Transaction {
	body := coffeeAsset(coffeeAsset(withQueryID(0xc0ffee23).MustStoreCoins(amount), 0), jettonA).MustStoreUInt(0, 4)
	body = ref(to(body, atTrader), to(cell.BeginCell(), atReferral))
	return m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
}

func TestCoffeeCreatePool_NeedsBothPayments(t *testing.T) {
	t.Parallel()
	paidCoins := func(m *exchange) *action.Transaction {
		return m.send(m.root, atRouter, 700, withQueryID(0xc0ffee02).MustStoreCoins(40).EndCell())
	}
	paidJettons := func(m *exchange) *action.Transaction {
		return m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee11))
	}
	t.Run("the first payment", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.coffeeCreator(paidJettons(m), 100)
		m.requireKinds(t, "coffee_create_pool_creator")
		m.requireRow(t, "coffee_create_pool_creator", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A12",
			"destination_secondary":"A11","asset":"A20","asset2_secondary":"A20","amount":100}`)
	})
	t.Run("the same asset again, which is returned", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pay := m.send(m.coffeeCreator(paidJettons(m), 100), atRouter, 400, withQueryID(0xc0ffee21).EndCell())
		m.move(pay, atRouterA, atTraderA, atTrader, 100, nil)
		m.requireKinds(t, "coffee_create_pool_creator", "call_contract", "jetton_transfer")
		m.requireRow(t, "coffee_create_pool_creator", `{"success":false,"source":"A1","source_secondary":"A2","destination":"A12",
			"destination_secondary":"A11","asset":"A20","asset2_secondary":"A20","amount":100}`)
	})
	t.Run("a pool that exists, which returns both", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		factory := m.send(m.coffeeCreator(paidJettons(m), 100), atVault, 400, withQueryID(0xc0ffee25).MustStoreCoins(40).MustStoreCoins(100).EndCell())
		m.requireRow(t, "coffee_create_pool_creator", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A12",
			"destination_secondary":"A11","asset":"A20","asset2_secondary":"A20","amount":100}`)
		pool := m.send(factory, atPool, 300, withQueryID(0xc0ffee22).EndCell())
		m.log(pool, withQueryID(0xc0ffee34).EndCell())
		m.move(m.send(pool, atRouter, 100, withQueryID(0xc0ffee21).EndCell()), atRouterA, atTraderA, atTrader, 100, nil)
		m.send(m.send(pool, atReferral, 100, withQueryID(0xc0ffee21).EndCell()), atTrader, 40, withQueryID(0xc0ffee32).EndCell())
		m.requireKinds(t, "coffee_create_pool_creator", "call_contract", "call_contract", "call_contract", "jetton_transfer",
			"call_contract", "call_contract")
		failed := `{"success":false,"source":"A1","source_secondary":"A2","destination":"A12",
			"destination_secondary":"A11","asset":"A20","asset2_secondary":"A20","amount":100}`
		m.requireRow(t, "coffee_create_pool_creator", failed)
		for _, tx := range []*action.Transaction{pool, factory} {
			tx.Out, tx.Aborted = nil, true
			m.trace.Transactions = m.trace.Transactions[:slices.Index(m.trace.Transactions, tx)+1]
			m.requireRow(t, "coffee_create_pool_creator", failed)
		}
	})
	for name, tc := range map[string]struct {
		pay    func(m *exchange) *action.Transaction
		amount uint64
		row    string
	}{
		"completed by Jettons": {paidJettons, 100, `{"success":true,"source":"A1","source_secondary":"A2","destination":"A7",
			"destination_secondary":"A11","asset":"A20","amount":100,"coffee_create_pool_data":{"amount_1":100,"amount_2":40,
			"initiator_1":"A14","initiator_2":"A1","provided_asset":"A20","lp_tokens_minted":60}}`},
		"completed by coins": {paidCoins, 40, `{"success":true,"source":"A1","destination":"A7","destination_secondary":"A11",
			"asset2":"A20","amount":40,"coffee_create_pool_data":{"amount_1":40,"amount_2":100,"initiator_1":"A1",
			"initiator_2":"A14","lp_tokens_minted":60}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			creator := m.coffeeCreator(tc.pay(m), tc.amount)
			request := to(withQueryID(0xc0ffee25).MustStoreCoins(40).MustStoreCoins(100), 14)
			pool := m.send(m.send(creator, atVault, 400, request.EndCell()), atPool, 300, withQueryID(0xc0ffee22).EndCell())
			m.coffeeDeposited(pool, 60)
			m.requireKinds(t, "coffee_create_pool")
			m.requireRow(t, "coffee_create_pool", tc.row)
			require.Len(t, m.rows(t, "coffee_create_pool_creator"), 1, "nested")
		})
	}
}

func TestCoffeeMEVProtect_HoldsFundsOrFails(t *testing.T) {
	t.Parallel()
	t.Run("Jettons", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0x6bc79e7e))
		m.send(m.root, atVault, 10, withQueryID(0xc0ffeea0).EndCell())
		m.requireKinds(t, "coffee_mev_protect_hold_funds")
		m.requireRow(t, "coffee_mev_protect_hold_funds", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A4",
			"asset":"A20","amount":100}`)
		require.Len(t, m.rows(t, "jetton_transfer"), 1, "nested")
	})
	t.Run("twice in one request", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		for range 2 {
			m.send(m.root, atVault, 10, withQueryID(0xc0ffeea0).EndCell())
			m.send(m.root, atRouter, 50, withQueryID(0x6bc79e7e).EndCell())
		}
		m.requireKinds(t, "coffee_mev_protect_hold_funds", "coffee_mev_protect_hold_funds")
		requireOwners(t, m.trace, m.r)
	})
	t.Run("by an account that another action paid", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		paid := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(7))
		m.send(paid, atVault, 10, withQueryID(0xc0ffeea0).EndCell())
		m.send(paid, atRouter, 50, withQueryID(0x6bc79e7e).EndCell())
		m.requireKinds(t, "jetton_transfer", "coffee_mev_protect_hold_funds")
	})
	t.Run("failed", func(t *testing.T) {
		t.Parallel()
		for _, trade := range []func(m *exchange){
			func(m *exchange) { m.send(m.root, atVault, 10, withQueryID(0xee51ce51).EndCell()) },
			func(m *exchange) { m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xee51ce51)) },
		} {
			m := newExchange()
			trade(m)
			m.requireKinds(t, "coffee_mev_protect_failed_swap")
			m.requireRow(t, "coffee_mev_protect_failed_swap", `{"success":true}`)
		}
	})
}

func TestCoffeeStakingWithdraw_HasItsItemAndPoints(t *testing.T) {
	t.Parallel()
	m := newExchange()
	item := m.send(m.root, atDeposit, 80, withQueryID(0xcb03bfaf).EndCell())
	pool := m.send(item, atPool, 70, to(withQueryID(0xcb03bfaf).MustStoreUInt(33, 64), atTrader).MustStoreCoins(9).EndCell())
	m.log(pool, withQueryID(0xcb03bfaf).EndCell())
	m.move(m.send(pool, atRouter, 60, withQueryID(0xcb03bfaf).EndCell()), atRouterA, atTraderA, atTrader, 100, nil)
	m.requireKinds(t, "coffee_staking_withdraw")
	m.requireRow(t, "coffee_staking_withdraw", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A11",
		"destination_secondary":"A5","asset":"A20","amount":100,
		"coffee_staking_withdraw_data":{"nft_address":"A11","nft_index":33,"points":9}}`)
}

// The item reads who owns it; anyone may send its request for the owner.
func TestCoffeeStakingWithdraw_IsOfTheOwner(t *testing.T) {
	t.Parallel()
	m := newExchange()
	item := m.send(m.root, atDeposit, 80, withQueryID(0xcb03bfaf).EndCell())
	pool := m.send(item, atPool, 70, to(withQueryID(0xcb03bfaf).MustStoreUInt(33, 64), 14).MustStoreCoins(9).EndCell())
	m.move(m.send(pool, atRouter, 60, withQueryID(0xcb03bfaf).EndCell()), atRouterA, atTraderA, atTrader, 100, nil)
	requireRows(t, m.builder, m.r, []string{"coffee_staking_withdraw"}, want{"source": raw(14)})
}

func TestCoffeeStakingDeposit_HasItsItem(t *testing.T) {
	t.Parallel()
	m := newExchange()
	m.r.items[account(atDeposit)] = &action.NFTItem{Index: big.NewInt(33)}
	vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee10))
	pool := m.send(vault, atPool, 70, withQueryID(0xf9471134).EndCell())
	m.log(pool, withQueryID(0xf9471134).EndCell())
	m.send(pool, atDeposit, 60, withQueryID(0x11).EndCell()).OrigStatus = "nonexist"
	m.requireKinds(t, "coffee_staking_deposit", "contract_deploy")
	m.requireRow(t, "coffee_staking_deposit", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A7",
		"destination_secondary":"A5","asset":"A20","amount":100,
		"coffee_staking_deposit_data":{"minted_item_address":"A11","minted_item_index":33}}`)
}

func TestCoffeeStakingClaim_IsTheTransferOfTheRewards(t *testing.T) {
	t.Parallel()
	m := newExchange()
	pool := m.send(m.root, atPool, 80, withQueryID(0xb30c7310).EndCell())
	m.log(pool, withQueryID(0xb30c7310).EndCell())
	m.move(pool, atRouterA, atTraderA, atTrader, 100, nil)
	m.requireKinds(t, "coffee_staking_claim_rewards")
	m.requireRow(t, "coffee_staking_claim_rewards", `{"success":true,"source":"A7","source_secondary":"A5","destination":"A1",
		"destination_secondary":"A2","asset":"A20","amount":100}`)
}

// Rows cannot name an extra currency: a swap or a deposit of one is its transfers and calls.
func TestCoffee_ExtraCurrenciesAreNotTON(t *testing.T) {
	t.Parallel()
	extra := func(b *cell.Builder) *cell.Builder { return b.MustStoreUInt(2, 2).MustStoreUInt(100, 32) }
	m := newExchange()
	paying := m.coffeePay(m.coffeeHop(m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee10)), atPool, jettonA, 100, 90), 90, jettonA, 0)
	m.send(paying, atTrader, 5, withQueryID(0xc0ffee32).EndCell()).In.Extra = map[string]*big.Int{"100": big.NewInt(90)}
	m.requireKinds(t, "jetton_transfer", "call_contract", "call_contract", "call_contract")

	m = newExchange()
	pool := m.coffeeHop(m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee10)), atPool, jettonA, 100, 90)
	pool = m.send(pool, atPool2, 700, withQueryID(0xc0ffee20).EndCell())
	m.log(pool, extra(withQueryID(0xc0ffee30)).MustStoreCoins(90).MustStoreCoins(80).EndCell())
	m.move(m.coffeePay(pool, 80, 0, jettonB), atRouterB, atTraderB, atTrader, 80, nil)
	m.requireKinds(t, "jetton_transfer", "call_contract", "call_contract", "call_contract", "jetton_transfer")

	m = newExchange()
	assets := extra(coffeeAsset(cell.BeginCell(), jettonA)).MustStoreUInt(0, 4)
	body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), assets)
	factory := m.send(m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12)), atVault, 600, body.EndCell())
	m.send(factory, atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
	m.requireKinds(t, "jetton_transfer", "call_contract", "call_contract")
}
