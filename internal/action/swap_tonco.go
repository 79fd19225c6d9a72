package action

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes and exit codes of TONCO's swaps.
const (
	opToncoSwap = 0xa7fb58f8
	opToncoPay  = 0xa1daa96d

	toncoPlain = 0
	toncoDone  = 200
	toncoBurnt = 201
)

func init() {
	Register(Spec{Kind: typeSwap, Phase: 22, Match: Call(opToncoSwap), Build: buildToncoSwap})
}

// buildToncoSwap follows the swap from pool to pool: the router pays itself, with the order for the next pool.
func buildToncoSwap(c *Context, m *Match) *Result {
	in, parts := payIn(m.Start)
	if parts == nil {
		return nil
	}
	m.take(parts...)
	s := swap{dex: dexTonco, in: in}
	s.wanted = c.realAsset(toncoWanted(m.Start))
	hop := PeerSwap{AssetIn: in.Asset, AmountIn: in.Amount}
	for pool, n := m.Start, 0; pool != nil; n++ {
		pay := pool.after(opToncoPay)
		if pay == nil || n == maxHops {
			return nil
		}
		paid := toncoAnswer(pay, hop.AssetIn)
		if paid == nil {
			return nil
		}
		s.out, parts = payOut(paid)
		m.take(pool, pay)
		m.take(parts...)
		hop.AssetOut, hop.AmountOut = s.out.Asset, s.out.Amount
		if code := parseToncoPay(pay).code; code != toncoPlain && code != toncoDone {
			s.failed = true
		} else {
			s.hops = append(s.hops, hop)
		}
		// Published rows give what came out when there were several pools, for the least is asked of each by itself.
		if s.minOut = toncoLeast(pool); len(s.hops) > 1 {
			s.minOut = s.out.Amount
		}
		hop = PeerSwap{AssetIn: hop.AssetOut, AmountIn: hop.AmountOut}
		pool = afterPayOut(m, paid, parts, opToncoSwap)
	}
	return s.result()
}

// toncoAnswer is the payment that answers a hop. A pool that stops at the limit of the price also gives back the rest of
// what it got.
func toncoAnswer(pay *Block, paidIn *chain.Address) *Block {
	for _, b := range pay.next {
		if b.Type != "jetton_transfer" {
			continue
		}
		if out, _ := payOut(b); !equal(out.Asset, paidIn) {
			return b
		}
	}
	return pay.then("jetton_transfer")
}

// toncoPay is what a pool tells its router to pay: query id, receivers of both assets, exit code, a number of the pool's,
// and perhaps a reference with amount and router's wallet of both.
type toncoPay struct {
	code    uint64
	amounts [2]*big.Int
	wallets [2]*chain.Address
}

func parseToncoPay(b *Block) toncoPay {
	l := b.body()
	l.Uint(64)
	l.Address()
	l.Address()
	p := toncoPay{code: l.Uint(32)}
	l.Uint(64)
	more := contract.Load(l.MaybeRef())
	for i := range p.amounts {
		p.amounts[i], p.wallets[i] = more.Coins(), more.Address()
	}
	return p
}

// toncoLeast is the least amount that a pool was asked for: in the first reference stand the amount to swap, 160 bits of
// a limit of the price, and the least amount.
func toncoLeast(pool *Block) *big.Int {
	l := pool.body()
	l.Uint(64)
	l.Address()
	l.Address()
	order := contract.Load(l.Ref())
	order.Coins()
	order.BigUint(160)
	least := order.Coins()
	if order.Err() != nil {
		return nil
	}
	return least
}

// toncoWanted is the router's wallet of the asset that was asked for in the end: the order that came with the payment
// names it.
func toncoWanted(pool *Block) *chain.Address {
	wallets := toncoRoute(toncoOrder(pool.prev))
	if len(wallets) == 0 {
		return nil
	}
	return wallets[len(wallets)-1]
}

// toncoOrder is the payload that a payment came with.
func toncoOrder(paid *Block) *cell.Cell {
	if d := jettonData(paid); d != nil {
		return d.payload
	}
	if paid.calls(opNotice) {
		return noticePayload(paid)
	}
	return nil
}

// toncoRoute lists the routers' wallets that an order leads through: opcode, wallet, 160 bits of a limit of the price, the
// least amount, the receiver, and perhaps a reference of which the first reference is the next order.
func toncoRoute(order *cell.Cell) (wallets []*chain.Address) {
	for range maxHops {
		l := contract.Load(order)
		if l.Uint(32) != opToncoSwap {
			return wallets
		}
		if w := l.Address(); w != nil {
			wallets = append(wallets, w)
		}
		l.BigUint(160)
		l.Coins()
		l.Address()
		more := l.MaybeRef()
		if l.Err() != nil || more == nil || more.RefsNum() == 0 {
			return wallets
		}
		order = contract.Load(more).Ref()
	}
	return wallets
}
