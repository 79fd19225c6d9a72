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
