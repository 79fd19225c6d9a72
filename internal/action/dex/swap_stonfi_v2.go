package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of ston.fi v2. A swap through several pools of one router is a cross swap.
const (
	opStonfiV2Swap  = 0x6664de2a
	opStonfiV2Cross = 0x69cf1a5b
	opStonfiV2Pay   = 0x657b54f5
)

func init() {
	action.Register(action.Spec{Kind: typeSwap, Phase: 21, Match: action.Call(opStonfiV2Swap), Build: buildStonfiV2Swap})
}

// buildStonfiV2Swap follows the swap from pool to pool; the pools can belong to different routers. The route ends at the payment into a
// pool that does not pay.
func buildStonfiV2Swap(c *action.Context, m *action.Match) *action.Result {
	in, parts := swapIn(m.Start)
	if parts == nil {
		return nil
	}
	m.Take(parts...)
	s, with := swap{dex: dexStonfiV2, in: in}, chained{before: paidBy(m.Start)}
	hop := PeerSwap{AssetIn: in.Asset, AmountIn: in.Amount}
	for pool, n := m.Start, 0; pool != nil; n++ {
		pay := pool.NextCall(opStonfiV2Pay)
		if pay == nil || n == maxHops {
			return nil
		}
		m.Take(pool, pay)
		p := parseStonfiV2Pay(pay)
		failed := p.code != stonfiDone
		var next *action.Block
		if paid := pay.NextOf("jetton_transfer"); paid != nil {
			s.out, parts = payOut(paid)
			m.Take(parts...)
			hop.AssetOut, hop.AmountOut = s.out.Asset, s.out.Amount
			if p.amount.Sign() > 0 { // a Jetton can take a fee from its transfer
				hop.AmountOut = p.amount
			}
			next = afterPayOut(m, paid, parts, opStonfiV2Swap, stonfiV2Pays)
		} else if next = payingCall(pay, opStonfiV2Swap, stonfiV2Pays); next != nil {
			hop.AssetOut, hop.AmountOut = realAsset(c, p.wallet), p.amount
		} else if with.after = paidInto(pay); with.after != nil {
			hop.AssetOut, hop.AmountOut = swapped(with.after).Incoming.Asset, swapped(with.after).Incoming.Amount
		} else {
			return nil
		}
		s.failed = s.failed || failed
		if !failed {
			s.hops = append(s.hops, hop)
		}
		hop = PeerSwap{AssetIn: hop.AssetOut, AmountIn: hop.AmountOut}
		pool = next
	}
	s.wanted = wantedAsset(c, stonfiV2Wanted(m.Start), s.out.Asset)
	s.join(m, with)
	return s.result()
}

// stonfiV2Pays reports whether a pool ordered a payment that its router executed, or that went to another pool of the router that pays.
func stonfiV2Pays(pool *action.Block) bool {
	for range maxHops {
		pay := pool.NextCall(opStonfiV2Pay)
		if pay == nil {
			return false
		}
		if pay.NextOf(typeJettonTransfer) != nil || paidInto(pay) != nil {
			return true
		}
		if pool = pay.NextCall(opStonfiV2Swap); pool == nil {
			return false
		}
	}
	return false
}

// afterPayOut returns the call of the next pool that follows a payment, nil without one that pays. For coins, it follows the
// notification of the proxy, which becomes a part of the match.
func afterPayOut(m *action.Match, paid *action.Block, parts []*action.Block, op uint32, pays func(*action.Block) bool) *action.Block {
	if next := payingCall(paid, op, pays); next != nil {
		return next
	}
	if len(parts) == 1 {
		return nil
	}
	notification := parts[1].NextCall(opNotification)
	if notification == nil {
		return nil
	}
	next := payingCall(notification, op, pays)
	if next != nil {
		m.Take(notification)
	}
	return next
}

// payingCall returns the call with the opcode that follows b, nil without one that pays.
func payingCall(b *action.Block, op uint32, pays func(*action.Block) bool) *action.Block {
	if next := b.NextCall(op); next != nil && pays(next) {
		return next
	}
	return nil
}

// stonfiV2Pay is the payment order of a pool to its router: query id, receiver, account for excesses, original caller, exit
// code, optional payload, and in a reference the forward amount, and amount and router's wallet of both assets, of which one
// is paid.
type stonfiV2Pay struct {
	code   uint64
	amount *big.Int
	wallet *chain.Address
}

func parseStonfiV2Pay(b *action.Block) stonfiV2Pay {
	l := b.Body()
	l.Uint(64)
	l.Address()
	l.Address()
	l.Address()
	p := stonfiV2Pay{code: l.Uint(32)}
	l.MaybeRef()
	more := contract.Load(l.Ref())
	more.Coins()
	amount0, wallet0 := more.Coins(), more.Address()
	p.amount, p.wallet = more.Coins(), more.Address()
	if amount0.Sign() > 0 {
		p.amount, p.wallet = amount0, wallet0
	}
	return p
}

// stonfiV2Wanted returns the router's wallet of the asset at the end of the route.
func stonfiV2Wanted(b *action.Block) *chain.Address {
	l := b.Body()
	l.Uint(64)
	l.Address()
	l.Coins()
	l.Coins()
	wallets := stonfiV2Route(l.Ref())
	if len(wallets) == 0 {
		return nil
	}
	return wallets[len(wallets)-1]
}

// stonfiV2Route returns the routers' wallets of an order: opcode, wallet, accounts for the rest and the excesses, deadline,
// and in a reference the minimum amount, the receiver, a forward amount and an optional next order.
func stonfiV2Route(order *cell.Cell) (wallets []*chain.Address) {
	for range maxHops {
		l := contract.Load(order)
		if op := l.Uint(32); op != opStonfiV2Swap && op != opStonfiV2Cross {
			return wallets
		}
		if w := l.Address(); w != nil {
			wallets = append(wallets, w)
		}
		l.Address()
		l.Address()
		l.Uint(64)
		more := contract.Load(l.Ref())
		more.Coins()
		more.Address()
		more.Coins()
		order = more.MaybeRef()
	}
	return wallets
}
