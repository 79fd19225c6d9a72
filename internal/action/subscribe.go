package action

const (
	opSubscribe       = 0xf06c7567
	opSubscriptionPay = 0x73756273
	opRequestFunds    = 0x706c7567
	opDestructPlugin  = 0x64737472
)

func init() {
	Register(Spec{
		Kind: "subscribe", Phase: 36,
		Match: Call(opSubscribe).After(Call(opRequestFunds).As("request").Maybe()).Then(Call(opSubscriptionPay).As("pay")),
		Build: buildSubscribe,
	})
}

// buildSubscribe prefers the amount that the subscription asked the wallet for.
//
//	request_funds#706c7567 query_id:uint64 amount:Coins extra:(HashmapE 32 Coins) = InternalMsgBody;
func buildSubscribe(_ *Context, m *Match) *Result {
	pay, request := m.Get("pay"), m.Get("request")
	c := Columns{
		Source: AddressText(m.Start.From()), Destination: AddressText(pay.Account()), DestinationSecondary: AddressText(m.Start.Account()),
		Amount: m.Start.Msg.Value,
	}
	if request != nil {
		l := request.Body()
		l.Uint(64)
		if n := l.Coins(); l.Err() == nil {
			c.Amount = n
		}
	}
	return &Result{Columns: c, Failed: request != nil && request.Aborted()}
}
