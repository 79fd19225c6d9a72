package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// DNSRecords lists domains by length, then name: one name, or all that a wallet is the address of.
func (s *Service) DNSRecords(ctx context.Context, f chain.DNSFilter, p chain.Page) ([]chain.DNSRecord, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return s.index.DNSRecords(ctx, f, p)
}

// DNSAuctions lists the auctions of domains in which an account bid most, the first to end first. The state is as of the newest block.
func (s *Service) DNSAuctions(ctx context.Context, f chain.DNSAuctionFilter, p chain.Page) ([]chain.DNSAuction, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	if f.Now, err = s.chainTime(ctx); err != nil {
		return nil, err
	}
	return s.index.DNSAuctions(ctx, f, p)
}

// DNSAuctionTime is the unix time that the state of auctions is of: that of the newest block, 0 without one.
func (s *Service) DNSAuctionTime(ctx context.Context) (uint32, error) { return s.chainTime(ctx) }
