package staking

import "tonql/internal/action"

const (
	opElectionRecover  = 0x47657424
	opElectionReturned = 0xf96f7324
)

func init() {
	action.Register(action.Spec{
		Kind: "election_recover", Phase: 35,
		Match: toElector(opElectionRecover).Then(action.Call(opElectionReturned).As("reply").Maybe()),
		Build: buildElectionRecover,
	})
}

// buildElectionRecover sets no amount when nothing was returned.
func buildElectionRecover(_ *action.Context, m *action.Match) *action.Result {
	c, reply := action.Columns{Source: action.AddressText(m.Start.From())}, m.Get("reply")
	if reply != nil {
		c.Amount = reply.Msg.Value
	}
	return &action.Result{Columns: c, Failed: reply == nil}
}
