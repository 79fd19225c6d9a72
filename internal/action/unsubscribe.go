package action

func init() {
	Register(Spec{
		Kind: "unsubscribe", Phase: 37,
		Match: Call(opDestructPlugin).Then(Call(opDestructPlugin).As("end").Maybe()),
		Build: func(_ *Context, m *Match) *Result {
			return &Result{Failed: Refused(m.Start), Columns: Columns{
				Source: AddressText(m.Start.From()), Destination: AddressText(m.Get("end").Account()),
				DestinationSecondary: AddressText(m.Start.Account()),
			}}
		},
	})
}
