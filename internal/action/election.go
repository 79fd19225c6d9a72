package action

const (
	opElectionStake    = 0x4e73744b
	opElectionAccepted = 0xf374484c
	opElectionRecover  = 0x47657424
	opElectionReturned = 0xf96f7324

	elector = "-1:3333333333333333333333333333333333333333333333333333333333333333"
)

func init() {
	Register(Spec{
		Kind: "election_deposit", Phase: 34,
		Match: toElector(opElectionStake).Then(Call(opElectionAccepted).As("answer").Maybe()),
		Build: func(_ *Context, m *Match) *Result {
			return &Result{
				Columns: Columns{Source: text(m.Start.from()), Amount: m.Start.Msg.Value}, Failed: m.Get("answer") == nil,
			}
		},
	})
	Register(Spec{
		Kind: "election_recover", Phase: 35,
		Match: toElector(opElectionRecover).Then(Call(opElectionReturned).As("answer").Maybe()),
		Build: func(_ *Context, m *Match) *Result {
			c, answer := Columns{Source: text(m.Start.from())}, m.Get("answer")
			if answer != nil {
				c.Amount = answer.Msg.Value
			}
			return &Result{Columns: c, Failed: answer == nil}
		},
	})
}

func toElector(op uint32) *Pattern {
	return Where(func(b *Block) bool { return b.calls(op) && text(b.account()) == elector })
}
