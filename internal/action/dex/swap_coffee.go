package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of swap.coffee's swaps.
const (
	opCoffeeSwap         = 0xc0ffee00
	opCoffeeSwapPool     = 0xc0ffee20
	opCoffeePayFrom      = 0xc0ffee21
	opCoffeePayout       = 0xc0ffee32
	opCoffeeNotification = 0xc0ffee36
	logCoffeeSwap        = 0xc0ffee30
	logCoffeeSwapFails   = 0xc0ffee31
)

func init() {
	action.Register(action.Spec{Kind: typeSwap, Phase: 66, Match: action.Call(opCoffeeSwapPool), Build: buildCoffeeSwap})
}

// buildCoffeeSwap follows the swap from pool to pool. A pool that swapped has written a log; a pool that rejected the swap
// returns its input.
func buildCoffeeSwap(_ *action.Context, m *action.Match) *action.Result {
	s, with := swap{dex: dexCoffee}, chained{before: paidBy(m.Start)}
	if with.before != nil {
		s.in = swapped(with.before).Outgoing
	} else if !coffeeOrder(m, &s.in) {
		return nil
	}
	var pay, last *action.Block
	for hop, n := m.Start, 0; hop != nil; n++ {
		if last = hop; n == maxHops {
			return nil
		}
		if log := hop.NextLog(logCoffeeSwap); log != nil {
			made, ok := parseCoffeeSwap(log)
			if !ok {
				return nil
			}
			m.Take(log)
			s.hops = append(s.hops, made)
		} else {
			s.failed = true
		}
		m.Take(hop)
		pay = hop.NextCall(opCoffeePayFrom)
		hop = hop.NextCall(opCoffeeSwapPool)
	}
	if pay == nil {
		return nil
	}
	if out, parts := coffeePayout(pay); parts != nil {
		m.Take(parts...)
		s.out = out
		// Without a separate payout, the coins are in the notification to another exchange; published rows have its value
		// and source.
		if notification := parts[len(parts)-1]; notification.Calls(opCoffeeNotification) {
			s.out.Amount, s.out.Source = notification.Msg.Value, notification.From()
		}
	} else if with.after = paidInto(pay); with.after != nil {
		m.Take(pay)
		s.out = swapped(with.after).Incoming
	} else {
		return nil
	}
	for i := range s.hops {
		s.hops[i].AssetOut = s.out.Asset
		if i+1 < len(s.hops) {
			s.hops[i].AssetOut = s.hops[i+1].AssetIn
		}
	}
	if s.failed && coffeeLast(last) {
		s.wanted = coffeeOther(pay, s.out.Asset)
	}
	s.join(m, with)
	return s.result()
}

// coffeeOrder takes the payment before the first pool: coins to the vault, or Jettons.
func coffeeOrder(m *action.Match, in *Transfer) bool {
	order := m.Start.Prev
	switch {
	case order == nil:
		return false
	case order.Calls(opCoffeeSwap):
		l := order.Body()
		l.Uint(64)
		*in = Transfer{Amount: l.Coins(), Source: order.From(), Destination: order.Account()}
	case order.Type == "jetton_transfer":
		*in = received(order)
	default:
		return false
	}
	m.Take(order)
	return true
}

// parseCoffeeSwap reads the log of a pool: query id, input asset, and both amounts. The next step has the output asset. It returns false
// for an extra currency, which rows cannot name.
func parseCoffeeSwap(log *action.Block) (made PeerSwap, ok bool) {
	l := log.Body()
	l.Uint(64)
	made.AssetIn, ok = coffeeCurrency(l)
	made.AmountIn, made.AmountOut = l.Coins(), l.Coins()
	return made, ok
}

// coffeeAsset reads an asset; nil is TON, or an extra currency.
func coffeeAsset(l *contract.Loader) *chain.Address {
	asset, _ := coffeeCurrency(l)
	return asset
}

// coffeeCurrency reads an asset; nil is TON. Tag 00 is TON, 01 a Jetton (workchain and hash), 10 an extra currency, for which it returns
// false.
func coffeeCurrency(l *contract.Loader) (asset *chain.Address, ok bool) {
	switch l.Uint(2) {
	case 1:
		return &chain.Address{Workchain: int32(int8(l.Uint(8))), ID: l.Hash()}, true
	case 2:
		l.Uint(32)
		return nil, false
	}
	return nil, true
}

// coffeeLast reports whether a pool was the last of the route. The body has query id, amount, optional asset, minimum
// amount, and an optional next step, which has only a pool.
func coffeeLast(pool *action.Block) bool {
	l := pool.Body()
	l.Uint(64)
	l.Coins()
	if l.Bool() {
		coffeeAsset(l)
	}
	l.Coins()
	return l.MaybeRef() == nil
}

// coffeePayAmount reads the payment order to a vault: query id, receiver, amount, and an optional notification; the last
// reference proves the sender.
func coffeePayAmount(pay *action.Block) *big.Int {
	l := pay.Body()
	l.Uint(64)
	l.Address()
	return l.Coins()
}

// coffeePayout returns the payment of a vault for a pool: coins, with the pool as source, or Jettons. parts are its blocks;
// nil without a payment, or for one in an extra currency.
func coffeePayout(pay *action.Block) (out Transfer, parts []*action.Block) {
	if paid := pay.NextOf("jetton_transfer"); paid != nil {
		return transferred(paid), []*action.Block{pay, paid}
	}
	coins := firstOf(pay.NextCall(opCoffeePayout), pay.NextCall(opCoffeeNotification))
	if coins == nil || len(coins.Msg.Extra) > 0 {
		return Transfer{}, nil
	}
	return Transfer{Amount: coffeePayAmount(pay), Source: pay.From(), Destination: coins.Account()}, []*action.Block{pay, coins}
}

// coffeeOther returns the other asset of the pool that ordered a payment; nil when the proof does not contain it. The proof
// has its factory, the tag 01 and its two assets.
func coffeeOther(pay *action.Block, asset *chain.Address) *chain.Address {
	body := pay.Msg.Body.Cell()
	if body == nil || body.RefsNum() == 0 {
		return nil
	}
	proof, err := body.PeekRef(int(body.RefsNum()) - 1)
	if err != nil {
		return nil
	}
	l := contract.Load(proof)
	l.Address()
	tag, first, second := l.Uint(2), coffeeAsset(l), coffeeAsset(l)
	switch {
	case l.Err() != nil || tag != 1:
		return nil
	case equal(first, asset):
		return second
	}
	return first
}
