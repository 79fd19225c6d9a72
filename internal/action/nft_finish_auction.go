package action

func init() {
	Register(Spec{
		Kind: "nft_finish_auction", Phase: 41,
		Match: Where(endsAuction).Of(typeCallContract, typeTonTransfer).Then(Is("nft_purchase", "nft_transfer").As("item")),
		Build: buildAuctionEnd,
	})
}

// endsAuction says that the block asks an auction to give the item to whoever bid most, or back when nobody did.
func endsAuction(b *Block) bool {
	return b.calls(opAuctionFinish) || b.calls(opAuctionStop) || b.says("finish", "stop")
}

// buildAuctionEnd serves auctions that were finished and those that were cancelled: the item left either way.
func buildAuctionEnd(c *Context, m *Match) *Result {
	auction, item := c.auction(m.Start), m.Get("item")
	if auction == nil || auction.Item == nil || text(auction.Item) != item.columns.AssetSecondary {
		return nil
	}
	row := Columns{
		Source: item.columns.Destination, Destination: text(m.Start.account()), Asset: item.columns.Asset,
		AssetSecondary: item.columns.AssetSecondary,
	}
	if item.Type == "nft_transfer" {
		row.Payloads = []Payload{&NFTTransferData{MarketplaceAddress: auction.Marketplace}}
	}
	return &Result{Also: list(auction.Item), Columns: row}
}
