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
		Source: text(m.Start.from()), Destination: text(pay.account()), DestinationSecondary: text(m.Start.account()),
		Amount: m.Start.Msg.Value,
	}
	if request != nil {
		l := request.body()
		l.Uint(64)
		if n := l.Coins(); l.Err() == nil {
			c.Amount = n
		}
	}
	return &Result{Columns: c, Failed: request != nil && request.aborted()}
}
