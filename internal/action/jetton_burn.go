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
	w := c.wallet(m.Start)
	b, err := jetton.ParseBurn(m.Start.Msg.Body)
	if w == nil || err != nil {
		return nil
	}
	return &Result{
		Columns: Columns{
			Source: addr(w.Owner), SourceSecondary: text(m.Start.account()), Asset: addr(w.Jetton), Amount: b.Amount,
		},
		Failed: m.Start.aborted(),
	}
}
