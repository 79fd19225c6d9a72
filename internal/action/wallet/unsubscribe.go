package wallet

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "unsubscribe", Phase: 37,
		Match: action.Call(opDestructPlugin).Then(action.Call(opDestructPlugin).As("end").Maybe()),
		Build: func(_ *action.Context, m *action.Match) *action.Result {
			return &action.Result{Failed: action.Refused(m.Start), Columns: action.Columns{
				Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Get("end").Account()),
				DestinationSecondary: action.AddressText(m.Start.Account()),
			}}
		},
	})
}
