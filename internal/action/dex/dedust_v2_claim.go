package dex

import "tonql/internal/action"

// Opcodes of claims on DeDust v2: a request to the pool, the pool's to the position, and the response with the amounts.
const (
	opDedustV2ClaimFees      = 0x5652f1df
	opDedustV2PositionFees   = 0x25f19752
	opDedustV2PayFees        = 0x29ff1bcf
	opDedustV2ClaimReward    = 0x909fdb65
	opDedustV2PositionReward = 0x2e0cccba
	opDedustV2PayReward      = 0x9e17fbbe
)

func init() {
	action.Register(action.Spec{
		Kind: "dedust_v2_claim_fees", Phase: 29,
		Match: action.Call(opDedustV2ClaimFees).Then(action.Call(opDedustV2PositionFees).Then(
			action.Call(opDedustV2PayFees).As("position").Then(dedustV2Payout().Maybe(), dedustV2Payout().Maybe()))),
		Build: buildDedustV2ClaimFees,
	})
	action.Register(action.Spec{
		Kind: "dedust_v2_claim_reward", Phase: 29,
		Match: action.Call(opDedustV2ClaimReward).Then(action.Call(opDedustV2PositionReward).Then(
			action.Call(opDedustV2PayReward).As("position").Then(dedustV2Payout().Maybe()))),
		Build: buildDedustV2ClaimReward,
	})
}

// buildDedustV2ClaimFees builds the claim of the fees of a position. A side without fees is not paid.
//
//	payout_position_fees#29ff1bcf query_id:uint64 x_fees:Coins y_fees:Coins owner:MsgAddressInt excesses_to:MsgAddressInt
func buildDedustV2ClaimFees(_ *action.Context, m *action.Match) *action.Result {
	l := m.Get("position").Body()
	l.Uint(64)
	x, y := l.Coins(), l.Coins()
	paid, ok := dedustV2Sides(m)
	if l.Err() != nil || !ok {
		return nil
	}
	first, second := dedustV2Assign(paid, x, y)
	d := &WithdrawLiquidityData{Dex: dexDedustV2, IsRefund: new(bool)}
	d.first(first)
	d.second(second)
	d.Amount1, d.Amount2 = x, y
	return dedustV2Claimed(m, d)
}

// buildDedustV2ClaimReward builds the claim of a reward of a position, in one asset.
//
//	payout_reward#9e17fbbe query_id:uint64 amount:Coins reward_index:uint2 owner:MsgAddressInt excesses_to:MsgAddressInt
func buildDedustV2ClaimReward(_ *action.Context, m *action.Match) *action.Result {
	l := m.Get("position").Body()
	l.Uint(64)
	amount := l.Coins()
	paid, ok := dedustV2Sides(m)
	if l.Err() != nil || !ok {
		return nil
	}
	d := &WithdrawLiquidityData{Dex: dexDedustV2, IsRefund: new(bool)}
	if len(paid) > 0 {
		d.first(paid[0])
	}
	d.Amount1 = amount
	return dedustV2Claimed(m, d)
}

// dedustV2Claimed returns the claim of the account that sent the request.
func dedustV2Claimed(m *action.Match, d *WithdrawLiquidityData) *action.Result {
	return &action.Result{
		Failed: m.Get("position").Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()),
			DestinationSecondary: action.AddressText(m.Get("position").From()), Payloads: []action.Payload{d},
		},
	}
}
