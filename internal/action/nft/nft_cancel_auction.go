package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "nft_cancel_auction", Phase: 42,
		Match: action.Where(func(b *action.Block) bool { return b.Calls(opAuctionCancel) || hasComment(b, "cancel") }).
			Of(action.TypeCallContract, action.TypeTonTransfer).Then(action.Is("nft_transfer").As("item")),
		Build: buildAuctionEnd,
	})
}
