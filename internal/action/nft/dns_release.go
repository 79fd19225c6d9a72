package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{Kind: "dns_release", Phase: 23, Match: action.Call(opReleaseBalance), Build: buildDNSRelease})
}

// buildDNSRelease takes coins to an expired domain, which open a new auction.
func buildDNSRelease(c *action.Context, m *action.Match) *action.Result {
	item := c.NFTItem(m.Start)
	if item == nil || !isDomain(item) {
		return nil
	}
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: action.AddressText(item.Collection),
			Value: m.Start.Msg.Value, Payloads: []action.Payload{&TransferData{QueryID: queryID(m.Start), Index: item.Index}},
		},
	}
}
