package staking

import "tonql/internal/action"

const (
	opElectionStake    = 0x4e73744b
	opElectionAccepted = 0xf374484c
)

func init() {
	action.Register(action.Spec{
		Kind: "election_deposit", Phase: 34,
		Match: toElector(opElectionStake).Then(action.Call(opElectionAccepted).As("reply").Maybe()),
		Build: buildElectionDeposit,
	})
}

func buildElectionDeposit(_ *action.Context, m *action.Match) *action.Result {
	return &action.Result{
		Columns: action.Columns{Source: action.AddressText(m.Start.From()), Amount: m.Start.Msg.Value}, Failed: m.Get("reply") == nil,
	}
}
