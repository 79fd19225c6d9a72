package action

const (
	opElectionRecover  = 0x47657424
	opElectionReturned = 0xf96f7324
)

func init() {
	Register(Spec{
		Kind: "election_recover", Phase: 35,
		Match: toElector(opElectionRecover).Then(Call(opElectionReturned).As("answer").Maybe()),
		Build: buildElectionRecover,
	})
}

// buildElectionRecover gives no amount when nothing came back.
func buildElectionRecover(_ *Context, m *Match) *Result {
	c, answer := Columns{Source: AddressText(m.Start.From())}, m.Get("answer")
	if answer != nil {
		c.Amount = answer.Msg.Value
	}
	return &Result{Columns: c, Failed: answer == nil}
}
