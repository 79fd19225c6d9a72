package action

func init() {
	Register(Spec{
		Kind: "nft_finish_auction", Phase: 41,
		Match: Where(endsAuction).Of(TypeCallContract, TypeTonTransfer).Then(Is("nft_purchase", "nft_transfer").As("item")),
		Build: buildAuctionEnd,
	})
}

// endsAuction says that the block asks an auction to give the item to whoever bid most, or back when nobody did.
func endsAuction(b *Block) bool {
	return b.Calls(opAuctionFinish) || b.Calls(opAuctionStop) || hasComment(b, "finish", "stop")
}

// buildAuctionEnd serves auctions that were finished and those that were cancelled: the item left either way.
func buildAuctionEnd(c *Context, m *Match) *Result {
	auction, item := auctionAt(c, m.Start), m.Get("item")
	if auction == nil || auction.Item == nil || AddressText(auction.Item) != item.Columns.AssetSecondary {
		return nil
	}
	row := Columns{
		Source: item.Columns.Destination, Destination: AddressText(m.Start.Account()), Asset: item.Columns.Asset,
		AssetSecondary: item.Columns.AssetSecondary,
	}
	if item.Type == "nft_transfer" {
		row.Payloads = []Payload{&NFTTransferData{MarketplaceAddress: auction.Marketplace}}
	}
	return &Result{Also: list(auction.Item), Columns: row}
}
