package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// Vestings lists vesting wallets by address, ascending unless p says otherwise.
func (s *Service) Vestings(ctx context.Context, f chain.VestingFilter, p chain.Page) ([]chain.Vesting, error) {
	p, err := s.lists(p, list{"contract_address", len(f.Contracts)}, list{"wallet_address", len(f.Wallets)})
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	return s.index.Vestings(ctx, f, p)
}
