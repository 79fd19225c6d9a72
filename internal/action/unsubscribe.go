package action

func init() {
	Register(Spec{
		Kind: "unsubscribe", Phase: 37,
		Match: Call(opDestructPlugin).Then(Call(opDestructPlugin).As("end").Maybe()),
		Build: func(_ *Context, m *Match) *Result {
			return &Result{Failed: refused(m.Start), Columns: Columns{
				Source: text(m.Start.from()), Destination: text(m.Get("end").account()),
				DestinationSecondary: text(m.Start.account()),
			}}
		},
	})
}
