package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "nft_finish_auction", Phase: 41,
		Match: action.Where(endsAuction).Of(action.TypeCallContract, action.TypeTonTransfer).
			Then(action.Is("nft_purchase", "nft_transfer").As("item").Untaken()),
		Build: buildAuctionEnd,
	})
}

// endsAuction reports whether the block is a request to end an auction: the item goes to the highest bidder, or back without
// one.
func endsAuction(b *action.Block) bool {
	return callsAny(b, opAuctionFinish, opAuctionStop, opAuctionFinishV4, opAuctionStopV3) || hasComment(b, "finish", "stop")
}

// buildAuctionEnd builds finished and cancelled auctions: in both, the item leaves the auction, by an action of its own.
func buildAuctionEnd(c *action.Context, m *action.Match) *action.Result {
	auction, item := auctionAt(c, m.Start), m.Get("item")
	if auction == nil || auction.Item == nil || action.AddressText(auction.Item) != item.Columns.AssetSecondary {
		return nil
	}
	row := action.Columns{
		Source: item.Columns.Destination, Destination: action.AddressText(m.Start.Account()), Asset: item.Columns.Asset,
		AssetSecondary: item.Columns.AssetSecondary,
	}
	if item.Type == "nft_transfer" {
		row.Payloads = []action.Payload{&TransferData{MarketplaceAddress: auction.Marketplace}}
	}
	return &action.Result{Also: list(auction.Item), Columns: row, Failed: !item.Success}
}
