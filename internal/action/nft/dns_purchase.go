package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "dns_purchase", Phase: 24,
		Match: action.Call(opFillUp).After(action.Is(action.TypeCallContract).As("claim")), Build: buildDNSPurchase,
	})
}

// buildDNSPurchase takes the price that a domain forwards when the winner of its auction first uses it.
func buildDNSPurchase(c *action.Context, m *action.Match) *action.Result {
	claim, l := m.Get("claim"), m.Start.Body()
	query := l.Uint(64)
	if m.Start.From() == nil || claim.From() == nil || l.Err() != nil {
		return nil
	}
	item := c.Records.NFTItem(*m.Start.From())
	if item == nil || !isDomain(item) {
		return nil
	}
	price := m.Start.Msg.Value
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Destination: action.AddressText(claim.From()), Asset: action.AddressText(item.Collection), AssetSecondary: action.AddressText(m.Start.From()),
			Payloads: []action.Payload{&TransferData{
				QueryID: &query, Index: item.Index, IsPurchase: new(true), Price: price, PayoutAmount: price,
			}},
		},
	}
}
