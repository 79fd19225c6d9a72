package action

func init() {
	Register(Spec{Kind: "dns_release", Phase: 23, Match: Call(opReleaseBalance), Build: buildDNSRelease})
}

// buildDNSRelease takes what is sent to a domain nobody renewed: it opens a new auction.
func buildDNSRelease(c *Context, m *Match) *Result {
	item, l := c.NFTItem(m.Start), m.Start.Body()
	query := l.Uint(64)
	if item == nil || !item.isDomain() || l.Err() != nil {
		return nil
	}
	return &Result{
		Failed: m.Start.Aborted(),
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), Asset: AddressText(item.Collection),
			Value: m.Start.Msg.Value, Payloads: []Payload{&NFTTransferData{QueryID: &query, Index: item.Index}},
		},
	}
}
