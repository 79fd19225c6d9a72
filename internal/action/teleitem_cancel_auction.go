package action

func init() {
	Register(Spec{
		Kind: "teleitem_cancel_auction", Phase: 31,
		Match: Call(opTeleitemCancel).Then(Call(opTeleitemOK).Maybe()), Build: buildTeleitemCancel,
	})
}

func buildTeleitemCancel(c *Context, m *Match) *Result {
	item := c.item(m.Start)
	if item == nil || !item.onFragment() {
		return nil
	}
	return &Result{
		Failed: m.Start.aborted(),
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), Asset: text(item.Collection),
			AssetSecondary: text(m.Start.account()),
		},
	}
}
