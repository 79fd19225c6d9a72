package action

func init() {
	Register(Spec{
		Kind: "nft_put_on_auction", Phase: 29, Match: Where(isListed).Of("nft_transfer"), Build: buildNFTPutOnAuction,
	})
}

func buildNFTPutOnAuction(c *Context, m *Match) *Result {
	l := listed(m.Start)
	if auctionAt(c, l.deploy) == nil {
		return nil
	}
	m.Take(l.deploy)
	m.Take(l.pass)
	row, d := l.columns(m.Start), auctionTerms(initState(l.deploy.Msg.Init)).NFTListingData
	d.Marketplace = new(getgems)
	if given := nftData(m.Start); given != nil {
		d.Index = given.Index
	}
	row.Payloads = []Payload{&d}
	return &Result{Columns: row}
}
