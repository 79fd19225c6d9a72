package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "nft_put_on_auction", Phase: 29, Match: action.Where(isListed).Of("nft_transfer"), Build: buildNFTPutOnAuction,
	})
}

func buildNFTPutOnAuction(c *action.Context, m *action.Match) *action.Result {
	l := listed(m.Start)
	if auctionAt(c, l.deploy) == nil {
		return nil
	}
	m.Take(l.deploy)
	m.Take(l.pass)
	row, t := l.columns(m.Start), auctionTerms(initState(l.deploy.Msg.Init.Cell()))
	d := t.ListingData
	d.Marketplace = new(getgems)
	if given := nftData(m.Start); given != nil {
		d.Index = given.Index
	}
	row.Payloads = []action.Payload{&TransferData{MarketplaceAddress: t.market}, &d}
	return &action.Result{Columns: row}
}
