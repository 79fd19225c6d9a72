package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Opcodes of the liquidity of ston.fi v2. A pool has a contract for each user, which waits for both assets.
const (
	opStonfiV2Provide  = 0x37c096df
	opStonfiV2Add      = 0x50c6a654
	opStonfiV2Added    = 0x06ecd527
	opStonfiV2Burnt    = 0x297437cf
	opStonfiV2RefundMe = 0x132b9a2c
	opStonfiV2Refund   = 0x0f98e2b8

	phaseStonfiV2Deposits = 94
)

func init() {
	action.Register(action.Spec{
		Kind: kindDeposit, Phase: 46,
		Match: action.Call(opStonfiV2Provide).Then(action.Call(opStonfiV2Add).As("account").Then(
			action.Call(opStonfiV2Added).As("pool").Then(action.Either(
				action.Call(jetton.OpInternalTransfer).As("lp"),
				action.Call(opStonfiV2Add).As("refused"),
				action.Call(opStonfiV2Pay).As("returned"),
			).Maybe()).Maybe())),
		Build: buildStonfiV2Deposit,
	})
	action.Register(action.Spec{
		Kind: kindDeposit, Phase: phaseStonfiV2Deposits,
		Match: action.Is(kindDeposit), Join: joinStonfiV2Deposits,
	})
	action.Register(action.Spec{
		Kind: kindWithdraw, Phase: 47,
		Match: action.Call(opStonfiV2Pay).After(action.Either(
			action.Call(opStonfiV2Burnt).As("pool").After(action.Is("jetton_burn").As("burn")),
			action.Call(opStonfiV2Refund).As("pool").After(action.Call(opStonfiV2RefundMe).As("request")),
		)),
		Build: buildStonfiV2Withdraw,
	})
}

// buildStonfiV2Deposit takes one half of a deposit. The second half completes it.
func buildStonfiV2Deposit(_ *action.Context, m *action.Match) *action.Result {
	in, parts := payInStonfiV2(m.Start)
	if parts == nil {
		return nil
	}
	m.Take(parts...)
	d := &DepositLiquidityData{Dex: dexStonfiV2, VaultExcesses: []AssetAmount{}}
	in.Source, in.Amount = readStonfiV2Half(m.Start, in)
	d.first(in)
	if lp := m.Get("lp"); lp != nil {
		if t, err := action.ParseInternalTransfer(lp); err == nil {
			d.LPMinted = t.Amount
		}
	}
	takeStonfiV2Returned(m, d)
	d.complete, d.depth, d.paidLT = d.LPMinted != nil || m.Get("returned") != nil, depth(m.Start), parts[len(parts)-1].Msg.CreatedLT
	return &action.Result{
		Failed:  m.Get("account").Aborted() || m.Get("pool").Aborted() || m.Get("refused") != nil || m.Get("returned") != nil,
		Columns: action.Columns{Source: action.AddressText(in.Source), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d}},
	}
}

// takeStonfiV2Returned takes the payments of a pool that returns both halves of a deposit that it cannot compute. Those that it rejects
// stay in the account.
func takeStonfiV2Returned(m *action.Match, d *DepositLiquidityData) {
	pay := m.Get("returned")
	if pay == nil {
		return
	}
	for _, b := range pay.Next {
		if len(d.VaultExcesses) < 2 && b.Type == typeJettonTransfer {
			out, parts := payOut(b)
			m.Take(parts...)
			d.VaultExcesses = append(d.VaultExcesses, AssetAmount{Asset: out.Asset, Amount: out.Amount})
		}
	}
}

// payInStonfiV2 is [payIn], also for Jettons whose wallets have another internal transfer between them: the transfer ends with the
// first one, and the router is notified after the second.
func payInStonfiV2(b *action.Block) (in Transfer, parts []*action.Block) {
	if in, parts = payIn(b); parts != nil {
		return in, parts
	}
	notification := b.Prev
	if notification == nil || !notification.Calls(opNotification) || notification.Prev == nil || !notification.Prev.Calls(jetton.OpInternalTransfer) {
		return Transfer{}, nil
	}
	if t := notification.Prev.Prev; t != nil && t.Type == "jetton_transfer" {
		return received(t).unproxied(), []*action.Block{notification, notification.Prev, t}
	}
	return Transfer{}, nil
}

// readStonfiV2Half reads query id, sender, and the amounts of the first and the second asset of the pool. The payment replaces a
// body that cannot be read.
func readStonfiV2Half(b *action.Block, in Transfer) (sender *chain.Address, amount *big.Int) {
	l := b.Body()
	l.Uint(64)
	sender, amount = l.Address(), l.Coins()
	right := l.Coins()
	switch {
	case l.Err() != nil:
		return in.Source, in.Amount
	case amount.Sign() == 0:
		return sender, right
	}
	return sender, amount
}

// depth returns the number of blocks before b.
func depth(b *action.Block) int {
	n := 0
	for ; b.Prev != nil; b = b.Prev {
		n++
	}
	return n
}

// joinStonfiV2Deposits joins a completed half with a half of the same sender and pool that waited for it, when the same block paid
// both. Halves that the pool returned to the account wait for another request.
func joinStonfiV2Deposits(_ *action.Context, all []*action.Match) []action.Joined {
	type place struct {
		source, pool string
		payer        *action.Block
	}
	waiting := map[place][]*action.Block{}
	of := func(b *action.Block) place { return place{b.Columns.Source, b.Columns.Destination, b.Prev} }
	for _, m := range all {
		if d := deposited(m.Start); d != nil && d.Dex == dexStonfiV2 && !d.complete && m.Start.Success {
			waiting[of(m.Start)] = append(waiting[of(m.Start)], m.Start)
		}
	}
	var joined []action.Joined
	for _, m := range all {
		complete := m.Start
		d, list := deposited(complete), waiting[of(complete)]
		if d == nil || d.Dex != dexStonfiV2 || !d.complete || len(list) == 0 {
			continue
		}
		half := list[0]
		waiting[of(complete)] = list[1:]
		first := half
		if d.deeper(deposited(half)) {
			first = complete
		}
		joined = append(joined, action.Joined{Parts: []*action.Block{complete, half}, Result: joinedDeposit(complete, half, first)})
	}
	return joined
}

// deeper reports whether a half of a deposit is deeper in its trace than another one, or later at the same depth. Published rows
// list the deeper half first: that of coins, which have one message more than Jettons, or the later of two Jettons.
func (d *DepositLiquidityData) deeper(other *DepositLiquidityData) bool {
	if d.depth != other.depth || d.paidLT == nil || other.paidLT == nil {
		return d.depth > other.depth
	}
	return *d.paidLT > *other.paidLT
}

// buildStonfiV2Withdraw takes the payments of the router after a burn of shares, or after a request to return a half
// deposit.
func buildStonfiV2Withdraw(_ *action.Context, m *action.Match) *action.Result {
	pool := m.Get("pool")
	var paid []Transfer
	for _, pay := range pool.Next {
		if !pay.Calls(opStonfiV2Pay) {
			continue
		}
		for _, b := range pay.Next {
			if len(paid) < 2 && b.Type == "jetton_transfer" {
				out, parts := payOut(b)
				m.Take(pay)
				m.Take(parts...)
				paid = append(paid, out)
			}
		}
	}
	if len(paid) == 0 {
		return nil
	}
	refund := m.Get("burn") == nil
	d := &WithdrawLiquidityData{Dex: dexStonfiV2, IsRefund: &refund}
	d.first(paid[0])
	if len(paid) > 1 {
		d.second(paid[1])
	}
	row := action.Columns{Destination: action.AddressText(pool.Account()), Payloads: []action.Payload{d}}
	if burn := m.Get("burn"); burn != nil {
		c := burn.Columns
		row.Source, row.SourceSecondary, row.Asset, d.LPBurnt = c.Source, c.SourceSecondary, c.Asset, c.Amount
	} else {
		row.Source = action.AddressText(m.Get("request").From())
	}
	return &action.Result{Columns: row}
}
