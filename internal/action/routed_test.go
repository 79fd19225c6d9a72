package action_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/action/dex"
	"tonql/internal/chain"
)

// stop is an exchange on a route: its router, the router's wallets of what comes in and what goes out, and its pool.
type stop struct{ router, in, out, pool, jettonIn, jettonOut byte }

// stopAt returns the accounts of the n-th exchange of a route, which swaps Jetton 60+n for the next one.
func stopAt(n byte) stop {
	at := 100 + 10*n
	return stop{at, at + 1, at + 2, at + 3, 60 + n, 61 + n}
}

// trader is an exchange on a route: order makes the payload of a payment to it, swap adds its swap and returns the
// transaction that requests a payment.
type trader struct {
	name  string
	order func(s stop) *cell.Builder
	swap  func(m *exchange, paid *action.Transaction, s stop, in, out uint64) *action.Transaction
}

func traders() []trader {
	return []trader{
		{"stonfi_v2", func(s stop) *cell.Builder { return stonfiV2Order(0x6664de2a, s.out, nil) },
			func(m *exchange, paid *action.Transaction, s stop, in, out uint64) *action.Transaction {
				pool := m.stonfiV2Pool(paid, s.pool, in, stonfiV2Order(0x6664de2a, s.out, nil))
				more := to(to(cell.BeginCell().MustStoreCoins(0).MustStoreCoins(0), s.in).MustStoreCoins(out), s.out)
				body := to(withQueryID(0x657b54f5), atTrader, atTrader, atTrader).MustStoreUInt(codeDone, 32).MustStoreBoolBit(false)
				return m.send(pool, s.router, 700, ref(body, more).EndCell())
			}},
		{"dedust", func(s stop) *cell.Builder { return dedustStep(op(0xe3a0d482), s.pool, nil) },
			func(m *exchange, paid *action.Transaction, s stop, in, out uint64) *action.Transaction {
				pool := m.dedustHop(paid, 0x61ee542d, s.pool, s.jettonIn, s.jettonOut, in, out)
				return m.send(pool, s.router, 700, to(withQueryID(0xad4eb6f5).MustStoreCoins(out), atTrader).EndCell())
			}},
		{"tonco", func(s stop) *cell.Builder { return toncoOrder(s.out, nil) },
			func(m *exchange, paid *action.Transaction, s stop, in, out uint64) *action.Transaction {
				pool := m.toncoPool(paid, s.pool, in, 1)
				amounts := to(to(cell.BeginCell().MustStoreCoins(0), s.in).MustStoreCoins(out), s.out)
				body := to(withQueryID(0xa1daa96d), atTrader, atTrader).MustStoreUInt(200, 32).MustStoreUInt(3, 64)
				return m.send(pool, s.router, 700, ref(body.MustStoreBoolBit(true), amounts).MustStoreBoolBit(false).EndCell())
			}},
		{"coffee", func(stop) *cell.Builder { return op(0xc0ffee10) },
			func(m *exchange, paid *action.Transaction, s stop, in, out uint64) *action.Transaction {
				pool := m.coffeeHop(paid, s.pool, s.jettonIn, in, out)
				proof := coffeeAsset(coffeeAsset(to(cell.BeginCell(), atDeposit).MustStoreUInt(1, 2), s.jettonIn), s.jettonOut)
				body := to(withQueryID(0xc0ffee21), atTrader).MustStoreCoins(out).MustStoreUInt(0, 2)
				return m.send(pool, s.router, 700, ref(body, proof).EndCell())
			}},
	}
}

// route makes a trace in which 100 of the first Jetton are swapped by three exchanges in turn, for 90, 80 and 70. If by
// is not zero, that account receives every payment and pays the next exchange.
func route(order [3]trader, by byte) *exchange {
	m := newExchange()
	wallet := func(at, owner, jetton byte) byte {
		m.r.wallets[account(at)] = &action.JettonWallet{Owner: account(owner), Jetton: account(jetton)}
		return at
	}
	from, payer, amount := m.root, wallet(50, atTrader, 60), uint64(100)
	for n, dex := range order {
		s := stopAt(byte(n))
		paid := m.move(from, payer, wallet(s.in, s.router, s.jettonIn), s.router, amount, dex.order(s))
		from, payer = dex.swap(m, paid, s, amount, amount-10), wallet(s.out, s.router, s.jettonOut)
		amount -= 10
		if by != 0 && n < 2 {
			through := wallet(by+1+byte(n), by, s.jettonOut)
			from, payer = m.move(from, payer, through, by, amount, op(9)), through
		}
	}
	m.move(from, payer, wallet(51, atTrader, 63), atTrader, amount, nil)
	return m
}

func swapsOf(t *testing.T, m *exchange) (swaps []*action.Action, rest []string) {
	t.Helper()
	actions, err := action.Classify(m.trace, m.r)
	require.NoError(t, err)
	for _, a := range actions {
		if a.Type == "jetton_swap" {
			swaps = append(swaps, a)
		} else {
			rest = append(rest, a.Type)
		}
	}
	return swaps, rest
}

// The routes are all of three exchanges, with different neighbors: each pays the next one directly, or an account of an
// aggregator forwards the payments.
func TestRoutedSwaps_LastExchangePays(t *testing.T) {
	t.Parallel()
	all := traders()
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				if a.name == b.name || b.name == c.name {
					continue
				}
				t.Run(a.name+" "+b.name+" "+c.name, func(t *testing.T) {
					t.Parallel()
					order := [3]trader{a, b, c}
					swaps, rest := swapsOf(t, route(order, 0))
					require.Empty(t, rest)
					require.Len(t, swaps, 1)
					s := data(t, swaps[0])
					require.True(t, swaps[0].Success)
					require.Equal(t, a.name, s.Dex)
					require.Equal(t, account(60), *s.Incoming.Asset)
					require.EqualValues(t, 100, s.Incoming.Amount.Int64())
					require.Equal(t, account(63), *s.Outgoing.Asset)
					require.EqualValues(t, 70, s.Outgoing.Amount.Int64())
					require.Equal(t, account(stopAt(2).router), *s.Outgoing.Source)
					require.Equal(t, account(atTrader), *s.Outgoing.Destination)
					require.Len(t, s.PeerSwaps, 3)
					for i, hop := range s.PeerSwaps {
						require.Equal(t, account(60+byte(i)), *hop.AssetIn, i)
						require.Equal(t, account(61+byte(i)), *hop.AssetOut, i)
						require.EqualValues(t, 100-10*i, hop.AmountIn.Int64(), i)
						require.EqualValues(t, 90-10*i, hop.AmountOut.Int64(), i)
					}

					swaps, rest = swapsOf(t, route(order, 200))
					require.Empty(t, rest)
					require.Len(t, swaps, 3)
					for i, swap := range swaps {
						s := data(t, swap)
						require.Equal(t, order[i].name, s.Dex)
						require.Equal(t, account(60+byte(i)), *s.Incoming.Asset)
						require.Equal(t, account(61+byte(i)), *s.Outgoing.Asset)
						receiver := account(200)
						if i == 2 {
							receiver = account(atTrader)
						}
						require.Equal(t, receiver, *s.Outgoing.Destination)
					}
				})
			}
		}
	}
}

func data(t *testing.T, a *action.Action) *dex.JettonSwapData {
	t.Helper()
	require.Len(t, a.Payloads, 1)
	d, ok := a.Payloads[0].(*dex.JettonSwapData)
	require.True(t, ok)
	return d
}

// One exchange pays coins to the next one, from proxy wallet to proxy wallet.
func TestRoutedSwaps_PayCoinsBetweenExchanges(t *testing.T) {
	t.Parallel()
	all := traders()
	for _, pair := range [][2]trader{{all[0], all[2]}, {all[2], all[0]}} {
		t.Run(pair[0].name+" "+pair[1].name, func(t *testing.T) {
			t.Parallel()
			m := newExchange()
			a, b := stopAt(0), stopAt(1)
			proxy, err := chain.ParseAddress(proxyJetton)
			require.NoError(t, err)
			for _, w := range [][3]byte{{a.in, a.router, 60}, {b.out, b.router, 62}, {50, atTrader, 60}, {51, atTrader, 62}} {
				m.r.wallets[account(w[0])] = &action.JettonWallet{Owner: account(w[1]), Jetton: account(w[2])}
			}
			m.r.wallets[account(a.out)] = &action.JettonWallet{Owner: account(a.router), Jetton: proxy}
			m.r.wallets[account(b.in)] = &action.JettonWallet{Owner: account(b.router), Jetton: proxy}
			paying := pair[0].swap(m, m.move(m.root, 50, a.in, a.router, 100, pair[0].order(a)), a, 100, 90)
			request := to(withQueryID(0x0f8a7ea5).MustStoreCoins(90), b.in, atTrader).MustStoreBoolBit(false).MustStoreCoins(0)
			wallet := m.send(paying, a.out, 500, request.MustStoreBoolBit(false).EndCell())
			wallet = m.send(wallet, b.in, 590, to(withQueryID(0x01f3835d).MustStoreCoins(90), atTrader).EndCell())
			notification := to(withQueryID(0x7362d09c).MustStoreCoins(90), a.out).MustStoreBoolBit(true)
			paid := m.send(wallet, b.router, 50, ref(notification, pair[1].order(b)).EndCell())
			m.move(pair[1].swap(m, paid, b, 90, 80), b.out, 51, atTrader, 80, nil)
			swaps, rest := swapsOf(t, m)
			require.Empty(t, rest)
			require.Len(t, swaps, 1)
			d := data(t, swaps[0])
			require.True(t, swaps[0].Success)
			require.Equal(t, pair[0].name, d.Dex)
			require.Equal(t, account(62), *d.Outgoing.Asset)
			require.EqualValues(t, 80, d.Outgoing.Amount.Int64())
			require.Len(t, d.PeerSwaps, 2)
			require.Nil(t, d.PeerSwaps[0].AssetOut)
			require.Nil(t, d.PeerSwaps[1].AssetIn)
			require.EqualValues(t, 90, d.PeerSwaps[0].AmountOut.Int64())
			requireOwners(t, m.trace, m.r)
		})
	}
}

// The Jetton between the exchanges is returned.
func TestRoutedSwaps_FailWithTheirLastExchange(t *testing.T) {
	t.Parallel()
	all := traders()
	for name, refuse := range map[string]func(m *exchange, paid *action.Transaction, s stop) *action.Transaction{
		"tonco": func(m *exchange, paid *action.Transaction, s stop) *action.Transaction {
			pool := m.toncoPool(paid, s.pool, 90, 1)
			sides := to(to(cell.BeginCell().MustStoreCoins(90), s.in).MustStoreCoins(0), s.out)
			body := to(withQueryID(0xa1daa96d), atTrader, atTrader).MustStoreUInt(230, 32).MustStoreUInt(3, 64)
			return m.send(pool, s.router, 700, ref(body.MustStoreBoolBit(true), sides).MustStoreBoolBit(false).EndCell())
		},
		"stonfi_v2": func(m *exchange, paid *action.Transaction, s stop) *action.Transaction {
			pool := m.stonfiV2Pool(paid, s.pool, 90, stonfiV2Order(0x6664de2a, s.out, nil))
			more := to(to(cell.BeginCell().MustStoreCoins(0).MustStoreCoins(90), s.in).MustStoreCoins(0), s.out)
			body := to(withQueryID(0x657b54f5), atTrader, atTrader, atTrader).MustStoreUInt(0x38976e9b, 32).MustStoreBoolBit(false)
			return m.send(pool, s.router, 700, ref(body, more).EndCell())
		},
		"dedust": func(m *exchange, paid *action.Transaction, s stop) *action.Transaction {
			m.r.pools[account(s.pool)] = &action.DedustPool{Assets: [2]*chain.Address{new(account(s.jettonIn)), new(account(s.jettonOut))}}
			pool := m.send(paid, s.pool, 800, withQueryID(0x61ee542d).EndCell())
			return m.send(pool, s.router, 700, to(withQueryID(0xad4eb6f5).MustStoreCoins(90), atTrader).EndCell())
		},
		"coffee": func(m *exchange, paid *action.Transaction, s stop) *action.Transaction {
			pool := m.send(paid, s.pool, 800, withQueryID(0xc0ffee20).EndCell())
			proof := coffeeAsset(coffeeAsset(to(cell.BeginCell(), atDeposit).MustStoreUInt(1, 2), s.jettonIn), s.jettonOut)
			body := to(withQueryID(0xc0ffee21), atTrader).MustStoreCoins(90).MustStoreUInt(0, 2)
			return m.send(pool, s.router, 700, ref(body, proof).EndCell())
		},
	} {
		second := all[slices.IndexFunc(all, func(d trader) bool { return d.name == name })]
		for _, first := range all {
			if first.name == name {
				continue
			}
			t.Run(first.name+" "+name, func(t *testing.T) {
				t.Parallel()
				m := newExchange()
				a, b := stopAt(0), stopAt(1)
				for _, w := range [][3]byte{
					{a.in, a.router, 60}, {a.out, a.router, 61}, {b.in, b.router, 61}, {b.out, b.router, 62}, {50, atTrader, 60}, {51, atTrader, 61},
				} {
					m.r.wallets[account(w[0])] = &action.JettonWallet{Owner: account(w[1]), Jetton: account(w[2])}
				}
				paid := m.move(m.root, 50, a.in, a.router, 100, first.order(a))
				paid = m.move(first.swap(m, paid, a, 100, 90), a.out, b.in, b.router, 90, second.order(b))
				m.move(refuse(m, paid, b), b.in, 51, atTrader, 90, nil)
				swaps, rest := swapsOf(t, m)
				require.Empty(t, rest)
				require.Len(t, swaps, 1)
				d := data(t, swaps[0])
				require.False(t, swaps[0].Success)
				require.Equal(t, account(60).String(), swaps[0].Asset)
				requested := account(62)
				if first.name == "coffee" && name == "tonco" {
					requested = account(61) // TONCO runs first, and of a payment in Jettons has what was returned
				}
				require.Equal(t, requested.String(), swaps[0].Asset2, "the requested asset")
				require.Equal(t, account(61), *d.Outgoing.Asset)
				require.EqualValues(t, 90, d.Outgoing.Amount.Int64())
				requireOwners(t, m.trace, m.r)
			})
		}
	}
}

// A route can end in ston.fi v1, which only pays its user.
func TestRoutedSwaps_MayEndInStonfi(t *testing.T) {
	t.Parallel()
	m := newExchange()
	s := stopAt(0)
	for _, w := range [][3]byte{{s.in, s.router, 60}, {s.out, s.router, jettonA}, {50, atTrader, 60}} {
		m.r.wallets[account(w[0])] = &action.JettonWallet{Owner: account(w[1]), Jetton: account(w[2])}
	}
	dedust := traders()[1]
	paid := m.move(m.root, 50, s.in, s.router, 100, dedust.order(s))
	s.jettonOut = jettonA
	paying := dedust.swap(m, paid, s, 100, 90)
	router := m.move(paying, s.out, atRouterA, atRouter, 90, stonfiOrder())
	pool := m.send(router, atPool, 800, withQueryID(0x25938561).EndCell())
	m.move(m.stonfiPay(pool, atTrader, codeDone), atRouterB, atTraderB, atTrader, 80, nil)
	swaps, rest := swapsOf(t, m)
	require.Empty(t, rest)
	require.Len(t, swaps, 1)
	d := data(t, swaps[0])
	require.EqualValues(t, 80, d.Outgoing.Amount.Int64())
	require.Equal(t, []*chain.Address{new(account(60)), new(account(jettonA))}, []*chain.Address{d.PeerSwaps[0].AssetIn, d.PeerSwaps[1].AssetIn})
}
