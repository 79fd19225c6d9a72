package action

const opSaleUpdate = 0x6c6c2080

func init() {
	Register(Spec{Kind: "nft_update_sale", Phase: 25, Match: Call(opSaleUpdate), Build: buildNFTUpdateSale})
}

// buildNFTUpdateSale reads the new terms.
//
//	update#6c6c2080 query_id:uint64 full_price:Coins marketplace_fee:Coins royalty:Coins
func buildNFTUpdateSale(c *Context, m *Match) *Result {
	sale, l := saleAt(c, m.Start), m.Start.Body()
	l.Uint(64)
	d := &NFTListingData{FullPrice: l.Coins(), MarketplaceFee: l.Coins(), RoyaltyAmount: l.Coins()}
	if sale == nil || l.Err() != nil {
		return nil
	}
	return &Result{
		Failed: Refused(m.Start),
		Also:   list(sale.Item),
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), AssetSecondary: AddressText(sale.Item),
			Payloads: []Payload{&NFTTransferData{MarketplaceAddress: sale.Marketplace}, d},
		},
	}
}
