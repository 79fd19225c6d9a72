package nft

import (
	"context"
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

// readTelemint reads a user name or number, which is its own auction:
//
//	get_telemint_token_name() -> name
//	get_telemint_auction_state() -> (bidder, bid, bid_ts, min_bid, end_time)
//	get_telemint_auction_config() -> (beneficiary, initial_min_bid, max_bid, min_bid_step, min_extend_time, duration)
//	royalty_params() -> (numerator, denominator, destination)
//
// State and configuration throw or are zero while there is no auction; then their values are zero.
func readTelemint(ctx context.Context, p *contract.Probe) (*chain.NFTSale, error) {
	r, err := p.Run(ctx, "get_telemint_token_name")
	if err != nil {
		return nil, err
	}
	d := &chain.TelemintAuction{TokenName: content.SliceText(r.Slice())}
	if r.Err() != nil || d.TokenName == "" {
		return nil, nil //nolint:nilerr // a failing get-method means that it is no telemint item
	}
	if err := auctionState(ctx, p, d); err != nil {
		return nil, err
	}
	if err := auctionConfig(ctx, p, d); err != nil {
		return nil, err
	}
	if r, err = p.Run(ctx, "royalty_params"); err != nil {
		return nil, err
	}
	if n, base, to := r.Int64(), r.Int64(), r.Address(); r.Err() == nil {
		d.RoyaltyNumerator, d.RoyaltyDenominator, d.RoyaltyDestination = n, base, to
	}
	s := &chain.NFTSale{Kind: chain.TelemintSale, Telemint: d, NFT: &p.State.Address}
	if p.Facts.NFTItem != nil {
		s.NFTOwner = p.Facts.NFTItem.Owner
	}
	return s, nil
}

func auctionState(ctx context.Context, p *contract.Probe, d *chain.TelemintAuction) error {
	r, err := p.Run(ctx, "get_telemint_auction_state")
	if err != nil {
		return err
	}
	bidder, bid, at, least, end := r.Address(), price(r), r.Unsigned(64), price(r), r.Int64()
	d.Bid, d.BidTS, d.MinBid = new(big.Int), new(big.Int), new(big.Int)
	if r.Err() == nil {
		d.Bidder, d.Bid, d.BidTS, d.MinBid, d.EndTime = bidder, bid, at, least, end
	}
	return nil
}

func auctionConfig(ctx context.Context, p *contract.Probe, d *chain.TelemintAuction) error {
	r, err := p.Run(ctx, "get_telemint_auction_config")
	if err != nil {
		return err
	}
	to, first, most, step, extend, duration := r.Address(), price(r), price(r), r.Unsigned(64), r.Unsigned(64), r.Unsigned(64)
	d.InitialMinBid, d.MaxBid, d.MinBidStep = new(big.Int), new(big.Int), new(big.Int)
	d.MinExtendTime, d.Duration = new(big.Int), new(big.Int)
	if r.Err() == nil {
		d.Beneficiary, d.InitialMinBid, d.MaxBid, d.MinBidStep = to, first, most, step
		d.MinExtendTime, d.Duration = extend, duration
	}
	return nil
}
