package action

import "math/big"

const (
	opSubscribe       = 0xf06c7567
	opSubscriptionPay = 0x73756273
	opInstallPlugin   = 0x706c7567
	opDestructPlugin  = 0x64737472
)

func init() {
	Register(Spec{
		Kind: "subscribe", Phase: 36,
		Match: Call(opSubscribe).After(Call(opInstallPlugin).As("install").Maybe()).Then(Call(opSubscriptionPay).As("pay")),
		Build: buildSubscribe,
	})
}

func buildSubscribe(_ *Context, m *Match) *Result {
	pay, install := m.Get("pay"), m.Get("install")
	c := Columns{
		Source: text(m.Start.from()), Destination: text(pay.account()), DestinationSecondary: text(m.Start.account()),
		Amount: m.Start.Msg.Value,
	}
	if install != nil {
		l := install.body()
		if n := l.Coins(); l.Err() == nil {
			c.Amount = new(big.Int).Set(n)
		}
	}
	return &Result{Columns: c, Failed: install != nil && install.aborted()}
}
