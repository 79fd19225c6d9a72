package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// VerificationCounts counts the indexed transactions by the outcome of their verification.
func (s *Service) VerificationCounts(ctx context.Context) (chain.VerificationCounts, error) {
	return s.index.VerificationCounts(ctx)
}

// RowEstimates estimates the number of rows of each object type.
func (s *Service) RowEstimates(ctx context.Context) (chain.RowEstimates, error) {
	return s.index.RowEstimates(ctx)
}

// NFTSaleList lists sales by the address of the contract.
func (s *Service) NFTSaleList(ctx context.Context, f chain.NFTSaleFilter, p chain.Page) ([]chain.NFTSale, error) {
	if f.Longest() == 0 {
		return nil, chain.Invalidf("addresses or sellers are needed")
	}
	return s.index.NFTSaleList(ctx, f, p)
}
