package nft

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "nft_cancel_sale", Phase: 40,
		Match: action.Where(func(b *action.Block) bool { return b.Calls(opSaleCancel) || hasComment(b, "cancel") }).
			Of(action.TypeCallContract, action.TypeTonTransfer).Then(action.Is("nft_transfer").As("back").Untaken()),
		Build: buildNFTCancelSale,
	})
}

// buildNFTCancelSale takes the request. The return of the item is an action of its own.
func buildNFTCancelSale(c *action.Context, m *action.Match) *action.Result {
	sale, item := saleAt(c, m.Start), m.Get("back")
	back := item.Columns
	if sale == nil || sale.Item == nil || action.AddressText(sale.Item) != back.AssetSecondary {
		return nil
	}
	return &action.Result{
		Also:   list(sale.Item),
		Failed: !item.Success,
		Columns: action.Columns{
			Source: back.Destination, Destination: action.AddressText(m.Start.Account()), Asset: back.Asset,
			AssetSecondary: back.AssetSecondary, Payloads: []action.Payload{&TransferData{MarketplaceAddress: sale.Marketplace}},
		},
	}
}
