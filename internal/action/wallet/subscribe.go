package wallet

import "tonql/internal/action"

const (
	opSubscribe       = 0xf06c7567
	opSubscriptionPay = 0x73756273
	opRequestFunds    = 0x706c7567
	opDestructPlugin  = 0x64737472
)

func init() {
	action.Register(action.Spec{
		Kind: "subscribe", Phase: 36,
		Match: action.Call(opSubscribe).After(action.Call(opRequestFunds).As("request").Maybe()).Then(action.Call(opSubscriptionPay).As("pay")),
		Build: buildSubscribe,
	})
}

// buildSubscribe prefers the amount that the subscription requested from the wallet.
//
//	request_funds#706c7567 query_id:uint64 amount:Coins extra:(HashmapE 32 Coins) = InternalMsgBody;
func buildSubscribe(_ *action.Context, m *action.Match) *action.Result {
	pay, request := m.Get("pay"), m.Get("request")
	c := action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(pay.Account()), DestinationSecondary: action.AddressText(m.Start.Account()),
		Amount: m.Start.Msg.Value,
	}
	if request != nil {
		l := request.Body()
		l.Uint(64)
		if n := l.Coins(); l.Err() == nil {
			c.Amount = n
		}
	}
	return &action.Result{Columns: c, Failed: request != nil && request.Aborted()}
}
