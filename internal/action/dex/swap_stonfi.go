package dex

import (
	"cmp"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes and exit codes of ston.fi v1.
const (
	opStonfiSwap = 0x25938561
	opStonfiPay  = 0xf93bb43f

	stonfiDone        = 0xc64370e5
	stonfiNoLiquidity = 0x5ffe1295
	stonfiReserve     = 0x38976e9b
)

func init() {
	action.Register(action.Spec{
		Kind: typeSwap, Phase: 20,
		Match: action.Is("jetton_transfer", typeSwap).Then(action.Call(opStonfiSwap).As("pool")),
		Build: buildStonfiSwap,
	})
}

// buildStonfiSwap takes the payments of the swap. Old pools pay a referral with the code of the swap, too: that payment is a
// part of the swap. With a code of its own, the payment of a referral, and the blocks after it, are not.
func buildStonfiSwap(c *action.Context, m *action.Match) *action.Result {
	payments := stonfiPayments(m.Get("pool"))
	with := chained{before: paidBy(m.Get("pool"))}
	if len(payments) == 0 || m.Start.Type == typeSwap && with.before == nil {
		return nil
	}
	pay, paid := largestPayment(payments)
	for _, p := range payments {
		m.Take(p, p.NextOf(typeJettonTransfer))
	}
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
	// Without a record of the requested asset, published rows have the paid asset.
	wallet := cmp.Or(stonfiWanted(payment), stonfiPaidFrom(pay))
	s.wanted = s.out.Asset
	if wallet != nil {
		if w := c.Records.JettonWallet(*wallet); w != nil {
			s.wanted = &w.Jetton
		}
	}
	r := s.result()
	r.Columns.DestinationSecondary = action.AddressText(wallet)
	return r
}

// stonfiPayments returns the executed payments of a swap, without those of referrals.
func stonfiPayments(pool *action.Block) (payments []*action.Block) {
	for _, pay := range pool.Next {
		if !pay.Calls(opStonfiPay) || pay.NextOf(typeJettonTransfer) == nil {
			continue
		}
		switch stonfiCode(pay) {
		case stonfiDone, stonfiNoLiquidity, stonfiReserve:
			payments = append(payments, pay)
		}
	}
	return payments
}

// largestPayment returns the payment with the largest amount, and its transfer. There is at least one payment.
func largestPayment(payments []*action.Block) (pay, paid *action.Block) {
	for _, p := range payments {
		if t := p.NextOf(typeJettonTransfer); paid == nil || t.Columns.Amount.Cmp(paid.Columns.Amount) > 0 {
			pay, paid = p, t
		}
	}
	return pay, paid
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

// stonfiPaidFrom returns the router's wallet of the paid asset. A reference of the payment order has amount and wallet of both
// assets.
func stonfiPaidFrom(pay *action.Block) *chain.Address {
	l := pay.Body()
	l.Uint(64)
	l.Address()
	l.Uint(32)
	more := contract.Load(l.Ref())
	amount, first := more.Coins(), more.Address()
	more.Coins()
	second := more.Address()
	if amount.Sign() > 0 {
		return first
	}
	return second
}
