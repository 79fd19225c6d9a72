package dex

import (
	"tonql/internal/action"
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
		Match: action.Call(opStonfiV2Provide).Then(action.Call(opStonfiV2Add).Then(
			action.Call(opStonfiV2Added).As("added").Then(action.Either(
				action.Call(jetton.OpInternalTransfer).As("lp").Then(action.Call(opNotification).Maybe()),
				action.Call(opStonfiV2Add).As("refused"),
			)).Maybe())),
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
	in, parts := payIn(m.Start)
	if parts == nil {
		return nil
	}
	m.Take(parts...)
	d := &DepositLiquidityData{Dex: dexStonfiV2, VaultExcesses: []AssetAmount{}}
	d.first(in)
	if lp := m.Get("lp"); lp != nil {
		if t, err := action.ParseInternalTransfer(lp); err == nil {
			d.LPMinted = t.Amount
		}
	}
	d.left = stonfiV2Left(m.Start)
	d.complete = m.Get("added") != nil
	return &action.Result{
		Failed:  m.Get("refused") != nil,
		Columns: action.Columns{Source: action.AddressText(in.Source), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d}},
	}
}

// stonfiV2Left reports whether a half is of the pool's first asset. The body has query id, sender, and the amounts of the
// first and the second asset.
func stonfiV2Left(b *action.Block) bool {
	l := b.Body()
	l.Uint(64)
	l.Address()
	return l.Coins().Sign() > 0
}

// joinStonfiV2Deposits joins a completed half with a half of the same sender and pool that waited for it.
func joinStonfiV2Deposits(_ *action.Context, all []*action.Match) []action.Joined {
	type place struct{ source, pool string }
	waiting := map[place][]*action.Block{}
	of := func(b *action.Block) place { return place{b.Columns.Source, b.Columns.Destination} }
	for _, m := range all {
		if d := deposited(m.Start); d != nil && d.Dex == dexStonfiV2 && !d.complete {
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
		if d.left {
			first = complete
		}
		joined = append(joined, action.Joined{Parts: []*action.Block{complete, half}, Result: joinedDeposit(complete, half, first)})
	}
	return joined
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
