package action

func init() {
	Register(Spec{
		Kind: "nft_cancel_auction", Phase: 42,
		Match: Where(func(b *Block) bool { return b.Calls(opAuctionCancel) || hasComment(b, "cancel") }).
			Of(TypeCallContract, TypeTonTransfer).Then(Is("nft_transfer").As("item")),
		Build: buildAuctionEnd,
	})
}
