package action

func init() {
	Register(Spec{
		Kind: "nft_put_on_sale", Phase: 29, Match: Where(isListed).Of("nft_transfer"), Build: buildNFTPutOnSale,
	})
}

func buildNFTPutOnSale(c *Context, m *Match) *Result {
	l := listed(m.Start)
	if saleAt(c, l.deploy) == nil {
		return nil
	}
	m.Take(l.deploy)
	m.Take(l.pass)
	row, t := l.columns(m.Start), saleTerms(initState(l.deploy.Msg.Init))
	d := t.NFTListingData
	d.Marketplace = new(getgems)
	if given := nftData(m.Start); given != nil {
		d.Index = given.Index
	}
	row.Payloads = []Payload{&NFTTransferData{MarketplaceAddress: t.market}, &d}
	return &Result{Columns: row}
}
