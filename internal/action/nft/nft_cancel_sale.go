package nft

import "tonql/internal/action"

const opSaleCancel = 0x00000003

func init() {
	action.Register(action.Spec{
		Kind: "nft_cancel_sale", Phase: 40, Match: action.Call(opSaleCancel).Then(action.Is("nft_transfer").As("back")),
		Build: buildNFTCancelSale,
	})
}

func buildNFTCancelSale(c *action.Context, m *action.Match) *action.Result {
	sale, back := saleAt(c, m.Start), m.Get("back").Columns
	if sale == nil || sale.Item == nil || action.AddressText(sale.Item) != back.AssetSecondary {
		return nil
	}
	return &action.Result{
		Also: list(sale.Item),
		Columns: action.Columns{
			Source: back.Destination, Destination: action.AddressText(m.Start.Account()), Asset: back.Asset,
			AssetSecondary: back.AssetSecondary, Payloads: []action.Payload{&TransferData{MarketplaceAddress: sale.Marketplace}},
		},
	}
}
