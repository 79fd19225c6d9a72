package action

func init() {
	Register(Spec{
		Kind: "nft_cancel_auction", Phase: 42,
		Match: Where(func(b *Block) bool { return b.calls(opAuctionCancel) || b.says("cancel") }).
			Of(typeCallContract, typeTonTransfer).Then(Is("nft_transfer").As("item")),
		Build: buildAuctionEnd,
	})
}
