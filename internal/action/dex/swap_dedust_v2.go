package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// logDedustV2Swap is the log that a pool writes for a swap.
const logDedustV2Swap = 0x78e79ba4

func init() {
	swapped := func() *action.Pattern { return action.Log(logDedustV2Swap) }
	action.Register(action.Spec{
		Kind: typeSwap, Phase: 23, Match: action.Call(opDedustV2Pay).Then(swapped()), Build: buildDedustV2Swap,
	})
	action.Register(action.Spec{
		Kind: typeSwap, Phase: 24, Match: action.Is(typeJettonTransfer).Then(swapped()), Build: buildDedustV2Swap,
	})
	action.Register(action.Spec{
		Kind: typeSwap, Phase: 25, Match: action.Call(opDedustV2Pay).Then(action.Call(opDedustV2Payout).As("back")), Build: buildDedustV2Refused,
	})
	action.Register(action.Spec{
		Kind: typeSwap, Phase: 26,
		Match: action.Where(func(b *action.Block) bool {
			return b.Type == typeJettonTransfer && dedustV2Order(b, opDedustV2SwapPayload) != nil
		}).
			Of(typeJettonTransfer).Then(action.Is(typeJettonTransfer).As("back")),
		Build: buildDedustV2Refused,
	})
}

// buildDedustV2Swap follows the swap from pool to pool. Each pool writes a log with the exact amounts, and pays the next
// pool or the receiver.
func buildDedustV2Swap(_ *action.Context, m *action.Match) *action.Result {
	order := dedustV2Order(m.Start, opDedustV2SwapPayload)
	if order == nil || m.Start.Prev.NextLog(logDedustV2Swap) != nil {
		return nil // a payment for something else, or by the pool before
	}
	s := swap{dex: dexDedustV2, in: dedustV2Paid(m.Start), minOut: dedustV2MinOut(order)}
	asset := s.in.Asset
	pool := m.Start
	for n := 0; ; n++ {
		made, ok := parseDedustV2Swap(pool.NextLog(logDedustV2Swap))
		if !ok || n == maxHops {
			return nil
		}
		m.Take(pool, pool.NextLog(logDedustV2Swap))
		takeExcess(m, pool)
		made.AssetIn = asset
		paid := dedustV2Continued(pool)
		if paid == nil {
			return nil
		}
		t := dedustV2Paid(paid)
		made.AssetOut, asset = t.Asset, t.Asset
		s.hops = append(s.hops, made)
		m.Take(paid)
		if paid.NextLog(logDedustV2Swap) == nil {
			s.out = t
			return dedustV2Swapped(&s, paid)
		}
		pool = paid
	}
}

// dedustV2Swapped returns the swap with the payment that ends it; nil if that is an order to a pool that did not swap, such as a deposit.
func dedustV2Swapped(s *swap, paid *action.Block) *action.Result {
	if paid.Calls(opDedustV2Pay) || carries(paid, opDedustV2PayPayload) {
		return nil
	}
	s.in.Amount, s.out.Amount = s.hops[0].AmountIn, s.hops[len(s.hops)-1].AmountOut
	return s.result()
}

// dedustV2Continued returns the payment with which a pool ends its part: to the next pool, which has swapped, or to the
// receiver. Nil when it paid nobody. What the receiver of the excess sends is no payment of the pool.
func dedustV2Continued(pool *action.Block) *action.Block {
	var last *action.Block
	at := dedustV2Paid(pool).Destination
	for _, n := range pool.Next {
		pays := (n.Type == typeJettonTransfer || n.Calls(opDedustV2Payout) || n.Calls(opDedustV2Pay)) && action.SameAddress(n.From(), at)
		if pays && n.NextLog(logDedustV2Swap) != nil {
			return n
		}
		if pays && last == nil {
			last = n
		}
	}
	return last
}

// parseDedustV2Swap reads the amounts in the log of a pool.
//
//	swap#78e79ba4 x_to_y:Bool amount_in:Coins amount_out:Coins initiator_address:MsgAddressInt …
func parseDedustV2Swap(log *action.Block) (PeerSwap, bool) {
	if log == nil {
		return PeerSwap{}, false
	}
	l := log.Body()
	l.Bool()
	made := PeerSwap{AmountIn: l.Coins(), AmountOut: l.Coins()}
	return made, l.Err() == nil
}

// dedustV2MinOut returns the minimum of the last step of an order, behind its opcode; nil when it cannot be read.
//
//	swap#c442500f minimal_amount_out:Coins deadline:uint40 next:(Maybe ^SwapStep) …
//	step#_ pool:MsgAddressInt minimal_amount_out:Coins deadline:uint40 next:(Maybe ^SwapStep) = SwapStep;
func dedustV2MinOut(l *contract.Loader) *big.Int {
	for range maxHops {
		least := l.Coins()
		l.Uint(40)
		next := l.MaybeRef()
		if l.Err() != nil {
			return nil
		}
		if next == nil {
			return least
		}
		l = contract.Load(next)
		l.Address()
	}
	return nil
}

// buildDedustV2Refused builds the swap that the first pool rejects: it writes no log and returns the payment to the sender.
// The order names no assets, so the requested one is in the pool's record only.
func buildDedustV2Refused(c *action.Context, m *action.Match) *action.Result {
	order := dedustV2Order(m.Start, opDedustV2SwapPayload)
	in := dedustV2Paid(m.Start)
	back := dedustV2Paid(m.Get("back"))
	if order == nil || in.Amount == nil || back.Amount == nil || m.Start.NextLog(logDedustV2Swap) != nil ||
		!action.SameAddress(back.Destination, in.Source) || !equal(back.Asset, in.Asset) || !dedustV2Failed(m.Get("back")) {
		return nil
	}
	takeExcess(m, m.Start)
	wanted := dedustV2Other(c, in)
	s := swap{
		dex: dexDedustV2, in: in, wanted: wanted, minOut: dedustV2MinOut(order), failed: true,
		out: Transfer{Asset: wanted, Amount: new(big.Int), Source: in.Destination, Destination: in.Source},
	}
	return s.result()
}

// dedustV2Failed reports whether a payment of coins has an exit code. Jettons have none.
func dedustV2Failed(back *action.Block) bool {
	if !back.Calls(opDedustV2Payout) {
		return true
	}
	l := back.Body()
	l.Uint(64)
	l.Coins()
	return l.Uint(32) != 0 && l.Err() == nil
}

// dedustV2Other returns the asset of a pool that was not paid; nil without a record of the pool.
func dedustV2Other(c *action.Context, in Transfer) *chain.Address {
	if in.Destination == nil {
		return nil
	}
	pool := c.Records.DedustPool(*in.Destination)
	if pool == nil {
		return nil
	}
	if equal(pool.Assets[0], in.Asset) {
		return pool.Assets[1]
	}
	return pool.Assets[0]
}
