package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// Opcodes of the liquidity of DeDust v2. A deposit contract waits for both assets; a position contract has the liquidity.
const (
	opDedustV2Credit    = 0xdc5ddba1 // pool to deposit contract, for each asset
	opDedustV2Join      = 0x25251ee0 // deposit contract to pool
	opDedustV2Joined    = 0x855afcbd // pool to position
	logDedustV2Deposit  = 0x35df2e12
	opDedustV2Withdraw  = 0x20b5ef89
	opDedustV2Reduce    = 0xbc1531a9 // pool to position
	opDedustV2Exit      = 0xf6f6a3aa // position to pool
	logDedustV2Withdraw = 0xc0d77b54

	typeDedustV2Deposit   = "dedust_v2_deposit_liquidity"
	typeDedustV2Partial   = "dedust_v2_deposit_liquidity_partial"
	phaseDedustV2Deposits = 95
)

func init() {
	action.Register(action.Spec{
		Kind: kindDeposit, Type: typeDedustV2Deposit, Phase: 27,
		Match: action.Call(opDedustV2Join).After(action.Call(opDedustV2Credit).As("credit").After(dedustV2Payment())).Then(
			action.Log(logDedustV2Deposit).As("log").Maybe(),
			action.Call(opDedustV2Joined).Maybe(),
			dedustV2Payout().Maybe().Every(),
		),
		Build: buildDedustV2Deposit,
	})
	action.Register(action.Spec{
		Kind: kindDeposit, Type: typeDedustV2Partial, Phase: 28,
		Match: action.Call(opDedustV2Credit).As("credit").After(dedustV2Payment()),
		Build: buildDedustV2Partial,
	})
	action.Register(action.Spec{
		Kind: kindDeposit, Type: typeDedustV2Deposit, Phase: phaseDedustV2Deposits,
		Match: action.Is(typeDedustV2Deposit, typeDedustV2Partial), Join: joinDedustV2Deposits,
	})
	action.Register(action.Spec{
		Kind: kindWithdraw, Phase: 27,
		Match: action.Call(opDedustV2Withdraw).Then(action.Call(opDedustV2Reduce).Then(action.Call(opDedustV2Exit).Then(
			action.Log(logDedustV2Withdraw).As("log").Maybe(), dedustV2Payout().Maybe(), dedustV2Payout().Maybe()))),
		Build: buildDedustV2Withdraw,
	})
}

// dedustV2Payment matches the payment of one half of a deposit.
func dedustV2Payment() *action.Pattern {
	return action.Either(action.Is(typeJettonTransfer), action.Call(opDedustV2Pay)).As("payment")
}

// dedustV2Half sets the asset and the wallet of the half that was paid directly before the message to the deposit contract.
//
//	credit_asset#dc5ddba1 query_id:uint64 is_x:Bool amount:Coins
func dedustV2Half(m *action.Match, d *DepositLiquidityData) (paid Transfer, amount *big.Int, ok bool) {
	l := m.Get("credit").Body()
	l.Uint(64)
	d.left, amount = l.Bool(), l.Coins()
	paid = dedustV2Paid(m.Get("payment"))
	d.side(paid.Asset, paid.SourceWallet)
	return paid, amount, l.Err() == nil
}

// side sets the asset of the half that was paid, and the wallet that paid it.
func (d *DepositLiquidityData) side(asset, wallet *chain.Address) {
	if d.left {
		d.Asset1, d.UserWallet1 = asset, wallet
	} else {
		d.Asset2, d.UserWallet2 = asset, wallet
	}
}

// buildDedustV2Deposit builds the deposit that the second half completes. A pool that rejects it writes no log and returns
// both assets. All returns are to the account that deposits.
//
//	join_liquidity#25251ee0 query_id:uint64 config:^DepositConfig amount_x:Coins amount_y:Coins initiator:MsgAddressInt
//	deposit#35df2e12 amount_x_in:Coins amount_y_in:Coins liquidity:Coins …
func buildDedustV2Deposit(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	l.Ref()
	d := &DepositLiquidityData{Dex: dexDedustV2, VaultExcesses: []AssetAmount{}, complete: true}
	d.Amount1, d.Amount2 = l.Coins(), l.Coins()
	owner := l.Address()
	_, _, ok := dedustV2Half(m, d)
	if l.Err() != nil || !ok || !dedustV2Returned(m, owner, d) {
		return nil
	}
	log := m.Get("log")
	switch {
	case log != nil:
		joined := log.Body()
		d.Amount1, d.Amount2, d.LPMinted = joined.Coins(), joined.Coins(), joined.Coins()
		if joined.Err() != nil {
			return nil
		}
	case len(d.VaultExcesses) == 0:
		return nil // the pool has not decided yet, or failed
	default:
		takeExcess(m, m.Start)
	}
	dedustV2Targets(m.Get("payment"), d)
	return &action.Result{
		Failed: log == nil,
		Columns: action.Columns{
			Source: action.AddressText(owner), Destination: action.AddressText(m.Start.Account()),
			DestinationSecondary: action.AddressText(m.Start.From()), Payloads: []action.Payload{d},
		},
	}
}

// dedustV2Returned sets what the pool returned; false when something was paid to another account.
func dedustV2Returned(m *action.Match, owner *chain.Address, d *DepositLiquidityData) bool {
	paid, ok := dedustV2Sides(m)
	if !ok {
		return false
	}
	for _, t := range paid {
		if !action.SameAddress(t.Destination, owner) {
			return false
		}
		d.VaultExcesses = append(d.VaultExcesses, AssetAmount{Asset: t.Asset, Amount: t.Amount})
	}
	return true
}

// dedustV2Targets sets the assets, and the amounts that the depositor requested.
//
//	deposit#c9a015da amount_x:Coins amount_y:Coins minimal_liquidity:Coins locked_liquidity_share:uint16
func dedustV2Targets(payment *action.Block, d *DepositLiquidityData) {
	d.TargetAsset1, d.TargetAsset2 = d.Asset1, d.Asset2
	l := dedustV2Order(payment, opDedustV2DepositPayload)
	if l == nil {
		return
	}
	x, y := l.Coins(), l.Coins()
	if l.Err() == nil {
		d.TargetAmount1, d.TargetAmount2 = x, y
	}
}

// buildDedustV2Partial builds the half that waits for the other one. One that completed the deposit fails with the pool.
func buildDedustV2Partial(_ *action.Context, m *action.Match) *action.Result {
	d := &DepositLiquidityData{Dex: dexDedustV2, VaultExcesses: []AssetAmount{}}
	paid, amount, ok := dedustV2Half(m, d)
	if !ok {
		return nil
	}
	if d.left {
		d.Amount1 = amount
	} else {
		d.Amount2 = amount
	}
	takeExcess(m, m.Start)
	return &action.Result{
		Failed: m.Start.Aborted() || m.Start.NextCall(opDedustV2Join).Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(paid.Source), Destination: action.AddressText(m.Start.From()),
			DestinationSecondary: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
		},
	}
}

// joinDedustV2Deposits joins a completed deposit with the half that waited for it, when the trace has exactly these two for
// the deposit contract.
func joinDedustV2Deposits(_ *action.Context, all []*action.Match) []action.Joined {
	halves := map[string][]*action.Block{}
	for _, m := range all {
		at := m.Start.Columns.DestinationSecondary
		halves[at] = append(halves[at], m.Start)
	}
	var joined []action.Joined
	for _, m := range all {
		pair := halves[m.Start.Columns.DestinationSecondary]
		if len(pair) != 2 || m.Start != pair[0] {
			continue
		}
		complete, half := pair[0], pair[1]
		if !deposited(complete).complete {
			complete, half = half, complete
		}
		d, other := *deposited(complete), deposited(half)
		if !d.complete || other.complete || d.left == other.left || !half.Success {
			continue
		}
		joined = append(joined, action.Joined{Parts: pair, Result: joinedDedustV2(complete, &d, other)})
	}
	return joined
}

// joinedDedustV2 returns the completed deposit with the asset and the wallet of the other half.
func joinedDedustV2(complete *action.Block, d, other *DepositLiquidityData) *action.Result {
	if other.left {
		d.Asset1, d.UserWallet1 = other.Asset1, other.UserWallet1
	} else {
		d.Asset2, d.UserWallet2 = other.Asset2, other.UserWallet2
	}
	d.TargetAsset1, d.TargetAsset2 = d.Asset1, d.Asset2
	columns := complete.Columns
	columns.Payloads = []action.Payload{d}
	return &action.Result{Columns: columns, Failed: !complete.Success}
}

// buildDedustV2Withdraw builds a withdrawal. A pool that rejects it writes no log, and nothing is burned. A request that
// claims the fees, too, is none: its payments cannot be attributed.
//
//	withdraw#20b5ef89 query_id:uint64 liquidity:Coins minimal_x_out:Coins minimal_y_out:Coins auto_claim_fees:Bool …
//	withdrawal#c0d77b54 liquidity:Coins amount_x_out:Coins amount_y_out:Coins …
func buildDedustV2Withdraw(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	burnt := l.Coins()
	l.Coins()
	l.Coins()
	claims := l.Bool()
	paid, ok := dedustV2Sides(m)
	if l.Err() != nil || claims || !ok {
		return nil
	}
	log := m.Get("log")
	refund := log == nil
	if log != nil {
		made := log.Body()
		if burnt = made.Coins(); made.Err() != nil {
			return nil
		}
	}
	d := &WithdrawLiquidityData{Dex: dexDedustV2, LPBurnt: burnt, IsRefund: &refund}
	if len(paid) > 0 {
		d.first(paid[0])
	}
	if len(paid) > 1 {
		d.second(paid[1])
	}
	return &action.Result{
		Failed: refund,
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
		},
	}
}
