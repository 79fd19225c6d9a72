package action

func init() {
	Register(Spec{
		Kind: "teleitem_cancel_auction", Phase: 31,
		Match: Call(opTeleitemCancel).Then(Call(opTeleitemOK).Maybe()), Build: buildTeleitemCancel,
	})
}

func buildTeleitemCancel(c *Context, m *Match) *Result {
	item := c.NFTItem(m.Start)
	if item == nil || !item.onFragment() {
		return nil
	}
	return &Result{
		Failed: m.Start.Aborted(),
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), Asset: AddressText(item.Collection),
			AssetSecondary: AddressText(m.Start.Account()),
		},
	}
}
