package nft

import "tonql/internal/action"

const opSaleUpdate = 0x6c6c2080

func init() {
	action.Register(action.Spec{Kind: "nft_update_sale", Phase: 25, Match: action.Call(opSaleUpdate), Build: buildNFTUpdateSale})
}

// buildNFTUpdateSale reads the new terms.
//
//	update#6c6c2080 query_id:uint64 full_price:Coins marketplace_fee:Coins royalty:Coins
func buildNFTUpdateSale(c *action.Context, m *action.Match) *action.Result {
	sale, l := saleAt(c, m.Start), m.Start.Body()
	l.Uint(64)
	d := &ListingData{FullPrice: l.Coins(), MarketplaceFee: l.Coins(), RoyaltyAmount: l.Coins()}
	if sale == nil || l.Err() != nil {
		return nil
	}
	return &action.Result{
		Failed: action.Refused(m.Start),
		Also:   list(sale.Item),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), AssetSecondary: action.AddressText(sale.Item),
			Payloads: []action.Payload{&TransferData{MarketplaceAddress: sale.Marketplace}, d},
		},
	}
}
