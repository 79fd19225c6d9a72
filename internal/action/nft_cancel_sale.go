package action

const opSaleCancel = 0x00000003

func init() {
	Register(Spec{
		Kind: "nft_cancel_sale", Phase: 40, Match: Call(opSaleCancel).Then(Is("nft_transfer").As("back")),
		Build: buildNFTCancelSale,
	})
}

func buildNFTCancelSale(c *Context, m *Match) *Result {
	sale, back := saleAt(c, m.Start), m.Get("back").Columns
	if sale == nil || sale.Item == nil || AddressText(sale.Item) != back.AssetSecondary {
		return nil
	}
	return &Result{
		Also: list(sale.Item),
		Columns: Columns{
			Source: back.Destination, Destination: AddressText(m.Start.Account()), Asset: back.Asset,
			AssetSecondary: back.AssetSecondary, Payloads: []Payload{&NFTTransferData{MarketplaceAddress: sale.Marketplace}},
		},
	}
}
