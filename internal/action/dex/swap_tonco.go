package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
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
	action.Register(action.Spec{Kind: typeSwap, Phase: 22, Match: action.Call(opToncoSwap), Build: buildToncoSwap})
}

// buildToncoSwap follows the swap from pool to pool: the router pays itself, with the order for the next pool. The route ends at the
// payment for a pool that does not pay.
func buildToncoSwap(c *action.Context, m *action.Match) *action.Result {
	in, parts := swapIn(m.Start)
	if parts == nil {
		return nil
	}
	m.Take(parts...)
	s, with := swap{dex: dexTonco, in: in}, chained{before: paidBy(m.Start)}
	payment := m.Start.Prev
	if payment == with.before {
		payment = lastPayment(payment)
	}
	route := publishedSteps(payment, with.before != nil)
	hop := PeerSwap{AssetIn: in.Asset, AmountIn: in.Amount}
	for pool, n := m.Start, 0; pool != nil; n++ {
		pay := pool.NextCall(opToncoPay)
		if pay == nil || n == maxHops {
			return nil
		}
		paid := toncoPayment(pay, hop.AssetIn)
		if with.after = paidInto(pay); with.after == nil && paid == nil {
			return nil
		} else if with.after != nil {
			m.Take(pool, pay)
			hop.AssetOut, hop.AmountOut = swapped(with.after).Incoming.Asset, swapped(with.after).Incoming.Amount
			s.hops = append(s.hops, hop)
			break
		}
		s.out, parts = payOut(paid)
		m.Take(pool, pay)
		m.Take(parts...)
		hop.AssetOut, hop.AmountOut = s.out.Asset, s.out.Amount
		if code := parseToncoPay(pay).code; code != toncoPlain && code != toncoDone {
			s.failed = true
		} else {
			s.hops = append(s.hops, hop)
		}
		if with.after = paidInto(paid); with.after != nil {
			break
		}
		hop = PeerSwap{AssetIn: hop.AssetOut, AmountIn: hop.AmountOut}
		pool = afterPayOut(m, paid, parts, opToncoSwap, toncoPays)
		s.routed = s.routed || pool != nil
	}
	var last toncoStep
	if len(route) > 0 {
		last = route[len(route)-1]
	}
	s.wanted = wantedAsset(c, last.wallet, s.out.Asset)
	s.join(m, with)
	// Published rows have the output as the minimum, except for a failed swap: there it is the minimum of the last step of
	// the order, not of a pool before, if the step's wallet has a record.
	if s.dex == dexTonco && s.failed && last.wallet != nil && c.Records.JettonWallet(*last.wallet) != nil {
		s.minOut = last.least
	}
	return s.result()
}

// toncoPays reports whether a pool ordered a payment that the router executed.
func toncoPays(pool *action.Block) bool {
	pay := pool.NextCall(opToncoPay)
	return pay != nil && (pay.NextOf(typeJettonTransfer) != nil || paidInto(pay) != nil)
}

// toncoPayment returns the payment for a hop. A pool that stops at the price limit also returns the rest of its input.
func toncoPayment(pay *action.Block, paidIn *chain.Address) *action.Block {
	for _, b := range pay.Next {
		if b.Type != "jetton_transfer" {
			continue
		}
		if out, _ := payOut(b); !equal(out.Asset, paidIn) {
			return b
		}
	}
	return pay.NextOf("jetton_transfer")
}

// toncoPay is the payment order of a pool to its router: query id, receivers of both assets, exit code, a sequence number of
// the pool, and an optional reference with amount and router's wallet of both.
type toncoPay struct {
	code      uint64
	receivers [2]*chain.Address
	amounts   [2]*big.Int
	wallets   [2]*chain.Address
}

func parseToncoPay(b *action.Block) toncoPay {
	l := b.Body()
	l.Uint(64)
	p := toncoPay{receivers: [2]*chain.Address{l.Address(), l.Address()}}
	p.code = l.Uint(32)
	l.Uint(64)
	more := contract.Load(l.MaybeRef())
	for i := range p.amounts {
		p.amounts[i], p.wallets[i] = more.Coins(), more.Address()
	}
	return p
}

// publishedSteps returns the steps of the order in a payment as published rows have them: only those of an order that came with coins, and
// only while each step directly contains the next one. The order behind the payment of another exchange is complete.
func publishedSteps(payment *action.Block, routed bool) []toncoStep {
	steps := toncoRoute(toncoOrder(payment))
	if routed {
		return steps
	}
	if payment == nil || !payment.Calls(opNotification) {
		return nil
	}
	for i, s := range steps {
		if s.wrapped {
			return steps[:i]
		}
	}
	return steps
}

// toncoOrder returns the payload of a payment.
func toncoOrder(paid *action.Block) *cell.Cell {
	if paid == nil {
		return nil
	}
	if d := action.JettonTransferOf(paid); d != nil {
		return d.ForwardCell
	}
	if paid.Calls(opNotification) {
		return notificationPayload(paid)
	}
	return nil
}

// toncoStep is the step of an order for one pool: the router's wallet of the requested asset, and its minimum amount.
type toncoStep struct {
	wallet  *chain.Address
	least   *big.Int
	wrapped bool // in a payload for the receiver of the step before
}

// toncoRoute returns the steps of an order: opcode, wallet, 160 bits of a price limit, minimum amount, receiver, and an
// optional reference to the payload for the receiver, which is the next order or has it as its first reference.
func toncoRoute(order *cell.Cell) (steps []toncoStep) {
	wrapped := false
	for range maxHops {
		l := contract.Load(order)
		if l.Uint(32) != opToncoSwap {
			return steps
		}
		step := toncoStep{wallet: l.Address(), wrapped: wrapped}
		l.BigUint(160)
		if step.least = l.Coins(); l.Err() != nil {
			return steps
		}
		if step.wallet != nil {
			steps = append(steps, step)
		}
		l.Address()
		more := l.MaybeRef()
		if l.Err() != nil || more == nil {
			return steps
		}
		if order = more; contract.Load(more).Uint(32) != opToncoSwap {
			if more.RefsNum() == 0 {
				return steps
			}
			order, wrapped = contract.Load(more).Ref(), true
		}
	}
	return steps
}
