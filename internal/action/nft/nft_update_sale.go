package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{Kind: "nft_update_sale", Phase: 25, Match: action.Call(opSaleUpdate, opSaleUpdateV4), Build: buildNFTUpdateSale})
}

// buildNFTUpdateSale reads the new terms. Fees of version 4 are parts of the price, which do not change.
//
//	update#6c6c2080 query_id:uint64 full_price:Coins marketplace_fee:Coins royalty:Coins
//	change_price#fd135f7b query_id:uint64 full_price:Coins jetton_prices:(HashmapE 256 …), of version 4
func buildNFTUpdateSale(c *action.Context, m *action.Match) *action.Result {
	sale, l := saleAt(c, m.Start), m.Start.Body()
	l.Uint(64)
	d := &ListingData{FullPrice: l.Coins()}
	if m.Start.Calls(opSaleUpdate) {
		d.MarketplaceFee, d.RoyaltyAmount = l.Coins(), l.Coins()
	}
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
