package action

import (
	"tonql/internal/contract"
)

// Opcodes of swap.coffee's protection against those who run ahead of a swap: funds are held until it is done elsewhere.
const (
	opCoffeeHold       = 0x6bc79e7e
	opCoffeeHoldPlan   = 0xc0ffeea0
	opCoffeeHoldFailed = 0xee51ce51
)

func init() {
	Register(Spec{
		Kind: "coffee_mev_protect_hold_funds", Phase: 71,
		Match: Either(Call(opCoffeeHold), carrying(opCoffeeHold)), Build: buildCoffeeHold,
	})
	Register(Spec{
		Kind: "coffee_mev_protect_failed_swap", Phase: 72,
		Match: Either(Call(opCoffeeHoldFailed), carrying(opCoffeeHoldFailed)),
		Build: func(_ *Context, m *Match) *Result { return &Result{Failed: refused(m.Start)} },
	})
}

// carrying is a Jetton transfer whose payload starts with the opcode.
func carrying(op uint32) *Pattern {
	return Where(func(b *Block) bool {
		d := jettonData(b)
		if b.Type != "jetton_transfer" || d == nil || empty(d.payload) {
			return false
		}
		l := contract.Load(d.payload)
		return l.Uint(32) == uint64(op) && l.Err() == nil
	}).Of("jetton_transfer")
}

// buildCoffeeHold also takes the message that tells what the funds are for, and who sent both.
func buildCoffeeHold(_ *Context, m *Match) *Result {
	if sender := m.Start.prev; !m.Start.isFirst() && sender.isBasic() {
		if plan := sender.after(opCoffeeHoldPlan); plan != nil {
			m.take(sender, plan)
		}
	}
	if m.Start.Type == "jetton_transfer" {
		row := m.Start.columns
		row.Payloads = nil
		return &Result{Columns: row, Failed: refused(m.Start)}
	}
	return &Result{Failed: refused(m.Start), Columns: Columns{
		Source: text(m.Start.from()), Destination: text(m.Start.account()), Amount: m.Start.Msg.Value,
	}}
}
