package dex

import (
	"cmp"
	"math/big"

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
	pay := payments[0]
	for _, p := range payments {
		if p.amount.Cmp(pay.amount) > 0 {
			pay = p
		}
		m.Take(p.order, p.paid)
	}
	s := swap{dex: dexStonfi, in: received(m.Start), out: transferred(pay.paid), failed: pay.code != stonfiDone}
	s.out.Amount = pay.amount
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
	wallet := cmp.Or(stonfiWanted(payment), pay.wallet)
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

// stonfiPayment is a payment order of a pool that the router executed: query id, owner, exit code that states the purpose, and in a
// reference amount and router's wallet of both assets, of which one is paid.
type stonfiPayment struct {
	order, paid *action.Block
	code        uint64
	amount      *big.Int
	wallet      *chain.Address
}

// stonfiPayments returns the payments of a swap, without those of referrals.
func stonfiPayments(pool *action.Block) (payments []stonfiPayment) {
	for _, order := range pool.Next {
		paid := order.NextOf(typeJettonTransfer)
		if !order.Calls(opStonfiPay) || paid == nil {
			continue
		}
		p := stonfiPayment{order: order, paid: paid}
		l := order.Body()
		l.Uint(64)
		l.Address()
		p.code = l.Uint(32)
		more := contract.Load(l.Ref())
		amount, first := more.Coins(), more.Address()
		p.amount, p.wallet = more.Coins(), more.Address()
		switch {
		case l.Err() != nil || more.Err() != nil:
			p.amount, p.wallet = paid.Columns.Amount, nil
		case amount.Sign() > 0:
			p.amount, p.wallet = amount, first
		}
		switch p.code {
		case stonfiDone, stonfiNoLiquidity, stonfiReserve:
			payments = append(payments, p)
		}
	}
	return payments
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
