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
