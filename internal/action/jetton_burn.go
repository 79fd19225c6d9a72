package action

import "tonql/internal/contract/jetton"

func init() {
	Register(Spec{
		Kind: "jetton_burn", Phase: 18,
		Match: Call(jetton.OpBurn).Then(Call(jetton.OpBurnNotification).As("note").Maybe()),
		Build: buildJettonBurn,
	})
}

func buildJettonBurn(c *Context, m *Match) *Result {
	w := c.JettonWallet(m.Start)
	b, err := jetton.ParseBurn(m.Start.Msg.Body.Cell())
	if w == nil || err != nil {
		return nil
	}
	return &Result{
		Columns: Columns{
			Source: w.Owner.String(), SourceSecondary: AddressText(m.Start.Account()), Asset: w.Jetton.String(), Amount: b.Amount,
		},
		Failed: m.Start.Aborted(),
	}
}
