package staking

import "tonql/internal/action"

const (
	opElectionStake    = 0x4e73744b
	opElectionAccepted = 0xf374484c
	opElectionRefused  = 0xee6f454c
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
		Columns: action.Columns{Source: action.AddressText(m.Start.From()), Amount: m.Start.Msg.Value},
		Failed:  m.Get("reply") == nil && !acceptedSilently(m.Start),
	}
}

// acceptedSilently reports whether the elector accepted a stake without a confirmation: it sends one only for a query id. A stake
// that it refuses always comes back in a reply.
func acceptedSilently(stake *action.Block) bool {
	l := stake.Body()
	query := l.Uint(64)
	return l.Err() == nil && query == 0 && !stake.Aborted() && stake.NextCall(opElectionRefused) == nil
}
