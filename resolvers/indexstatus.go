package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// IndexStatus is [Service.Status] in the form GraphQL publishes.
func (s *Service) IndexStatus(ctx context.Context) (*chain.IndexStatus, error) {
	st, err := s.Status(ctx)
	if err != nil {
		return nil, err
	}
	out := &chain.IndexStatus{Ranges: st.Ranges, Gaps: st.Gaps}
	if !st.Empty {
		lag := int(st.Lag.Seconds())
		out.First, out.Last, out.LagSeconds = &st.First, &st.Last, &lag
	}
	return out, nil
}

// IndexDigest returns the digests of the full ranges of 1,000 masterchain blocks between two seqnos, as the indexer has stored them.
func (s *Service) IndexDigest(ctx context.Context, within chain.SeqnoRange) ([]*chain.RangeDigest, error) {
	rows, err := s.index.Digests(ctx, within)
	if err != nil {
		return nil, err
	}
	list := make([]*chain.RangeDigest, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	return list, nil
}
