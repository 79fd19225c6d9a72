package action

func init() {
	Register(Spec{
		Kind: "dns_purchase", Phase: 24,
		Match: Call(opFillUp).After(Is(typeCallContract).As("claim")), Build: buildDNSPurchase,
	})
}

// buildDNSPurchase takes the price that a domain passes on when whoever won its auction first uses it.
func buildDNSPurchase(c *Context, m *Match) *Result {
	claim, l := m.Get("claim"), m.Start.body()
	query := l.Uint(64)
	if m.Start.from() == nil || claim.from() == nil || l.Err() != nil {
		return nil
	}
	item := c.Records.NFTItem(*m.Start.from())
	if item == nil || !item.isDomain() {
		return nil
	}
	price := m.Start.Msg.Value
	return &Result{
		Failed: m.Start.aborted(),
		Columns: Columns{
			Destination: text(claim.from()), Asset: text(item.Collection), AssetSecondary: text(m.Start.from()),
			Payloads: []Payload{&NFTTransferData{
				QueryID: &query, Index: item.Index, IsPurchase: new(true), Price: price, PayoutAmount: price,
			}},
		},
	}
}
