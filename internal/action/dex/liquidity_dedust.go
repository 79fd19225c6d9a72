package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// Opcodes of DeDust's liquidity. A deposit contract waits for both assets of a deposit.
const (
	opDedustDeposit     = 0xd55e4686 // coins, to the vault
	opDedustCreate      = 0xf04ec526
	opDedustInstall     = 0x9b3aa3fa
	opDedustDepositOne  = 0x54240fe5
	opDedustDepositAll  = 0xb56b9598
	opDedustReject      = 0xe1a36cd4
	opDedustFulfill     = 0xaae79256
	opDedustPayDeposit  = 0x6b0b787f
	logDedustDeposit    = 0xb544f4a4
	typeDedustDeposit   = "dedust_deposit_liquidity"
	typeDedustPartial   = "dedust_deposit_liquidity_partial"
	phaseDedustDeposits = 93
)

func init() {
	action.Register(action.Spec{
		Kind: kindDeposit, Type: typeDedustDeposit, Phase: 3,
		Match: dedustPaid(action.Call(opDedustCreate).As("create").Then(
			action.Call(opDedustInstall).Maybe(),
			action.Call(opDedustDepositOne).As("deposit").Then(action.Call(opDedustDepositAll).As("all").Then(
				action.Either(
					action.Call(jetton.OpInternalTransfer).As("lp").Then(action.Call(opNotification).Maybe()),
					dedustRejection().As("rejected").Then(dedustSettled()...),
				),
				action.Log(logDedustDeposit).Maybe(),
				action.Call(opDedustFulfill).Then(dedustSettled()...).Maybe(),
			)))),
		Build: buildDedustDeposit, Request: "all",
	})
	action.Register(action.Spec{
		Kind: kindDeposit, Type: typeDedustPartial, Phase: 4,
		Match: dedustPaid(action.Call(opDedustCreate).As("create").Then(
			action.Call(opDedustInstall), action.Call(opDedustDepositOne).As("deposit"))),
		Build: buildDedustPartial, Request: "deposit",
	})
	action.Register(action.Spec{
		Kind: kindDeposit, Type: typeDedustDeposit, Phase: phaseDedustDeposits,
		Match: action.Is(typeDedustDeposit, typeDedustPartial), Join: joinDedustDeposits,
	})
	action.Register(action.Spec{
		Kind: kindWithdraw, Phase: 17,
		Match: action.Call(jetton.OpBurn).Then(action.Call(jetton.OpBurnNotification).As("pool")),
		Build: buildDedustWithdraw,
	})
}

// dedustRejection matches the message with which a pool refuses a deposit, or that bounces from it.
func dedustRejection() *action.Pattern {
	return action.Where(func(b *action.Block) bool { return b.Calls(opDedustReject) || b.Bounced() }).
		Calling(opDedustReject, contract.OpBounce, contract.OpNewBounce)
}

// dedustPaid matches the start of a deposit, in coins or Jettons, and the message of the vault. These kinds run before
// Jetton transfers are recognized.
func dedustPaid(then *action.Pattern) *action.Pattern {
	return action.Either(
		action.Call(opDedustDeposit).As("coins").Then(then),
		action.Call(jetton.OpTransfer).As("jettons").Then(action.Call(jetton.OpInternalTransfer).As("in").Then(action.Call(opNotification).Then(then))),
	)
}

// dedustSettled matches the messages of a deposit contract after the decision of its pool: it destroys itself, sends its
// coins to the owner, and makes the vaults return the assets that the pool did not take. A pool that rejects the deposit
// takes nothing.
func dedustSettled() []*action.Pattern {
	return []*action.Pattern{action.Is(action.TypeTonTransfer).Maybe().Every(), dedustExcess().Maybe().Every()}
}

// dedustExcess matches the return of an asset by a vault.
func dedustExcess() *action.Pattern {
	return action.Call(opDedustPayDeposit).Then(action.Either(
		action.Call(opDedustPayout).As("excess"),
		action.Call(jetton.OpTransfer).Then(action.Call(jetton.OpInternalTransfer).As("excess").Then(action.Call(opNotification).Maybe())),
	).Maybe())
}

// dedustPayment returns the payment into the deposit; false when the vault's wallet has no record.
func dedustPayment(c *action.Context, m *action.Match) (Transfer, bool) {
	if coins := m.Get("coins"); coins != nil {
		amount := dedustPaidCoins(coins)
		return Transfer{Amount: amount, Source: coins.From(), Destination: coins.Account()}, amount != nil
	}
	sent, in := m.Get("jettons"), m.Get("in")
	t, err := action.ParseInternalTransfer(in)
	w := c.JettonWallet(in)
	if err != nil || w == nil {
		return Transfer{}, false
	}
	return Transfer{
		Asset: &w.Jetton, Amount: t.Amount, Source: sent.From(), SourceWallet: sent.Account(), Destination: &w.Owner,
		DestinationWallet: in.Account(),
	}, true
}

// dedustPaidCoins reads the amount behind the query id; nil without one.
func dedustPaidCoins(b *action.Block) *big.Int {
	l := b.Body()
	l.Uint(64)
	n := l.Coins()
	if l.Err() != nil {
		return nil
	}
	return n
}

// dedustRow returns the columns that all deposits share. The paid asset comes first.
func dedustRow(m *action.Match, paid Transfer, d *DepositLiquidityData) *action.Result {
	d.Dex = dexDedust
	d.first(paid)
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(paid.Source), DestinationSecondary: action.AddressText(m.Get("deposit").Account()), Payloads: []action.Payload{d},
	}}
}

func buildDedustDeposit(c *action.Context, m *action.Match) *action.Result {
	paid, ok := dedustPayment(c, m)
	if !ok {
		return nil
	}
	d := &DepositLiquidityData{VaultExcesses: []AssetAmount{}}
	all := m.Get("all")
	if body := all.Msg.Body.Cell(); body != nil && body.RefsNum() > 1 {
		if targets, err := body.PeekRef(1); err == nil {
			assets, amounts := dedustAmounts(targets)
			d.TargetAsset1, d.TargetAmount1, d.TargetAsset2, d.TargetAmount2 = assets[0], amounts[0], assets[1], amounts[1]
		}
	}
	if lp := m.Get("lp"); lp != nil {
		if t, err := action.ParseInternalTransfer(lp); err == nil {
			d.LPMinted = t.Amount
		}
	}
	if sent := m.Get("jettons"); sent != nil {
		if w := c.JettonWallet(sent); w == nil || !action.SameAddress(&w.Jetton, paid.Asset) {
			paid.SourceWallet = nil // without its record, published rows do not have the wallet of a completed deposit
		}
	}
	for _, b := range m.All("excess") {
		d.VaultExcesses = append(d.VaultExcesses, dedustReturned(c, b))
	}
	r := dedustRow(m, paid, d)
	r.Columns.Destination = action.AddressText(all.Account())
	r.Failed = m.Get("rejected") != nil
	return r
}

// dedustReturned returns the amount of a return: all coins of a payout, or the Jettons of a transfer.
func dedustReturned(c *action.Context, b *action.Block) AssetAmount {
	if b.Calls(opDedustPayout) {
		return AssetAmount{Amount: b.Msg.Value}
	}
	var back AssetAmount
	if t, err := action.ParseInternalTransfer(b); err == nil {
		back.Amount = t.Amount
	}
	if w := c.JettonWallet(b); w != nil {
		back.Asset = &w.Jetton
	}
	return back
}

// buildDedustPartial reads the targets of the complete deposit from the request for the deposit contract.
//
//	#f04ec526 query_id:uint64 owner:MsgAddress stable:Bool asset0:Asset asset1:Asset … proof:^Cell
//	  ^[ target0:Coins target1:Coins … ]
func buildDedustPartial(c *action.Context, m *action.Match) *action.Result {
	paid, ok := dedustPayment(c, m)
	if !ok || m.Get("deposit").NextCall(opDedustDepositAll) != nil {
		return nil // a deposit that reached its pool does not wait for another half
	}
	d := &DepositLiquidityData{VaultExcesses: []AssetAmount{}}
	l := m.Get("create").Body()
	l.Uint(64)
	l.Address()
	l.Bool()
	first, second := dedustAsset(l), dedustAsset(l)
	l.Ref()
	targets := contract.Load(l.Ref())
	amount1, amount2 := targets.Coins(), targets.Coins()
	if l.Err() == nil && targets.Err() == nil {
		d.TargetAsset1, d.TargetAsset2, d.TargetAmount1, d.TargetAmount2 = first, second, amount1, amount2
	}
	r := dedustRow(m, paid, d)
	r.Failed = m.Get("deposit").Aborted()
	return r
}

// joinDedustDeposits joins two halves to one deposit when the trace has exactly these two for the deposit contract. In a trace with more
// deposits for one contract none are joined, as in published rows.
func joinDedustDeposits(_ *action.Context, all []*action.Match) []action.Joined {
	halves := map[string][]*action.Block{}
	for _, m := range all {
		at := m.Start.Columns.DestinationSecondary
		if halves[at] = append(halves[at], m.Start); len(halves[at]) > 2 {
			return nil
		}
	}
	var joined []action.Joined
	for _, m := range all {
		pair := halves[m.Start.Columns.DestinationSecondary]
		if len(pair) != 2 || m.Start != pair[0] || pair[0].Type == pair[1].Type {
			continue
		}
		complete, half := pair[0], pair[1]
		if complete.Type == typeDedustPartial {
			complete, half = half, complete
		}
		// Two halves in one asset are two payments of the same side: the other side was paid in another trace, or will be
		// after the deposit contract rejected this half.
		if equal(deposited(complete).Asset1, deposited(half).Asset1) || !half.Success {
			continue
		}
		joined = append(joined, action.Joined{Parts: pair, Result: joinedDedust(complete, half)})
	}
	return joined
}

// joinedDedust returns the deposit of two halves in one trace: the half that waited comes first. The target assets are in the
// order of the halves; as in published rows, the target amounts remain in that of the pool.
func joinedDedust(complete, half *action.Block) *action.Result {
	r := joinedDeposit(complete, half, half)
	d, _ := r.Columns.Payloads[0].(*DepositLiquidityData)
	if !equal(d.Asset1, d.TargetAsset1) && equal(d.Asset1, d.TargetAsset2) {
		d.TargetAsset1, d.TargetAsset2 = d.TargetAsset2, d.TargetAsset1
	}
	return r
}

// joinedDeposit returns the completed deposit with the values of its other half.
func joinedDeposit(complete, half, first *action.Block) *action.Result {
	d, other := *deposited(complete), deposited(half)
	if first == complete {
		d.Amount2, d.Asset2, d.UserWallet2 = other.Amount1, other.Asset1, other.UserWallet1
	} else {
		d.Amount2, d.Asset2, d.UserWallet2 = d.Amount1, d.Asset1, d.UserWallet1
		d.Amount1, d.Asset1, d.UserWallet1 = other.Amount1, other.Asset1, other.UserWallet1
	}
	columns := complete.Columns
	columns.Payloads = []action.Payload{&d}
	return &action.Result{Columns: columns, Failed: !complete.Success}
}

// buildDedustWithdraw takes the two payouts of a pool after the burn of its shares.
func buildDedustWithdraw(c *action.Context, m *action.Match) *action.Result {
	w := c.JettonWallet(m.Start)
	burnt, ok := action.BurnAmount(m.Start)
	if w == nil || !ok {
		return nil
	}
	d := &WithdrawLiquidityData{Dex: dexDedust, LPBurnt: burnt, IsRefund: new(bool)}
	pool := m.Get("pool")
	var paid []Transfer
	for _, pay := range pool.Next {
		var out Transfer
		if len(paid) < 2 && pay.Calls(opDedustPayPool) && dedustPayout(m, pay, &out) {
			paid = append(paid, out)
		}
	}
	if len(paid) != 2 {
		return nil
	}
	d.first(paid[0])
	d.second(paid[1])
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), SourceSecondary: action.AddressText(m.Start.Account()), Destination: action.AddressText(pool.Account()),
			Asset: w.Jetton.String(), Payloads: []action.Payload{d},
		},
	}
}
