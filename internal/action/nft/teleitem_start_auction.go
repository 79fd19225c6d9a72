package nft

import (
	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "teleitem_start_auction", Phase: 30,
		Match: action.Call(opTeleitemStart).Then(action.Call(opTeleitemOK).Maybe()), Build: buildTeleitemStart,
	})
}

// buildTeleitemStart reads the terms. The item rejects a request with other terms, whose amounts are 0.
//
//	teleitem_start_auction#487a8e81 query_id:int64 auction_config:^TeleitemAuctionConfig
//	teleitem_auction_config$_ beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8
//	  min_extend_time:uint32 duration:uint32
func buildTeleitemStart(c *action.Context, m *action.Match) *action.Result {
	item, l := c.NFTItem(m.Start), m.Start.Body()
	l.Uint(64)
	config := contract.Load(l.Ref())
	d := &ListingData{
		MinBid: zeroCoins(), MaxBid: zeroCoins(), MarketplaceFeeFactor: zeroCoins(), MarketplaceFeeBase: zeroCoins(),
		RoyaltyFeeBase: zeroCoins(), Marketplace: new(fragment),
	}
	if item == nil || !onFragment(item) || l.Err() != nil {
		return nil
	}
	beneficiary, minBid, maxBid := config.Address(), config.Coins(), config.Coins()
	config.Uint(8)
	config.Uint(64)
	if config.Err() == nil {
		d.MarketplaceFeeAddress, d.MinBid, d.MaxBid = beneficiary, minBid, maxBid
	}
	d.Index = item.Index
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: action.AddressText(item.Collection),
			AssetSecondary: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
		},
	}
}
