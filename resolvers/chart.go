package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// FiatRates returns prices in a currency of states; nil without a source.
func (s *Service) FiatRates() *chain.FiatRates {
	if s.opts.FiatRates == nil {
		return nil
	}
	return s.opts.FiatRates()
}

// NetworkDays returns transactions, fees and active accounts per day between two times, up to the head without an end.
func (s *Service) NetworkDays(ctx context.Context, from, to *uint32) (*chain.NetworkDays, error) {
	within, err := s.days(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return s.index.NetworkDays(ctx, within)
}

// JettonDays returns transfers, holders and supply of a Jetton per day between two times, up to the head without an end.
func (s *Service) JettonDays(ctx context.Context, jetton chain.Address, from, to *uint32) (*chain.JettonDays, error) {
	within, err := s.days(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return s.index.JettonDays(ctx, jetton, within)
}

// days returns the days between two times.
func (s *Service) days(ctx context.Context, from, to *uint32) (chain.DayRange, error) {
	last, err := s.headTime(ctx)
	if err != nil {
		return chain.DayRange{}, err
	}
	if last == nil {
		last = new(uint32)
	}
	return chain.DaysBetween(from, to, *last)
}

// headTime returns the time of the newest masterchain block, nil while the index is empty.
func (s *Service) headTime(ctx context.Context) (*uint32, error) {
	head, err := s.MasterchainInfo(ctx)
	if chain.KindOf(err) == chain.NotFound && err != nil {
		return nil, nil //nolint:nilnil // an empty index has no head
	}
	if err != nil {
		return nil, err
	}
	return &head.Last.GenUtime, nil
}

// Counterparties returns the accounts with which an account exchanged most messages.
func (s *Service) Counterparties(ctx context.Context, account chain.Address, first *int) (*chain.Counterparties, error) {
	limit := 10
	if first != nil {
		limit = *first
	}
	if limit < 1 || limit > chain.MaxCounterparties {
		return nil, chain.Invalidf("first is %d; it must be from 1 to %d", limit, chain.MaxCounterparties)
	}
	until, err := s.headTime(ctx)
	if err != nil {
		return nil, err
	}
	result, err := s.index.Counterparties(ctx, account, limit)
	if err == nil {
		result.CompleteUntil = until
	}
	return result, err
}
