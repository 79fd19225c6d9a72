package action_test

import (
	"math/big"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// mint adds the shares that a pool mints for the trader, and returns the transaction of the trader's wallet.
func (m *exchange) mint(pool *action.Transaction, amount uint64) *action.Transaction {
	return m.send(pool, atTraderLP, 300, to(withQueryID(0x178d4519).MustStoreCoins(amount), pool.Account.ID[0], atTrader).
		MustStoreCoins(1).MustStoreBoolBit(false).EndCell())
}

// notify adds the notification of the trader by a wallet.
func (m *exchange) notify(wallet *action.Transaction) {
	m.send(wallet, atTrader, 1, withQueryID(0x7362d09c).EndCell())
}

// coffeeDeposited adds the log and the shares of a deposit.
func (m *exchange) coffeeDeposited(pool *action.Transaction, shares uint64) {
	m.log(pool, withQueryID(0xc0ffee33).MustStoreCoins(1).MustStoreCoins(2).MustStoreCoins(shares).EndCell())
	m.mint(pool, shares-1) // the pool locks a share
}

// dedustTargets returns the targets of a deposit into a pool of TON and A.
func dedustTargets(coins, jettons uint64) *cell.Builder {
	return dedustAsset(dedustAsset(cell.BeginCell(), 0).MustStoreCoins(coins), jettonA).MustStoreCoins(jettons)
}

// dedustCreate adds a payment of a vault into the deposit contract and returns the transaction of that contract.
func (m *exchange) dedustCreate(vault *action.Transaction, coins, jettons uint64) *action.Transaction {
	body := dedustAsset(dedustAsset(to(withQueryID(0xf04ec526), atTrader).MustStoreBoolBit(false), 0), jettonA)
	body = ref(ref(body, cell.BeginCell()), cell.BeginCell().MustStoreCoins(coins).MustStoreCoins(jettons))
	factory := m.send(vault, atVault, 500, body.EndCell())
	m.send(factory, atDeposit, 100, withQueryID(0x9b3aa3fa).EndCell())
	return m.send(factory, atDeposit, 300, withQueryID(0x54240fe5).EndCell())
}

// dedustAll adds the message by which the deposit contract passes both assets to the pool.
func (m *exchange) dedustAll(deposit *action.Transaction, coins, jettons uint64) *action.Transaction {
	body := ref(ref(to(withQueryID(0xb56b9598), atTrader), cell.BeginCell()), dedustTargets(coins, jettons))
	return m.send(deposit, atPool, 250, body.EndCell())
}

func (m *exchange) dedustCoins(amount uint64) *action.Transaction {
	return m.send(m.root, atReferral, int64(amount)+200, withQueryID(0xd55e4686).MustStoreCoins(amount).EndCell())
}

func TestDedustDeposit_JoinsTwoHalves(t *testing.T) {
	t.Parallel()
	t.Run("halves", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.dedustCreate(m.dedustCoins(40), 40, 100)
		first := m.dedustCreate(m.move(m.root, atTraderA, atRouterA, atRouter, 100, cell.BeginCell()), 40, 100)
		pool := m.dedustAll(first, 40, 100)
		m.notify(m.mint(pool, 60))
		back := m.send(pool, atDeposit, 200, withQueryID(0xaae79256).EndCell())
		m.send(back, atTrader, 30, cell.BeginCell().EndCell())
		vault := m.send(back, atReferral, 60, withQueryID(0x6b0b787f).EndCell())
		m.send(vault, atTrader, 5, withQueryID(0x474f86cf).EndCell())
		vault = m.send(back, atRouter, 60, withQueryID(0x6b0b787f).EndCell())
		m.move(vault, atRouterA, atTraderA, atTrader, 7, nil)
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"dedust","amount1":40,"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2",
			"lp_tokens_minted":60,"target_amount_1":40,"target_amount_2":100,"target_asset_2":"A20",
			"vault_excesses":[{"amount":5},{"asset":"A20","amount":7}]}}`)
	})
	t.Run("one half", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.dedustCreate(m.move(m.root, atTraderA, atRouterA, atRouter, 100, cell.BeginCell()), 40, 100)
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"dedust","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2",
			"target_amount_1":40,"target_amount_2":100,"target_asset_2":"A20"}}`)
	})
	t.Run("more than two for a contract stay apart", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		for range 3 {
			m.dedustCreate(m.dedustCoins(40), 40, 100)
		}
		require.Len(t, m.rows(t, "dex_deposit_liquidity"), 3)
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pool := m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100)
		m.send(pool, atDeposit, 200, withQueryID(0xe1a36cd4).EndCell())
		m.requireKinds(t, "dex_deposit_liquidity") // the assets are returned after the trace
		m.requireRow(t, "dex_deposit_liquidity", `{"success":false,"source":"A1","destination":"A7","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"dedust","amount1":40,"target_amount_1":40,"target_amount_2":100,
			"target_asset_2":"A20"}}`)
	})
}

// burn adds the burning of shares and returns the transaction of the pool.
func (m *exchange) burn(code uint64) *action.Transaction {
	wallet := m.send(m.root, atTraderLP, 900, withQueryID(0x595f07bc).MustStoreCoins(60).MustStoreAddr(std(atTrader)).EndCell())
	return m.send(wallet, atPool, 800, withQueryID(code).EndCell())
}

func TestDedustWithdraw_PaysBothAssets(t *testing.T) {
	t.Parallel()
	m := newExchange()
	pool := m.burn(0x7bdd97de)
	m.send(m.dedustPay(pool, 40), atTrader, 45, withQueryID(0x474f86cf).EndCell())
	m.move(m.dedustPay(pool, 101), atRouterA, atTraderA, atTrader, 100, nil) // the Jetton's wallets take a fee
	m.requireKinds(t, "dex_withdraw_liquidity")
	m.requireRow(t, "dex_withdraw_liquidity", `{"success":true,"source":"A1","source_secondary":"A13","destination":"A7","asset":"A22",
		"dex_withdraw_liquidity_data":{"dex":"dedust","amount1":40,"dex_wallet_1":"A4","amount2":101,"asset2_out":"A20",
		"dex_jetton_wallet_2":"A5","dex_wallet_2":"A4","user_jetton_wallet_2":"A2","lp_tokens_burnt":60,"is_refund":false}}`)
}

// stonfiV2Half adds a payment of one asset into the trader's account of a pool and returns the transaction of that
// account.
func (m *exchange) stonfiV2Half(router *action.Transaction, left, right uint64) *action.Transaction {
	pool := m.send(router, atPool, 600, to(withQueryID(0x37c096df), atTrader).MustStoreCoins(left).MustStoreCoins(right).EndCell())
	return m.send(pool, atDeposit, 500, withQueryID(0x50c6a654).EndCell())
}

func TestStonfiV2Deposit_JoinsTwoHalves(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x37c096df) }
	t.Run("halves", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 0, 100)
		account := m.stonfiV2Half(m.payCoins(m.root, 40, order()), 40, 0)
		m.mint(m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell()), 60)
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7",
			"dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":40,"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2",
			"lp_tokens_minted":60}}`)
	})
	t.Run("one half", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 0, 100)
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7",
			"dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2"}}`)
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		account := m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0)
		pool := m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell())
		m.send(pool, atDeposit, 300, withQueryID(0x50c6a654).EndCell())
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":false,"source":"A1","destination":"A7",
			"dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2"}}`)
	})
}

// Coins are listed before Jettons, whichever of them is the pool's first asset.
func TestStonfiV2Deposit_ListsCoinsFirst(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x37c096df) }
	want := `{"success":true,"source":"A1","destination":"A7","dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":40,
		"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2","lp_tokens_minted":60}}`
	m := newExchange()
	m.stonfiV2Half(m.payCoins(m.root, 40, order()), 0, 40)
	account := m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0)
	m.mint(m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell()), 60)
	m.requireRow(t, "dex_deposit_liquidity", want)

	m = newExchange()
	m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0)
	account = m.stonfiV2Half(m.payCoins(m.root, 40, order()), 0, 40)
	m.mint(m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell()), 60)
	m.requireRow(t, "dex_deposit_liquidity", want)
}

// Of two Jettons, the one that was sent later is first, whichever of them completes the deposit.
func TestStonfiV2Deposit_ListsTheLaterJettonFirst(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x37c096df) }
	for name, completedBy := range map[string]int{"the first payment completes": 0, "the second payment completes": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			halves := []*action.Transaction{
				m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0),
				m.stonfiV2Half(m.move(m.root, atTraderB, atRouterB, atRouter, 40, order()), 0, 40),
			}
			m.mint(m.send(halves[completedBy], atPool, 400, withQueryID(0x06ecd527).EndCell()), 60)
			m.requireKinds(t, "dex_deposit_liquidity")
			m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7",
				"dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":40,"asset1":"A21","user_jetton_wallet_1":"A3",
				"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2","lp_tokens_minted":60}}`)
		})
	}
}

// Halves that different messages paid are separate, also for one account and pool.
func TestStonfiV2Deposit_JoinsOnlyHalvesOfOnePayer(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x37c096df) }
	m := newExchange()
	m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0)
	other := m.send(m.root, atReferral, 900, withQueryID(0x595f07bd).EndCell())
	account := m.stonfiV2Half(m.payCoins(other, 40, order()), 0, 40)
	m.mint(m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell()), 60)
	m.requireKinds(t, "dex_deposit_liquidity", "dex_deposit_liquidity", "call_contract")
}

// The notification of the owner about the shares is a call of its own.
func TestDeposit_LeavesTheNotificationOfShares(t *testing.T) {
	t.Parallel()
	m := newExchange()
	account := m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0x37c096df)), 100, 0)
	m.notify(m.mint(m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell()), 60))
	m.requireKinds(t, "dex_deposit_liquidity", "call_contract")

	m = newExchange()
	vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
	body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), coffeePoolOf(jettonA, jettonB))
	depository := m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
	pool := m.send(depository, atPool, 400, withQueryID(0xc0ffee29).EndCell())
	m.log(pool, withQueryID(0xc0ffee33).MustStoreCoins(1).MustStoreCoins(2).MustStoreCoins(60).EndCell())
	m.notify(m.mint(pool, 60))
	m.requireKinds(t, "dex_deposit_liquidity", "call_contract")
}

// The account retains both halves that the pool refuses: the first one still waits.
func TestStonfiV2Deposit_RefusedHalvesAreSeparate(t *testing.T) {
	t.Parallel()
	order := func() *cell.Builder { return op(0x37c096df) }
	m := newExchange()
	m.stonfiV2Half(m.move(m.root, atTraderA, atRouterA, atRouter, 100, order()), 100, 0)
	account := m.stonfiV2Half(m.payCoins(m.root, 40, order()), 0, 40)
	m.send(m.send(account, atPool, 400, withQueryID(0x06ecd527).EndCell()), atDeposit, 300, withQueryID(0x50c6a654).EndCell())
	m.requireKinds(t, "dex_deposit_liquidity", "dex_deposit_liquidity")
	rows := m.rows(t, "dex_deposit_liquidity")
	require.JSONEq(t, `{"success":true,"source":"A1","destination":"A7",
		"dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2"}}`, rows[0])
	require.JSONEq(t, `{"success":false,"source":"A1","destination":"A7","dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":40}}`, rows[1])
}

// A Jetton can have another message between the wallets of a transfer. The pool receives what the router was notified of.
func TestStonfiV2Deposit_FollowsAnotherMessageBetweenWallets(t *testing.T) {
	t.Parallel()
	m := newExchange()
	body := to(withQueryID(0x0f8a7ea5).MustStoreCoins(100), atRouter, atTrader).MustStoreBoolBit(false).MustStoreCoins(1)
	wallet := m.send(m.root, atTraderA, 1000, ref(body.MustStoreBoolBit(true), op(0x37c096df)).EndCell())
	internal := func(amount uint64) *cell.Cell {
		return to(withQueryID(0x178d4519).MustStoreCoins(amount), atTrader, atTrader).MustStoreCoins(1).MustStoreBoolBit(false).EndCell()
	}
	between := m.send(wallet, atRouterA, 900, internal(100))
	router := m.send(m.send(between, atVault, 800, internal(90)), atRouter, 700, withQueryID(0x7362d09c).MustStoreCoins(90).EndCell())
	m.stonfiV2Half(router, 90, 0)
	m.requireKinds(t, "dex_deposit_liquidity")
	m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7",
		"dex_deposit_liquidity_data":{"dex":"stonfi_v2","amount1":90,"asset1":"A20","user_jetton_wallet_1":"A2"}}`)
}

func TestStonfiV2Withdraw_BurnOrRefundPaysBothAssets(t *testing.T) {
	t.Parallel()
	paid := `"amount1":40,"dex_wallet_1":"A4","amount2":100,"asset2_out":"A20","dex_jetton_wallet_2":"A5","dex_wallet_2":"A4",
		"user_jetton_wallet_2":"A2"`
	t.Run("burn", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pool := m.burn(0x297437cf)
		m.giveCoins(m.stonfiV2Pay(pool, codeDone, atProxy, 40), atTrader, 40)
		m.move(m.stonfiV2Pay(pool, codeDone, atRouterA, 100), atRouterA, atTraderA, atTrader, 100, nil)
		m.requireKinds(t, "dex_withdraw_liquidity")
		m.requireRow(t, "dex_withdraw_liquidity", `{"success":true,"source":"A1","source_secondary":"A13","destination":"A7",
			"asset":"A22","dex_withdraw_liquidity_data":{"dex":"stonfi_v2",`+paid+`,"lp_tokens_burnt":60,"is_refund":false}}`)
	})
	t.Run("refund", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		pool := m.send(m.send(m.root, atDeposit, 900, withQueryID(0x132b9a2c).EndCell()), atPool, 800, withQueryID(0x0f98e2b8).EndCell())
		paying := m.stonfiV2Pay(pool, codeDone, atProxy, 40)
		m.giveCoins(paying, atTrader, 40)
		m.move(paying, atRouterA, atTraderA, atTrader, 100, nil)
		m.requireKinds(t, "dex_withdraw_liquidity")
		m.requireRow(t, "dex_withdraw_liquidity", `{"success":true,"source":"A1","destination":"A7",
			"dex_withdraw_liquidity_data":{"dex":"stonfi_v2",`+paid+`,"is_refund":true}}`)
	})
}

func TestToncoWithdraw_FailsWithThePool(t *testing.T) {
	t.Parallel()
	request := func() *cell.Builder {
		return withQueryID(0x530b5f2c).MustStoreUInt(33, 64).MustStoreUInt(0, 64).MustStoreUInt(60, 64).
			MustStoreUInt(1<<24-10, 24).MustStoreUInt(10, 24)
	}
	for name, tc := range map[string]struct {
		code    uint64
		success string
	}{"done": {201, "true"}, "refused": {202, "false"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			item := m.send(m.send(m.root, atPool, 900, request().EndCell()), atDeposit, 800, withQueryID(0x46ca335a).EndCell())
			paying := m.toncoPay(m.send(item, atPool, 700, withQueryID(0xd73ac09d).EndCell()), tc.code, 0, 100)
			m.move(paying, atRouterB, atTraderB, atTrader, 100, nil)
			m.requireKinds(t, "dex_withdraw_liquidity")
			m.requireRow(t, "dex_withdraw_liquidity", `{"success":`+tc.success+`,"source":"A1","destination":"A7",
				"dex_withdraw_liquidity_data":{"dex":"tonco","amount1":0,"asset1_out":"A20","dex_jetton_wallet_1":"A5",
				"dex_wallet_1":"A7","user_jetton_wallet_1":"A1","amount2":100,"asset2_out":"A21","dex_jetton_wallet_2":"A6","dex_wallet_2":"A4","user_jetton_wallet_2":"A3",
				"lp_tokens_burnt":60,"burned_nft_index":33,"burned_nft_address":"A11","tick_lower":-10,"tick_upper":10}}`)
		})
	}
}

func TestToncoDeposit_HasItsTargets(t *testing.T) {
	t.Parallel()
	m := newExchange()
	router := m.move(m.root, atTraderB, atRouterB, atRouter, 100, to(op(0x4468de77), atRouterA))
	pool := m.send(router, atPool, 700, withQueryID(0x4468de77).EndCell())
	m.send(pool, atDeposit, 600, withQueryID(0x3ebe5431).MustStoreCoins(0).MustStoreCoins(100).MustStoreCoins(40).MustStoreCoins(99).
		MustStoreUInt(0, 64).MustStoreUInt(60, 64).MustStoreUInt(1<<24-10, 24).MustStoreUInt(10, 24).EndCell())
	m.requireKinds(t, "dex_deposit_liquidity")
	m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","source_secondary":"A3","destination":"A7",
		"destination_secondary":"A11","dex_deposit_liquidity_data":{"dex":"tonco","amount1":100,"asset1":"A21",
		"user_jetton_wallet_2":"A3","target_amount_1":40,"target_amount_2":99,"target_asset_1":"A20","target_asset_2":"A21",
		"tick_lower":-10,"tick_upper":10}}`)
}

// toncoAdd adds the message of a TONCO pool to the user's contract, for 100 of the first asset.
func (m *exchange) toncoAdd(router *action.Transaction) *action.Transaction {
	pool := m.send(router, atPool, 700, withQueryID(0x4468de77).EndCell())
	return m.send(pool, atDeposit, 600, withQueryID(0x3ebe5431).MustStoreCoins(100).MustStoreCoins(0).MustStoreCoins(99).MustStoreCoins(40).
		MustStoreUInt(0, 64).MustStoreUInt(60, 64).MustStoreUInt(1<<24-10, 24).MustStoreUInt(10, 24).EndCell())
}

// The wallet of a proxy notifies the router of the account in the request, which can be another one than its sender.
func TestToncoDeposit_IsOfTheAccountInTheNotification(t *testing.T) {
	t.Parallel()
	m := newExchange()
	tx := m.send(m.root, atProxy, 200, to(withQueryID(0x01f3835d).MustStoreCoins(100), atReferral).EndCell())
	notification := ref(to(withQueryID(0x7362d09c).MustStoreCoins(100), atReferral).MustStoreBoolBit(true), to(op(0x4468de77), atRouterA))
	m.toncoAdd(m.send(tx, atRouter, 50, notification.EndCell()))
	m.requireKinds(t, "dex_deposit_liquidity")
	m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A12","destination":"A7","destination_secondary":"A11",
		"dex_deposit_liquidity_data":{"dex":"tonco","amount1":100,"target_amount_1":99,"target_amount_2":40,"target_asset_2":"A20",
		"tick_lower":-10,"tick_upper":10}}`)
}

// The item has the liquidity that the pool gave it, which can be less than requested.
func TestToncoDeposit_HasTheLiquidityOfItsItem(t *testing.T) {
	t.Parallel()
	m := newExchange()
	m.r.items[account(15)] = &action.NFTItem{Index: big.NewInt(33)}
	user := m.toncoAdd(m.move(m.root, atTraderA, atRouterA, atRouter, 100, to(op(0x4468de77), atRouterB)))
	pool := m.send(user, atPool, 500, withQueryID(0x81702ef8).EndCell())
	body := to(withQueryID(0xd5ecca2a), atTrader).MustStoreUInt(0, 64).MustStoreUInt(59, 64).MustStoreUInt(1<<24-10, 24).MustStoreUInt(10, 24)
	m.send(pool, 15, 60, body.EndCell()).OrigStatus = "nonexist"
	m.requireKinds(t, "dex_deposit_liquidity", "contract_deploy")
	m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","source_secondary":"A2","destination":"A7",
		"destination_secondary":"A11","dex_deposit_liquidity_data":{"dex":"tonco","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2",
		"target_amount_1":99,"target_amount_2":40,"target_asset_1":"A20","target_asset_2":"A21","lp_tokens_minted":59,"nft_index":33,
		"nft_address":"A15","tick_lower":-10,"tick_upper":10}}`)
}

// The configuration of a pool is in the request, and its state in the message of the router.
func TestToncoDeployPool_HasItsConfigurationAndState(t *testing.T) {
	t.Parallel()
	for name, active := range map[string]bool{"active": true, "inactive": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			create := to(withQueryID(0x2e3034ef), atRouterA, atRouterB).MustStoreUInt(60, 24).MustStoreUInt(0, 96).MustStoreUInt(77, 64).
				MustStoreUInt(500, 16).MustStoreUInt(30, 16).MustStoreUInt(31, 16)
			create = ref(ref(ref(create, cell.BeginCell()), cell.BeginCell()), to(cell.BeginCell(), jettonA, jettonB, atTrader))
			init := to(withQueryID(0x441c39ed).MustStoreUInt(3, 2), atTrader).MustStoreBoolBit(true)
			init = to(init, atTrader).MustStoreBoolBit(false).MustStoreUInt(0, 24).MustStoreBoolBit(false).MustStoreUInt(0, 64).MustStoreUInt(0, 96)
			pool := m.send(m.send(m.root, atRouter, 900, create.EndCell()), atPool, 800, init.MustStoreBoolBit(true).MustStoreBoolBit(active).EndCell())
			m.send(pool, atTrader, 700, withQueryID(0xd53276db).EndCell())
			m.requireKinds(t, "tonco_deploy_pool")
			m.requireRow(t, "tonco_deploy_pool", `{"success":true,"source":"A1","destination":"A4","destination_secondary":"A7",
				"tonco_deploy_pool_data":{"jetton0_router_wallet":"A5","jetton1_router_wallet":"A6","jetton0_minter":"A20","jetton1_minter":"A21",
				"tick_spacing":60,"initial_price_x96":77,"protocol_fee":500,"lp_fee_base":30,"lp_fee_current":31,
				"pool_active":`+strconv.FormatBool(active)+`}}`)
		})
	}
}

// coffeePoolOf returns the parameters of a pool of two assets.
func coffeePoolOf(first, second byte) *cell.Builder {
	return coffeeAsset(coffeeAsset(cell.BeginCell(), first), second).MustStoreUInt(0, 4)
}

func TestCoffeeDeposit_HasItsExcesses(t *testing.T) {
	t.Parallel()
	t.Run("Jettons, some come back", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), coffeePoolOf(jettonA, jettonB))
		depository := m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
		pool := m.send(depository, atPool, 400, withQueryID(0xc0ffee29).EndCell())
		m.coffeeDeposited(pool, 60)
		m.move(m.coffeePay(pool, 7, jettonA, jettonB), atRouterA, atTraderA, atTrader, 7, nil)
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"coffee","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2",
			"lp_tokens_minted":60,"target_asset_1":"A20","target_asset_2":"A21","vault_excesses":[{"asset":"A20","amount":7}]}}`)
	})
	t.Run("Jettons, coins come back", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), coffeePoolOf(0, jettonA))
		depository := m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
		pool := m.send(depository, atPool, 400, withQueryID(0xc0ffee29).EndCell())
		m.coffeeDeposited(pool, 60)
		m.send(m.coffeePay(pool, 7, 0, jettonA), atTrader, 9, withQueryID(0xc0ffee32).EndCell())
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination":"A7","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"coffee","amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2",
			"lp_tokens_minted":60,"target_asset_1":"A20","vault_excesses":[{"amount":9}]}}`)
	})
	t.Run("coins", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		vault := m.send(m.root, atRouter, 700, withQueryID(0xc0ffee04).MustStoreCoins(40).EndCell())
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(40), atTrader), cell.BeginCell()), coffeePoolOf(0, jettonB))
		m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"coffee","amount1":40,"target_asset_2":"A21"}}`)
	})
	t.Run("the second asset", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), coffeePoolOf(jettonB, jettonA))
		m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
		m.requireKinds(t, "dex_deposit_liquidity")
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A1","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"coffee","amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2",
			"target_asset_1":"A20","target_asset_2":"A21"}}`)
	})
	t.Run("for another account", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		vault := m.send(m.root, atRouter, 700, withQueryID(0xc0ffee04).MustStoreCoins(40).EndCell())
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(40), atReferral), cell.BeginCell()), coffeePoolOf(0, jettonB))
		m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
		m.requireRow(t, "dex_deposit_liquidity", `{"success":true,"source":"A12","destination_secondary":"A11",
			"dex_deposit_liquidity_data":{"dex":"coffee","amount1":40,"target_asset_2":"A21"}}`)
	})
	t.Run("an asset of another pool", func(t *testing.T) {
		t.Parallel()
		m := newExchange()
		vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), coffeePoolOf(0, jettonB))
		m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
		m.requireKinds(t, "jetton_transfer", "call_contract", "call_contract")
	})
}

func TestCoffeeWithdraw_PaysBothAssets(t *testing.T) {
	t.Parallel()
	m := newExchange()
	pool := m.burn(0x7bdd97de)
	m.log(pool, withQueryID(0xc0ffee35).MustStoreCoins(40).MustStoreCoins(101).EndCell())
	m.send(m.coffeePay(pool, 40, 0, jettonA), atTrader, 45, withQueryID(0xc0ffee32).EndCell())
	m.move(m.coffeePay(pool, 100, 0, jettonA), atRouterA, atTraderA, atTrader, 100, nil)
	m.requireKinds(t, "dex_withdraw_liquidity")
	m.requireRow(t, "dex_withdraw_liquidity", `{"success":true,"source":"A1","source_secondary":"A13","destination":"A7","asset":"A22",
		"dex_withdraw_liquidity_data":{"dex":"coffee","amount1":40,"dex_wallet_1":"A7","user_jetton_wallet_1":"A1","amount2":101,"asset2_out":"A20",
		"dex_jetton_wallet_2":"A5","dex_wallet_2":"A7","user_jetton_wallet_2":"A2","lp_tokens_burnt":60,"is_refund":false}}`)
}
