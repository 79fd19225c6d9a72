package v3

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

func appendNFTSale(b []byte, s *resolvers.NFTSaleState) []byte {
	b = handler.AppendString(append(b, `{"type":`...), s.Kind.String())
	b = handler.AppendAddress(append(b, `,"address":`...), &s.Address)
	b = appendAddressIf(b, `,"nft_address":`, s.NFT)
	b = appendAddressIf(b, `,"nft_owner_address":`, s.NFTOwner)
	b = appendAddressIf(b, `,"marketplace_address":`, s.Marketplace)
	if s.CreatedAt != nil {
		b = handler.AppendUint(append(b, `,"created_at":`...), *s.CreatedAt)
	}
	b = appendReadFrom(b, s.LastTxLT, &s.CodeHash, &s.DataHash)
	if s.Item != nil {
		b = appendNFTItem(append(b, `,"nft_item":`...), s.Item)
	}
	b = append(b, `,"details":`...)
	switch {
	case s.FixedPrice != nil:
		b = appendFixedPrice(b, s.FixedPrice)
	case s.Auction != nil:
		b = appendAuction(b, s.Auction)
	case s.Telemint != nil:
		b = appendTelemint(b, s.Telemint)
	default:
		b = append(b, "{}"...)
	}
	return append(b, '}')
}

func appendFixedPrice(b []byte, d *chain.NFTFixedPrice) []byte {
	b = handler.AppendBool(append(b, `{"is_complete":`...), d.IsComplete)
	b = appendBigIf(b, `,"full_price":`, d.FullPrice)
	b = appendAddressIf(b, `,"marketplace_fee_address":`, d.MarketplaceFeeAddress)
	b = appendBigIf(b, `,"marketplace_fee":`, d.MarketplaceFee)
	b = appendAddressIf(b, `,"royalty_address":`, d.RoyaltyAddress)
	return append(appendBigIf(b, `,"royalty_amount":`, d.RoyaltyAmount), '}')
}

func appendAuction(b []byte, d *chain.NFTAuction) []byte {
	b = handler.AppendBool(append(b, `{"end_flag":`...), d.End)
	b = handler.AppendInt(append(b, `,"end_time":`...), d.EndTime)
	b = appendBigIf(b, `,"last_bid":`, d.LastBid)
	b = appendAddressIf(b, `,"last_member":`, d.LastMember)
	b = handler.AppendInt(append(b, `,"min_step":`...), d.MinStep)
	b = appendAddressIf(b, `,"mp_fee_address":`, d.MpFeeAddress)
	b = handler.AppendInt(append(b, `,"mp_fee_factor":`...), d.MpFeeFactor)
	b = handler.AppendInt(append(b, `,"mp_fee_base":`...), d.MpFeeBase)
	b = appendAddressIf(b, `,"royalty_fee_address":`, d.RoyaltyFeeAddress)
	b = handler.AppendInt(append(b, `,"royalty_fee_factor":`...), d.RoyaltyFeeFactor)
	b = handler.AppendInt(append(b, `,"royalty_fee_base":`...), d.RoyaltyFeeBase)
	b = appendBigIf(b, `,"max_bid":`, d.MaxBid)
	b = appendBigIf(b, `,"min_bid":`, d.MinBid)
	b = handler.AppendInt(append(b, `,"last_bid_at":`...), d.LastBidAt)
	b = handler.AppendBool(append(b, `,"is_canceled":`...), d.IsCanceled)
	return append(b, '}')
}

func appendTelemint(b []byte, d *chain.TelemintAuction) []byte {
	b = handler.AppendString(append(b, `{"token_name":`...), d.TokenName)
	b = appendAddressIf(b, `,"bidder_address":`, d.Bidder)
	b = appendBigIf(b, `,"bid":`, d.Bid)
	b = appendBigIf(b, `,"bid_ts":`, d.BidTS)
	b = appendBigIf(b, `,"min_bid":`, d.MinBid)
	b = handler.AppendInt(append(b, `,"end_time":`...), d.EndTime)
	b = appendAddressIf(b, `,"beneficiary_address":`, d.Beneficiary)
	b = appendBigIf(b, `,"initial_min_bid":`, d.InitialMinBid)
	b = appendBigIf(b, `,"max_bid":`, d.MaxBid)
	b = appendBigIf(b, `,"min_bid_step":`, d.MinBidStep)
	b = appendBigIf(b, `,"min_extend_time":`, d.MinExtendTime)
	b = appendBigIf(b, `,"duration":`, d.Duration)
	b = handler.AppendInt(append(b, `,"royalty_numerator":`...), d.RoyaltyNumerator)
	b = handler.AppendInt(append(b, `,"royalty_denominator":`...), d.RoyaltyDenominator)
	return append(appendAddressIf(b, `,"royalty_destination":`, d.RoyaltyDestination), '}')
}

func appendBigIf(b []byte, name string, v *big.Int) []byte {
	if v == nil {
		return b
	}
	return handler.AppendBig(append(b, name...), v)
}
