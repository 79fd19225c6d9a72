package action

const (
	opElectionStake    = 0x4e73744b
	opElectionAccepted = 0xf374484c
)

func init() {
	Register(Spec{
		Kind: "election_deposit", Phase: 34,
		Match: toElector(opElectionStake).Then(Call(opElectionAccepted).As("answer").Maybe()),
		Build: buildElectionDeposit,
	})
}

func buildElectionDeposit(_ *Context, m *Match) *Result {
	return &Result{
		Columns: Columns{Source: AddressText(m.Start.From()), Amount: m.Start.Msg.Value}, Failed: m.Get("answer") == nil,
	}
}
