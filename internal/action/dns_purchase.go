package action

func init() {
	Register(Spec{
		Kind: "dns_purchase", Phase: 24,
		Match: Call(opFillUp).After(Is(TypeCallContract).As("claim")), Build: buildDNSPurchase,
	})
}

// buildDNSPurchase takes the price that a domain passes on when whoever won its auction first uses it.
func buildDNSPurchase(c *Context, m *Match) *Result {
	claim, l := m.Get("claim"), m.Start.Body()
	query := l.Uint(64)
	if m.Start.From() == nil || claim.From() == nil || l.Err() != nil {
		return nil
	}
	item := c.Records.NFTItem(*m.Start.From())
	if item == nil || !item.isDomain() {
		return nil
	}
	price := m.Start.Msg.Value
	return &Result{
		Failed: m.Start.Aborted(),
		Columns: Columns{
			Destination: AddressText(claim.From()), Asset: AddressText(item.Collection), AssetSecondary: AddressText(m.Start.From()),
			Payloads: []Payload{&NFTTransferData{
				QueryID: &query, Index: item.Index, IsPurchase: new(true), Price: price, PayoutAmount: price,
			}},
		},
	}
}
