package lending

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	opEvaaLiquidate    = 0x00000003
	opEvaaSatisfied    = 0x00000311
	opEvaaUnsatisfied  = 0x0000031f
	opEvaaReport       = 0x0000311d
	opEvaaFailReport   = 0x0000311f
	userLiquidate      = 0x31
	userLiquidated     = 0x311a
	userNotLiquidated  = 0x311f
	evaaNoLiquidity    = "master_not_enough_liquidity"
	evaaRejectedAtOnce = "immediate_rejection"
)

// evaaLiquidationErrors are the codes of rejected liquidations. Returned TON has such a code as its opcode.
var evaaLiquidationErrors = map[uint64]string{
	0xe001: "master_liquidating_too_much",
	0xe002: "user_withdraw_in_progress",
	0xe003: "not_liquidatable",
	0xe004: "execution_crashed",
	0xe005: "min_collateral_not_satisfied",
	0xe006: "user_not_enough_collateral",
	0xe007: "user_liquidating_too_much",
	0xe008: evaaNoLiquidity,
	0xe009: "liquidation_prices_missing",
}

func init() {
	report := func() *action.Pattern {
		return action.Either(action.Call(opEvaaReport, opEvaaFailReport), action.Is("jetton_transfer"), action.Where(evaaRefund)).Maybe()
	}
	action.Register(action.Spec{
		Kind: "evaa_liquidate", Phase: 54,
		Match: action.Either(evaaRequest(opEvaaLiquidate, action.Either(
			evaaUser(userLiquidate).As("user").Then(action.Call(opEvaaSatisfied).As("satisfied").Then(
				evaaUser(userLiquidated).As("done").Then(evaaRest()), report())),
			evaaUser(userLiquidate).As("user").Then(action.Call(opEvaaSatisfied).As("satisfied").Then(
				evaaUser(userNotLiquidated), report())),
			evaaUser(userLiquidate).As("user").Then(action.Call(opEvaaUnsatisfied).As("refused").Then(report())),
		)), evaaRequest(opEvaaLiquidate, action.Either(action.Is("jetton_transfer"), action.Where(evaaRefund)).As("back"))),
		Build: buildEvaaLiquidate,
	})
}

// evaaRefund matches the return of TON after a rejected liquidation or request.
func evaaRefund(b *action.Block) bool {
	if !b.IsBasic() || b.IsLog() || b.Msg == nil || b.Msg.Opcode == nil {
		return false
	}
	return b.Msg.Bounced || evaaLiquidationErrors[uint64(*b.Msg.Opcode)] != ""
}

// EvaaLiquidateData is the debt to pay for another account, in the smallest unit of its asset. The asset's identifier is that of
// the collateral, in the form that other kinds have.
type EvaaLiquidateData struct {
	AssetID    *string  `json:"asset_id"` // 0x and hex without leading zeros
	FailReason *string  `json:"fail_reason"`
	DebtAmount *big.Int `json:"debt_amount"`
}

// Column implements [action.Payload].
func (*EvaaLiquidateData) Column() string { return "evaa_liquidate_data" }

// evaaLiquidation is the content of a liquidation request or of its result.
type evaaLiquidation struct {
	borrower   *chain.Address
	paid       *big.Int // of the debt: after a rejection the amount that the liquidator sent
	collateral *big.Int // the id of the asset
	amount     *big.Int // of collateral; 0 after a rejection
	reason     string   // empty after an approval
}

// buildEvaaLiquidate sets the asset id of the collateral, in decimal, where other kinds have a Jetton address, as in the
// published rows. A rejected liquidation has the values of its request; those of the reply replace a request that cannot be read.
func buildEvaaLiquidate(_ *action.Context, m *action.Match) *action.Result {
	request := readEvaaLiquidate(m.Start)
	l := request
	switch {
	case m.Get("done") != nil:
		l = readEvaaSatisfied(m.Get("satisfied"))
	case m.Get("satisfied") != nil:
		l = rejectedEvaa(request, readEvaaSatisfied(m.Get("satisfied")), evaaNoLiquidity)
	case m.Get("refused") != nil:
		reply := readEvaaUnsatisfied(m.Get("refused"))
		if reply == nil {
			return nil
		}
		l = rejectedEvaa(request, reply, reply.reason)
	}
	if l == nil {
		return nil
	}
	id := "0x" + l.collateral.Text(16)
	d := &EvaaLiquidateData{AssetID: &id, DebtAmount: l.paid}
	if l.reason != "" {
		d.FailReason = &l.reason
	}
	return &action.Result{
		Failed: l.reason != "",
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(l.borrower), DestinationSecondary: action.AddressText(m.Get("user").Account()),
			Asset: l.collateral.String(), Amount: l.amount, Payloads: []action.Payload{d},
		},
	}
}

// rejectedEvaa returns the request with the reason of its rejection, or the reply without a request; nil without both.
func rejectedEvaa(request, reply *evaaLiquidation, reason string) *evaaLiquidation {
	l := request
	if l == nil {
		l = reply
	}
	if l != nil {
		l.reason, l.amount = reason, new(big.Int)
	}
	return l
}

// readEvaaSatisfied reads the approval of a user's contract.
//
//	liquidate_satisfied#00000311 query_id:uint64 owner:MsgAddress liquidator:MsgAddress debt_asset:uint256
//	  ^[ delta_loan:int64 liquidatable:uint64 gift:uint64 new_loan:int64 collateral_asset:uint256 delta_collateral:int64
//	     reward:uint64 data:Any ] = InternalMsgBody;
func readEvaaSatisfied(b *action.Block) *evaaLiquidation {
	l := b.Body()
	l.Uint(64)
	out := &evaaLiquidation{borrower: l.Address()}
	l.Address()
	l.Hash()
	in := contract.Load(l.Ref())
	in.Uint(64)
	out.paid = action.BigInt(in.Uint(64))
	in.Uint(64)
	in.Uint(64)
	out.collateral = in.BigUint(256)
	in.Uint(64)
	out.amount = action.BigInt(in.Uint(64))
	if l.Err() != nil || in.Err() != nil {
		return nil
	}
	return out
}

// readEvaaUnsatisfied reads the rejection of a user's contract. In an older layout, the error is in the place of the
// forwarded coins.
//
//	liquidate_unsatisfied#0000031f query_id:uint64 owner:MsgAddress liquidator:MsgAddress debt_asset:uint256
//	  ^[ transferred:uint64 collateral_asset:uint256 min_collateral:uint64 forward:uint64 payload:^Cell error:uint32
//	     data:Any ] = InternalMsgBody;
func readEvaaUnsatisfied(b *action.Block) *evaaLiquidation {
	l := b.Body()
	l.Uint(64)
	out := &evaaLiquidation{borrower: l.Address()}
	l.Address()
	l.Hash()
	in := contract.Load(l.Ref())
	out.paid, out.collateral = action.BigInt(in.Uint(64)), in.BigUint(256)
	in.Uint(64)
	if l.Err() != nil || in.Err() != nil {
		return nil
	}
	if in.RefsLeft() > 0 {
		in.Uint(64)
		in.Ref()
	}
	out.reason = "unknown"
	if name := evaaLiquidationErrors[in.Uint(32)]; name != "" {
		out.reason = name
	}
	if in.Err() != nil {
		out.reason = "parse_error"
	}
	return out
}

// readEvaaLiquidate reads a request, as one that was returned at once; nil for other messages. It requires the complete layout,
// because other contracts use the small opcode, too. For Jettons, the amount of the transfer is the payment.
//
//	liquidate#00000003 query_id:uint64 borrower:MsgAddress liquidator:MsgAddress collateral_asset:uint256
//	  min_collateral:uint64 include_user_code:int2 paid:uint64 data:Any = InternalMsgBody;
func readEvaaLiquidate(b *action.Block) *evaaLiquidation {
	l := evaaJettonRequest(b)
	jettons := l != nil
	if jettons {
		l.Uint(32)
	} else {
		l = b.Body()
		l.Uint(64)
	}
	borrower := l.NeedAddress()
	l.NeedAddress()
	out := &evaaLiquidation{borrower: &borrower, collateral: l.BigUint(256), amount: new(big.Int), reason: evaaRejectedAtOnce}
	l.Uint(64)
	l.Uint(2)
	if jettons {
		out.paid = b.Columns.Amount
	} else {
		out.paid = action.BigInt(l.Uint(64))
	}
	l.Ref()
	if l.Err() != nil {
		return nil
	}
	return out
}
