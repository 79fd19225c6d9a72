package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "teleitem_cancel_auction", Phase: 31,
		Match: action.Call(opTeleitemCancel).Then(action.Call(opTeleitemOK).Maybe()), Build: buildTeleitemCancel,
	})
}

func buildTeleitemCancel(c *action.Context, m *action.Match) *action.Result {
	item := c.NFTItem(m.Start)
	if item == nil || !onFragment(item) {
		return nil
	}
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: action.AddressText(item.Collection),
			AssetSecondary: action.AddressText(m.Start.Account()),
		},
	}
}
