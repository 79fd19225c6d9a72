package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "nft_cancel_auction", Phase: 42,
		Match: action.Where(cancelsAuction).Of(action.TypeCallContract, action.TypeTonTransfer).
			Then(action.Is("nft_transfer").As("item").Untaken()),
		Build: buildAuctionEnd,
	})
}

// cancelsAuction reports whether the block is a request to end an auction before the first bid.
func cancelsAuction(b *action.Block) bool {
	return callsAny(b, opAuctionCancel, opAuctionCancelV4, opAuctionCancelV3) || hasComment(b, "cancel")
}
