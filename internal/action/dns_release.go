package action

func init() {
	Register(Spec{Kind: "dns_release", Phase: 23, Match: Call(opReleaseBalance), Build: buildDNSRelease})
}

// buildDNSRelease takes what is sent to a domain nobody renewed: it opens a new auction.
func buildDNSRelease(c *Context, m *Match) *Result {
	item, l := c.item(m.Start), m.Start.body()
	query := l.Uint(64)
	if item == nil || !item.isDomain() || l.Err() != nil {
		return nil
	}
	return &Result{
		Failed: m.Start.aborted(),
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), Asset: text(item.Collection),
			Value: m.Start.Msg.Value, Payloads: []Payload{&NFTTransferData{QueryID: &query, Index: item.Index}},
		},
	}
}
