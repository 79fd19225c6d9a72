package dex

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

// Opcodes of swap.coffee's protection against front-running: a contract holds the funds until the swap is done elsewhere.
const (
	opCoffeeHold       = 0x6bc79e7e
	opCoffeeHoldPlan   = 0xc0ffeea0
	opCoffeeHoldFailed = 0xee51ce51
)

func init() {
	action.Register(action.Spec{
		Kind: "coffee_mev_protect_hold_funds", Phase: 71,
		Match: action.Either(action.Call(opCoffeeHold), carrying(opCoffeeHold)), Build: buildCoffeeHold,
	})
	action.Register(action.Spec{
		Kind: "coffee_mev_protect_failed_swap", Phase: 72,
		Match: action.Either(action.Call(opCoffeeHoldFailed), carrying(opCoffeeHoldFailed)),
		Build: func(_ *action.Context, m *action.Match) *action.Result {
			return &action.Result{Failed: action.Refused(m.Start)}
		},
	})
}

// carrying matches a Jetton transfer whose payload starts with the opcode.
func carrying(op uint32) *action.Pattern {
	return action.Where(func(b *action.Block) bool { return carries(b, uint64(op)) }).Of(typeJettonTransfer)
}

// carries reports whether a block is a Jetton transfer whose payload starts with the opcode.
func carries(b *action.Block, op uint64) bool {
	d := action.JettonTransferOf(b)
	if b.Type != typeJettonTransfer || d == nil || action.IsEmpty(d.ForwardCell) {
		return false
	}
	l := contract.Load(d.ForwardCell)
	return l.Uint(32) == op && l.Err() == nil
}

// buildCoffeeHold also takes the message that states the purpose of the funds, and the message that sent both, unless another action has it
// already: one request can hold several funds, and can follow the payment of a swap. Published rows do not have the wallet that received Jettons.
func buildCoffeeHold(_ *action.Context, m *action.Match) *action.Result {
	if sender := m.Start.Prev; !m.Start.IsFirst() {
		if plan := sender.NextCall(opCoffeeHoldPlan); plan != nil {
			m.Take(plan)
			if sender.IsBasic() {
				m.Take(sender)
			}
		}
	}
	if m.Start.Type == "jetton_transfer" {
		row := m.Start.Columns
		row.Payloads, row.DestinationSecondary = nil, ""
		return &action.Result{Columns: row, Failed: action.Refused(m.Start)}
	}
	return &action.Result{Failed: action.Refused(m.Start), Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Amount: m.Start.Msg.Value,
	}}
}
