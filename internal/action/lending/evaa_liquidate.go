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

// evaaLiquidationErrors are the codes with which a liquidation is refused. TON that comes back carries one as its opcode.
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
		Match: evaaRequest(opEvaaLiquidate, action.Either(
			evaaUser(userLiquidate).As("user").Then(action.Call(opEvaaSatisfied).As("satisfied").Then(
				evaaUser(userLiquidated).As("done").Then(action.Is(action.TypeTonTransfer).Maybe()), report())),
			evaaUser(userLiquidate).As("user").Then(action.Call(opEvaaSatisfied).As("satisfied").Then(
				evaaUser(userNotLiquidated), report())),
			evaaUser(userLiquidate).As("user").Then(action.Call(opEvaaUnsatisfied).As("refused").Then(report())),
			action.Either(action.Is("jetton_transfer"), action.Where(evaaRefund)).As("back"),
		)),
		Build: buildEvaaLiquidate,
	})
}

// evaaRefund is TON that comes back because nothing was liquidated, or the request itself.
func evaaRefund(b *action.Block) bool {
	if !b.IsBasic() || b.IsLog() || b.Msg == nil || b.Msg.Opcode == nil {
		return false
	}
	return b.Msg.Bounced || evaaLiquidationErrors[uint64(*b.Msg.Opcode)] != ""
}

// EvaaLiquidateData is the debt that was to be paid for another, in the smallest unit of its asset.
type EvaaLiquidateData struct {
	AssetID    *string  `json:"asset_id"` // of the debt: 0x and hex without leading zeros
	FailReason *string  `json:"fail_reason"`
	DebtAmount *big.Int `json:"debt_amount"`
}

// Column names the composite column.
func (*EvaaLiquidateData) Column() string { return "evaa_liquidate_data" }

// evaaLiquidation is what a request or an answer says of a liquidation.
type evaaLiquidation struct {
	borrower   *chain.Address
	debt       chain.Hash
	paid       *big.Int
	collateral *big.Int // the id of the asset
	amount     *big.Int // of collateral: what was given or, when nothing was, the least that was wanted
	reason     string   // empty when the user's contract agreed
}

// buildEvaaLiquidate puts the id of the collateral where other kinds have the address of a Jetton: in decimal, as readers
// of the row expect it.
func buildEvaaLiquidate(_ *action.Context, m *action.Match) *action.Result {
	var l *evaaLiquidation
	switch {
	case m.Get("satisfied") != nil:
		l = readEvaaSatisfied(m.Get("satisfied"))
		if l != nil && m.Get("done") == nil {
			l.reason = evaaNoLiquidity
		}
	case m.Get("refused") != nil:
		l = readEvaaUnsatisfied(m.Get("refused"))
	default:
		l = readEvaaLiquidate(m.Start)
	}
	if l == nil {
		return nil
	}
	d := &EvaaLiquidateData{DebtAmount: l.paid}
	if l.debt != (chain.Hash{}) {
		id := evaaAssetID(l.debt)
		d.AssetID = &id
	}
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

// readEvaaSatisfied reads what a user's contract lets go.
//
//	liquidate_satisfied#00000311 query_id:uint64 owner:MsgAddress liquidator:MsgAddress debt_asset:uint256
//	  ^[ delta_loan:int64 liquidatable:uint64 gift:uint64 new_loan:int64 collateral_asset:uint256 delta_collateral:int64
//	     reward:uint64 data:Any ] = InternalMsgBody;
func readEvaaSatisfied(b *action.Block) *evaaLiquidation {
	l := b.Body()
	l.Uint(64)
	out := &evaaLiquidation{borrower: l.Address()}
	l.Address()
	out.debt = l.Hash()
	in := contract.Load(l.Ref())
	in.Uint(64)
	out.paid = new(big.Int).Add(action.BigInt(in.Uint(64)), action.BigInt(in.Uint(64)))
	in.Uint(64)
	out.collateral = in.BigUint(256)
	in.Uint(64)
	out.amount = action.BigInt(in.Uint(64))
	if l.Err() != nil || in.Err() != nil {
		return nil
	}
	return out
}

// readEvaaUnsatisfied reads why a user's contract refuses. Before liquidators could ask for an answer of their own, the
// error stood where now the coins for that answer are.
//
//	liquidate_unsatisfied#0000031f query_id:uint64 owner:MsgAddress liquidator:MsgAddress debt_asset:uint256
//	  ^[ transferred:uint64 collateral_asset:uint256 min_collateral:uint64 forward:uint64 payload:^Cell error:uint32
//	     data:Any ] = InternalMsgBody;
func readEvaaUnsatisfied(b *action.Block) *evaaLiquidation {
	l := b.Body()
	l.Uint(64)
	out := &evaaLiquidation{borrower: l.Address()}
	l.Address()
	out.debt = l.Hash()
	in := contract.Load(l.Ref())
	out.paid, out.collateral, out.amount = action.BigInt(in.Uint(64)), in.BigUint(256), action.BigInt(in.Uint(64))
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

// readEvaaLiquidate reads a request that came back at once; it must look like one in full, for its opcode is a small
// number that others use, too. With Jettons, their amount is what was paid.
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
	out := &evaaLiquidation{
		borrower: &borrower, collateral: l.BigUint(256), amount: action.BigInt(l.Uint(64)), reason: evaaRejectedAtOnce,
	}
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
