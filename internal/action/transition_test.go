package action_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// transition is one path of a protocol through its contracts: the messages, the types of the actions without a parent
// (the kind under test first), and the row of that kind.
type transition struct {
	trade func(m *exchange)
	kinds []string
	row   string
}

func requireTransitions(t *testing.T, all map[string]transition) {
	t.Helper()
	for name, tc := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			tc.trade(m)
			m.requireKinds(t, tc.kinds...)
			if tc.row != "" {
				m.requireRow(t, tc.kinds[0], tc.row)
			}
			requireOwners(t, m.trace, m.r)
		})
	}
}

// requireOwners requires that every message belongs to exactly one top block.
func requireOwners(t *testing.T, trace *action.Trace, r action.Records) {
	t.Helper()
	owners, err := action.Owners(trace, r)
	require.NoError(t, err)
	for _, tx := range trace.Transactions {
		require.Len(t, owners[tx.Hash], 1, "of %s", tx.Hash)
	}
}

// dedustReturn adds the messages by which a deposit contract returns coins, Jettons or both, and the rest of its
// balance.
func (m *exchange) dedustReturn(deposit *action.Transaction, coins, jettons uint64) {
	if coins > 0 {
		vault := m.send(deposit, atReferral, 60, withQueryID(0x6b0b787f).EndCell())
		m.send(vault, atTrader, int64(coins), withQueryID(0x474f86cf).EndCell())
	}
	if jettons > 0 {
		m.move(m.send(deposit, atRouter, 60, withQueryID(0x6b0b787f).EndCell()), atRouterA, atTraderA, atTrader, jettons, nil)
	}
	m.send(deposit, atTrader, 30, cell.BeginCell().EndCell())
}

func (m *exchange) dedustJettons(amount uint64) *action.Transaction {
	return m.move(m.root, atTraderA, atRouterA, atRouter, amount, cell.BeginCell())
}

// reject adds the refusal of a pool and returns the transaction of the deposit contract.
func (m *exchange) reject(pool *action.Transaction) *action.Transaction {
	return m.send(pool, atDeposit, 200, withQueryID(0xe1a36cd4).EndCell())
}

const dedustTargetsRow = `"target_amount_1":40,"target_amount_2":100,"target_asset_2":"A20"`

func TestDedustDeposit_EveryTransitionIsOneAction(t *testing.T) {
	t.Parallel()
	both := `"vault_excesses":[{"amount":40},{"asset":"A20","amount":100}]`
	requireTransitions(t, map[string]transition{
		"refused, the other half came in another trace": {
			func(m *exchange) {
				pool := m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100)
				m.dedustReturn(m.reject(pool), 40, 100)
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A7","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust","amount1":40,` + dedustTargetsRow + `,` + both + `}}`,
		},
		"refused, both halves in the trace": {
			func(m *exchange) {
				m.dedustCreate(m.dedustCoins(40), 40, 100)
				pool := m.dedustAll(m.dedustCreate(m.dedustJettons(100), 40, 100), 40, 100)
				m.dedustReturn(m.reject(pool), 40, 100)
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A7","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust","amount1":40,"amount2":100,"asset2":"A20","user_jetton_wallet_2":"A2",` + dedustTargetsRow + `,` + both + `}}`,
		},
		"refused, the Jettons come back first": {
			func(m *exchange) {
				deposit := m.reject(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100))
				m.send(deposit, atTrader, 30, cell.BeginCell().EndCell())
				m.move(m.send(deposit, atRouter, 60, withQueryID(0x6b0b787f).EndCell()), atRouterA, atTraderA, atTrader, 100, nil)
				vault := m.send(deposit, atReferral, 60, withQueryID(0x6b0b787f).EndCell())
				m.send(vault, atTrader, 40, withQueryID(0x474f86cf).EndCell())
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A7","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust","amount1":40,` + dedustTargetsRow + `,"vault_excesses":[{"asset":"A20","amount":100},{"amount":40}]}}`,
		},
		"refused, the vault's wallet cannot pay back": {
			func(m *exchange) {
				deposit := m.reject(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100))
				vault := m.send(deposit, atRouter, 60, withQueryID(0x6b0b787f).EndCell())
				wallet := m.send(vault, atRouterA, 50, to(withQueryID(0x0f8a7ea5).MustStoreCoins(100), atTrader, atTrader).EndCell())
				wallet.Aborted, wallet.ExitCode = true, 705
				m.bounce(wallet)
			},
			[]string{"dex_deposit_liquidity", "call_contract", "call_contract"}, "",
		},
		"refused, nothing has come back yet": {
			func(m *exchange) { m.reject(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100)) },
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A7","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust","amount1":40,` + dedustTargetsRow + `}}`,
		},
		"the pool fails and its request bounces": {
			func(m *exchange) {
				pool := m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100)
				pool.Aborted, pool.ExitCode = true, 9
				m.bounce(pool) // to the deposit contract
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":false,"source":"A1","destination":"A7","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust","amount1":40,` + dedustTargetsRow + `}}`,
		},
		"the pool fails and nothing bounces": {
			func(m *exchange) {
				m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100).Aborted = true
			},
			[]string{"call_contract", "call_contract", "call_contract", "call_contract", "call_contract"}, "",
		},
		"the deposit contract fails": {
			func(m *exchange) { m.bounce(m.abort(m.dedustCreate(m.dedustCoins(40), 40, 100))) },
			[]string{"dex_deposit_liquidity", "call_contract"},
			`{"success":false,"source":"A1","destination_secondary":"A11","dex_deposit_liquidity_data":{"dex":"dedust","amount1":40,` +
				dedustTargetsRow + `}}`,
		},
		"the half in the pool's second asset came first": {
			func(m *exchange) {
				m.dedustCreate(m.dedustJettons(100), 40, 100)
				m.notify(m.mint(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100), 60))
			},
			[]string{"dex_deposit_liquidity"},
			`{"success":true,"source":"A1","destination":"A7","destination_secondary":"A11","dex_deposit_liquidity_data":{
				"dex":"dedust","amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2","amount2":40,"lp_tokens_minted":60,
				"target_asset_1":"A20","target_amount_1":40,"target_amount_2":100}}`,
		},
		"two halves in one asset": {
			func(m *exchange) {
				m.dedustCreate(m.dedustCoins(40), 40, 100)
				m.notify(m.mint(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100), 60))
			},
			[]string{"dex_deposit_liquidity", "dex_deposit_liquidity"}, "",
		},
		"cancelled by the owner in a separate trace": {
			func(m *exchange) {
				m.dedustReturn(m.send(m.root, atDeposit, 100, withQueryID(0x166cedee).EndCell()), 40, 0)
			},
			[]string{"call_contract", "call_contract", "call_contract", "ton_transfer"}, "",
		},
	})
}

// abort makes a transaction fail.
func (b *builder) abort(tx *action.Transaction) *action.Transaction {
	tx.Aborted, tx.ExitCode = true, 9
	return tx
}

// bounce adds the bounced message of a transaction.
func (b *builder) bounce(tx *action.Transaction) *action.Transaction {
	back := b.send(tx, tx.In.Source.ID[0], tx.In.Value.Int64(), op(0xffffffff).EndCell())
	back.In.Bounced = true
	return back
}

// toncoBurn adds the burning of a position and returns the transaction of the pool.
func (m *exchange) toncoBurn() *action.Transaction {
	request := withQueryID(0x530b5f2c).MustStoreUInt(33, 64).MustStoreUInt(0, 64).MustStoreUInt(60, 64).
		MustStoreUInt(1<<24-10, 24).MustStoreUInt(10, 24)
	item := m.send(m.send(m.root, atPool, 900, request.EndCell()), atDeposit, 800, withQueryID(0x46ca335a).EndCell())
	return m.send(item, atPool, 700, withQueryID(0xd73ac09d).EndCell())
}

// toncoPays adds a pool's request for a payment of both assets, with the router's wallets in the order of the pool.
func (m *exchange) toncoPays(pool *action.Transaction, code uint64, amounts [2]uint64, wallets [2]byte) *action.Transaction {
	sides := to(to(cell.BeginCell().MustStoreCoins(amounts[0]), wallets[0]).MustStoreCoins(amounts[1]), wallets[1])
	body := to(withQueryID(0xa1daa96d), atTrader, atTrader).MustStoreUInt(code, 32).MustStoreUInt(3, 64)
	return m.send(pool, atRouter, 700, ref(body.MustStoreBoolBit(true), sides).MustStoreBoolBit(false).EndCell())
}

func TestToncoWithdraw_SidesFollowThePool(t *testing.T) {
	t.Parallel()
	row := func(success, sides string) string {
		return `{"success":` + success + `,"source":"A1","destination":"A7","dex_withdraw_liquidity_data":{"dex":"tonco",` + sides + `,
			"lp_tokens_burnt":60,"burned_nft_index":33,"burned_nft_address":"A11","tick_lower":-10,"tick_upper":10}}`
	}
	const (
		firstPaid   = `"amount1":40,"asset1_out":"A20","dex_jetton_wallet_1":"A5","dex_wallet_1":"A4","user_jetton_wallet_1":"A2"`
		firstUnpaid = `"amount1":0,"asset1_out":"A20","dex_jetton_wallet_1":"A5","dex_wallet_1":"A7","user_jetton_wallet_1":"A1"`
		nextPaid    = `"amount2":100,"asset2_out":"A21","dex_jetton_wallet_2":"A6","dex_wallet_2":"A4","user_jetton_wallet_2":"A3"`
		nextUnpaid  = `"amount2":0,"asset2_out":"A21","dex_jetton_wallet_2":"A6","dex_wallet_2":"A7","user_jetton_wallet_2":"A1"`
	)
	jettons := [2]byte{atRouterA, atRouterB}
	requireTransitions(t, map[string]transition{
		"both sides": {
			func(m *exchange) {
				paying := m.toncoPays(m.toncoBurn(), 201, [2]uint64{40, 100}, jettons)
				m.move(paying, atRouterB, atTraderB, atTrader, 100, nil) // the order of the payments is not that of the pool
				m.move(paying, atRouterA, atTraderA, atTrader, 40, nil)
			},
			[]string{"dex_withdraw_liquidity"}, row("true", firstPaid+","+nextPaid),
		},
		"the first side alone": {
			func(m *exchange) {
				paying := m.toncoPays(m.toncoBurn(), 201, [2]uint64{40, 0}, jettons)
				m.move(paying, atRouterA, atTraderA, atTrader, 40, nil)
			},
			[]string{"dex_withdraw_liquidity"}, row("true", firstPaid+","+nextUnpaid),
		},
		"the second side alone": {
			func(m *exchange) {
				paying := m.toncoPays(m.toncoBurn(), 201, [2]uint64{0, 100}, jettons)
				m.move(paying, atRouterB, atTraderB, atTrader, 100, nil)
			},
			[]string{"dex_withdraw_liquidity"}, row("true", firstUnpaid+","+nextPaid),
		},
		"Jettons alone, of a pool with TON": {
			func(m *exchange) {
				paying := m.toncoPays(m.toncoBurn(), 201, [2]uint64{0, 100}, [2]byte{atProxy, atRouterB})
				m.move(paying, atRouterB, atTraderB, atTrader, 100, nil)
			},
			[]string{"dex_withdraw_liquidity"},
			row("true", `"amount1":0,"dex_wallet_1":"A7","user_jetton_wallet_1":"A1",`+nextPaid),
		},
		"refused by the pool, nothing paid": {
			func(m *exchange) { m.toncoPays(m.toncoBurn(), 202, [2]uint64{0, 0}, jettons) },
			[]string{"dex_withdraw_liquidity"}, row("false", firstUnpaid+","+nextUnpaid),
		},
		"refused by the item": {
			func(m *exchange) {
				item := m.send(m.send(m.root, atPool, 900, withQueryID(0x530b5f2c).EndCell()), atDeposit, 800, withQueryID(0x46ca335a).EndCell())
				item.Aborted = true
				m.bounce(item)
			},
			[]string{"call_contract", "call_contract", "call_contract"}, "",
		},
	})
}

func TestToncoSwap_MinimumIsOfItsOwnOrder(t *testing.T) {
	t.Parallel()
	// The minimum of the first pool is 40 of the Jetton between, the minimum of the swap 80 of the last one.
	order := func(m *exchange, first, last uint64, wrapped bool) *cell.Builder {
		m.r.wallets[account(15)] = &action.JettonWallet{Owner: account(atRouter), Jetton: account(jettonLP)}
		step := func(wallet byte, least uint64) *cell.Builder {
			return to(to(op(0xa7fb58f8), wallet).MustStoreUInt(0, 160).MustStoreCoins(least), atTrader)
		}
		more := step(atRouterB, last).MustStoreBoolBit(false)
		if wrapped {
			more = ref(to(cell.BeginCell(), atRouter).MustStoreCoins(1).MustStoreCoins(0), more)
		}
		return ref(step(15, first).MustStoreBoolBit(true), more)
	}
	coins := func(asset, least string) string {
		return `{"success":false,"source":"A1","destination":"A1","asset2":"` + asset + `","jetton_swap_data":{"dex":"tonco","sender":"A1",
			"min_out_amount":` + least + `,"dex_incoming_transfer":{"amount":100,"source":"A1","destination":"A4","destination_jetton_wallet":"A9"},
			"dex_outgoing_transfer":{"amount":100,"source":"A4","destination":"A1"}}}`
	}
	pay := func(m *exchange, pool *action.Transaction, code uint64, wallet byte, amount uint64) *action.Transaction {
		return m.toncoPays(pool, code, [2]uint64{0, amount}, [2]byte{atPool, wallet})
	}
	requireTransitions(t, map[string]transition{
		// Published rows have the order only of coins: a rejected payment in Jettons has what was returned.
		"refused by the first of two pools": {
			func(m *exchange) {
				router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order(m, 40, 80, false))
				paying := pay(m, m.toncoPool(router, atPool, 100, 40), 230, atRouterA, 100)
				m.move(paying, atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"jetton_swap"}, withLeast(strings.Replace(refusedAB("tonco", "A2"), `"asset2":"A21"`, `"asset2":"A20"`, 1), "100"),
		},
		"coins refused by the first of two pools": {
			func(m *exchange) {
				pool := m.toncoPool(m.payCoins(m.root, 100, order(m, 40, 80, false)), atPool, 100, 40)
				m.giveCoins(pay(m, pool, 230, atProxy, 100), atTrader, 100)
			},
			[]string{"jetton_swap"}, coins("A21", "80"),
		},
		// The second step is in a payload for the router, which published rows do not read.
		"coins refused by the first of two pools, the second in a payload": {
			func(m *exchange) {
				pool := m.toncoPool(m.payCoins(m.root, 100, order(m, 40, 80, true)), atPool, 100, 40)
				m.giveCoins(pay(m, pool, 230, atProxy, 100), atTrader, 100)
			},
			[]string{"jetton_swap"}, coins("A22", "40"),
		},
		"refused by the second of two pools": {
			func(m *exchange) {
				m.r.wallets[account(16)] = &action.JettonWallet{Owner: account(atTrader), Jetton: account(jettonLP)}
				router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, order(m, 40, 80, true))
				paying := pay(m, m.toncoPool(router, atPool, 100, 40), 200, 15, 50)
				router = m.move(paying, 15, 15, atRouter, 50, toncoOrder(atRouterB, nil))
				paying = pay(m, m.toncoPool(router, atPool2, 50, 80), 230, 15, 50)
				m.move(paying, 15, 16, atTrader, 50, nil)
			},
			[]string{"jetton_swap"},
			`{"success":false,"source":"A1","source_secondary":"A2","destination":"A1","destination_secondary":"A16","asset":"A20",
				"asset2":"A22","jetton_swap_data":{"dex":"tonco","sender":"A1","min_out_amount":50,
				"dex_incoming_transfer":{"asset":"A20","amount":100,"source":"A1","source_jetton_wallet":"A2","destination":"A4",
					"destination_jetton_wallet":"A5"},
				"dex_outgoing_transfer":{"asset":"A22","amount":50,"source":"A4","source_jetton_wallet":"A15","destination":"A1",
					"destination_jetton_wallet":"A16"},
				"peer_swaps":[{"asset_in":"A20","amount_in":100,"asset_out":"A22","amount_out":50}]}}`,
		},
		"a pool that sends nothing": {
			func(m *exchange) {
				router := m.move(m.root, atTraderA, atRouterA, atRouter, 100, toncoOrder(atRouterB, nil))
				m.toncoPool(router, atPool, 100, 80).Aborted = true
			},
			[]string{"jetton_transfer", "call_contract"}, "",
		},
	})
}

func TestCoffeeDeposit_EveryRefusalReturnsInTheAction(t *testing.T) {
	t.Parallel()
	depository := func(m *exchange) *action.Transaction {
		vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
		body := ref(ref(to(withQueryID(0xc0ffee27).MustStoreCoins(100), atTrader), cell.BeginCell()), coffeePoolOf(jettonA, jettonB))
		return m.send(m.send(vault, atVault, 600, body.EndCell()), atDeposit, 500, withQueryID(0xc0ffee22).EndCell())
	}
	row := func(pool, back string) string {
		if back != "" {
			back = `,"vault_excesses":[` + back + `]`
		}
		return `{"success":false,"source":"A1",` + pool + `"destination_secondary":"A11","dex_deposit_liquidity_data":{"dex":"coffee",
			"amount1":100,"asset1":"A20","user_jetton_wallet_1":"A2","target_asset_1":"A20","target_asset_2":"A21"` + back + `}}`
	}
	const backA = `{"asset":"A20","amount":100}`
	requireTransitions(t, map[string]transition{
		"refused by the pool, both assets come back": {
			func(m *exchange) {
				pool := m.send(depository(m), atPool, 400, withQueryID(0xc0ffee29).EndCell())
				m.log(pool, withQueryID(0xc0ffee34).EndCell())
				m.move(m.coffeePay(pool, 100, jettonA, jettonB), atRouterA, atTraderA, atTrader, 100, nil)
				m.move(m.coffeePay(pool, 50, jettonA, jettonB), atRouterB, atTraderB, atTrader, 50, nil)
			},
			[]string{"dex_deposit_liquidity"}, row(`"destination":"A7",`, backA+`,{"asset":"A21","amount":50}`),
		},
		"the pool fails": {
			func(m *exchange) {
				m.bounce(m.abort(m.send(depository(m), atPool, 400, withQueryID(0xc0ffee29).EndCell())))
			},
			[]string{"dex_deposit_liquidity"}, row(`"destination":"A7",`, ""),
		},
		"the depository fails": {
			func(m *exchange) { m.bounce(m.abort(depository(m))) },
			[]string{"dex_deposit_liquidity"}, row("", ""),
		},
		"returned by a depository that has the asset already": {
			func(m *exchange) {
				m.move(m.coffeePay(depository(m), 100, jettonA, jettonB), atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"dex_deposit_liquidity"}, row("", backA),
		},
		"refused by the vault at once": {
			func(m *exchange) {
				vault := m.move(m.root, atTraderA, atRouterA, atRouter, 100, op(0xc0ffee12))
				m.move(vault, atRouterA, atTraderA, atTrader, 100, nil)
			},
			[]string{"jetton_transfer", "jetton_transfer"}, "",
		},
	})
}

// Every message of a recorded trace, and of a damaged one, belongs to one top action.
func TestRecordedTraces_EveryMessageHasOneOwner(t *testing.T) {
	t.Parallel()
	const rounds = 6
	r := rand.New(rand.NewPCG(17, 4))
	for _, name := range traceFiles(t) {
		for round := range rounds {
			trace, records := readTrace(t, name)
			if round > 0 {
				for _, tx := range trace.Transactions {
					damage(r, tx)
				}
			}
			requireOwners(t, trace, records)
			requireOwners(t, trace, allRecords{})
		}
	}
}

// The same for random traces, in which the messages of many kinds are mixed.
func TestRandomTrees_EveryMessageHasOneOwner(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		requireOwners(t, randomTrace(randomBytes(seed+1000, 60+int(seed)*16)), allRecords{})
	}
}

// Each transaction of a route fails in turn.
func TestRoutedSwaps_FailureAtAnyHopCountsNothingTwice(t *testing.T) {
	t.Parallel()
	all := traders()
	order := [3]trader{all[0], all[1], all[3]}
	for i := range route(order, 0).trace.Transactions {
		m := route(order, 0)
		cut(m.trace, i)
		requireOwners(t, m.trace, m.r)
		actions, err := action.Classify(m.trace, m.r)
		require.NoError(t, err)
		require.NotEmpty(t, actions)
	}
}

// cut makes the i-th transaction fail and removes the transactions that it caused.
func cut(trace *action.Trace, i int) {
	failed := trace.Transactions[i]
	failed.Aborted, failed.ExitCode = true, 9
	gone := map[chain.Hash]bool{}
	for _, m := range failed.Out {
		gone[m.Hash] = true
	}
	failed.Out = nil
	trace.Transactions = slices.DeleteFunc(trace.Transactions, func(tx *action.Transaction) bool {
		if tx.In == nil || !gone[tx.In.Hash] {
			return false
		}
		for _, m := range tx.Out {
			gone[m.Hash] = true
		}
		return true
	})
}

// Recorded traces are cut at many transactions: every remaining message has one owner, and no kind fails.
func TestRecordedTraces_CutTracesHaveOneOwnerPerMessage(t *testing.T) {
	t.Parallel()
	for _, name := range traceFiles(t) {
		recorded, _ := readTrace(t, name)
		const maxCuts = 24 // places at which a trace is cut
		for i := 0; i < len(recorded.Transactions); i += 1 + len(recorded.Transactions)/maxCuts {
			trace, records := readTrace(t, name)
			cut(trace, i)
			requireOwners(t, trace, records)
			actions, err := action.Classify(trace, records)
			require.NoError(t, err, "%s at %d", name, i)
			require.NotEmpty(t, actions)
		}
	}
}

// Contracts send their messages in any order; the actions are the same.
func TestSiblings_OrderOfSendingDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 1))
	build := func() *exchange {
		m := newExchange()
		m.dedustCreate(m.dedustCoins(40), 40, 100)
		pool := m.dedustAll(m.dedustCreate(m.dedustJettons(100), 40, 100), 40, 100)
		m.dedustReturn(m.reject(pool), 40, 100)
		return m
	}
	want := build().rows(t, "dex_deposit_liquidity")
	require.Len(t, want, 1)
	for range 40 {
		m := build()
		for _, tx := range m.trace.Transactions[1:] { // the halves keep their order: the first one is the one that waited
			times := slices.Clone(tx.Out)
			r.Shuffle(len(times), func(i, j int) { times[i], times[j] = times[j], times[i] })
			lts := map[*action.Message]uint64{}
			for i, msg := range tx.Out {
				lts[times[i]] = *msg.CreatedLT
			}
			for msg, lt := range maps.All(lts) {
				msg.CreatedLT = new(lt)
			}
		}
		got := m.rows(t, "dex_deposit_liquidity")
		require.Len(t, got, 1)
		require.ElementsMatch(t, strings.Split(want[0], ""), strings.Split(got[0], ""), "equal values, the excesses in any order")
		m.requireKinds(t, "dex_deposit_liquidity")
	}
}

// A trace with more than two deposits for one deposit contract has each of them as an action, those of other contracts, too.
func TestDedustDeposit_NoneAreJoinedBesideThreeHalves(t *testing.T) {
	t.Parallel()
	pair := func(m *exchange, at byte) {
		one := func(paid *action.Transaction) *action.Transaction {
			tx := m.dedustCreate(paid, 40, 100)
			tx.Account, tx.In.Destination = account(at), &tx.Account
			return tx
		}
		one(m.dedustCoins(40))
		m.notify(m.mint(m.dedustAll(one(m.dedustJettons(100)), 40, 100), 60))
	}
	m := newExchange()
	pair(m, 15)
	m.requireKinds(t, "dex_deposit_liquidity")
	pair(m, 16)
	m.requireKinds(t, "dex_deposit_liquidity", "dex_deposit_liquidity")
	m.dedustCreate(m.dedustCoins(40), 40, 100).Account = account(16)
	for _, tx := range m.trace.Transactions {
		if tx.Account == account(16) {
			to := tx.Account
			tx.In.Destination = &to
		}
	}
	m.requireKinds(t, "dex_deposit_liquidity", "dex_deposit_liquidity", "dex_deposit_liquidity", "dex_deposit_liquidity", "dex_deposit_liquidity")
}

// A completed deposit has the wallet that paid only if it has a record for the paid Jetton.
func TestDedustDeposit_WalletNeedsItsRecord(t *testing.T) {
	t.Parallel()
	m := newExchange()
	delete(m.r.wallets, account(atTraderB))
	delete(m.r.wallets, account(atTraderA))
	m.notify(m.mint(m.dedustAll(m.dedustCreate(m.dedustJettons(100), 40, 100), 40, 100), 60))
	rows := m.rows(t, "dex_deposit_liquidity")
	require.Len(t, rows, 1)
	require.NotContains(t, rows[0], "user_jetton_wallet_1")
	require.Contains(t, rows[0], `"amount1":100`)
}
