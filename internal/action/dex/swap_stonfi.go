package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes and exit codes of ston.fi v1.
const (
	opStonfiSwap = 0x25938561
	opStonfiPay  = 0xf93bb43f

	stonfiDone     = 0xc64370e5
	stonfiReferral = 0x45078540
)

func init() {
	action.Register(action.Spec{
		Kind: typeSwap, Phase: 20,
		Match: action.Is("jetton_transfer", typeSwap).Then(action.Call(opStonfiSwap).As("pool")),
		Build: buildStonfiSwap,
	})
}

// buildStonfiSwap takes the payment of the swap. The payment of a referral, and the blocks after it, are not part of the
// swap.
func buildStonfiSwap(c *action.Context, m *action.Match) *action.Result {
	pay := stonfiPayment(m.Get("pool"))
	with := chained{before: paidBy(m.Get("pool"))}
	if pay == nil || m.Start.Type == typeSwap && with.before == nil {
		return nil
	}
	paid := pay.NextOf("jetton_transfer")
	m.Take(pay, paid)
	s := swap{dex: dexStonfi, in: received(m.Start), out: transferred(paid), failed: stonfiCode(pay) != stonfiDone}
	if with.before != nil {
		d := swapped(with.before)
		s.hops = []PeerSwap{{
			AssetIn: d.Outgoing.Asset, AmountIn: d.Outgoing.Amount, AssetOut: s.out.Asset, AmountOut: s.out.Amount,
		}}
		s.join(m, with)
	}
	payment := m.Start
	if with.before != nil {
		payment = lastPayment(with.before)
	}
	wallet := stonfiWanted(payment)
	if wallet != nil {
		if w := c.Records.JettonWallet(*wallet); w != nil {
			s.wanted = &w.Jetton
		}
	}
	r := s.result()
	r.Columns.DestinationSecondary = action.AddressText(wallet)
	return r
}

// stonfiPayment returns the largest executed payment that is not a referral's.
func stonfiPayment(pool *action.Block) *action.Block {
	var best *action.Block
	var most *big.Int
	for _, pay := range pool.Next {
		if !pay.Calls(opStonfiPay) || stonfiCode(pay) == stonfiReferral {
			continue
		}
		if paid := pay.NextOf("jetton_transfer"); paid != nil && (most == nil || paid.Columns.Amount.Cmp(most) > 0) {
			best, most = pay, paid.Columns.Amount
		}
	}
	return best
}

// stonfiCode returns the exit code that states the purpose of a payment. The body has query id, owner, exit code.
func stonfiCode(pay *action.Block) uint64 {
	l := pay.Body()
	l.Uint(64)
	l.Address()
	return l.Uint(32)
}

// stonfiWanted returns the router's wallet of the requested asset, which is first in the payload of the payment.
func stonfiWanted(paid *action.Block) *chain.Address {
	if paid == nil {
		return nil
	}
	d := action.JettonTransferOf(paid)
	if d == nil || action.IsEmpty(d.ForwardCell) {
		return nil
	}
	l := contract.Load(d.ForwardCell)
	l.Opcode(opStonfiSwap)
	return l.Address()
}
