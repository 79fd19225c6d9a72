package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "dns_purchase", Phase: 24,
		Match: action.Call(opFillUp).After(action.Is(action.TypeCallContract).As("claim").Untaken()), Build: buildDNSPurchase,
	})
}

// buildDNSPurchase takes the price that a domain forwards with the first message after its auction. That message, such as a change
// of its records by the winner, is an action of its own.
func buildDNSPurchase(c *action.Context, m *action.Match) *action.Result {
	claim := m.Get("claim")
	if m.Start.From() == nil || claim.From() == nil {
		return nil
	}
	item := c.Records.NFTItem(*m.Start.From())
	if item == nil || !isDomain(item) {
		return nil
	}
	price := m.Start.Msg.Value
	d := &TransferData{QueryID: queryID(m.Start), Index: item.Index, IsPurchase: new(true), Price: price, PayoutAmount: price}
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Destination: action.AddressText(claim.From()), Asset: action.AddressText(item.Collection), AssetSecondary: action.AddressText(m.Start.From()),
			Payloads: []action.Payload{d},
		},
	}
}
