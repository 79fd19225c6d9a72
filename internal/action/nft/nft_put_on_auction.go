package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "nft_put_on_auction", Phase: 29, Match: action.Where(isListed).Of("nft_transfer"), Build: buildNFTPutOnAuction,
	})
}

func buildNFTPutOnAuction(c *action.Context, m *action.Match) *action.Result {
	l := listed(m.Start)
	r := auctionAt(c, l.deploy)
	if r == nil || !l.offers(m.Start, r.Item, r.Owner) {
		return nil
	}
	t := auctionTerms(initState(l.deploy.Msg.Init.Cell()))
	if t == nil {
		return nil
	}
	m.Take(l.deploy)
	m.Take(l.pass)
	row := l.columns(m.Start)
	d := t.ListingData
	d.Marketplace = new(getgems)
	if given := nftData(m.Start); given != nil {
		d.Index = given.Index
	}
	row.Payloads = []action.Payload{&TransferData{MarketplaceAddress: t.market}, &d}
	return &action.Result{Columns: row, Failed: !l.pass.Success}
}
