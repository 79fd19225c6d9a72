package staking

import "tonql/internal/action"

const (
	opElectionRecover  = 0x47657424
	opElectionReturned = 0xf96f7324
)

func init() {
	action.Register(action.Spec{
		Kind: "election_recover", Phase: 35,
		Match: toElector(opElectionRecover).Then(action.Call(opElectionReturned).As("answer").Maybe()),
		Build: buildElectionRecover,
	})
}

// buildElectionRecover gives no amount when nothing came back.
func buildElectionRecover(_ *action.Context, m *action.Match) *action.Result {
	c, answer := action.Columns{Source: action.AddressText(m.Start.From())}, m.Get("answer")
	if answer != nil {
		c.Amount = answer.Msg.Value
	}
	return &action.Result{Columns: c, Failed: answer == nil}
}
