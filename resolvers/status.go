package resolvers

import (
	"context"
	"time"

	"tonql/internal/chain"
)

// Status is the state of the index.
type Status struct {
	Network string
	Empty   bool // nothing indexed yet; then First and Last are zero
	First   chain.Block
	Last    chain.Block
	Ranges  []chain.SeqnoRange // runs of masterchain seqnos wholly indexed, ascending
	Gaps    []chain.SeqnoRange // what lies between them, ascending
	Lag     time.Duration      // age of the newest indexed masterchain block
}

// Status reads the state of the index.
func (s *Service) Status(ctx context.Context) (Status, error) {
	st := Status{Network: s.opts.Network}
	info, err := s.MasterchainInfo(ctx)
	if chain.KindOf(err) == chain.NotFound && err != nil {
		st.Empty = true
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.First, st.Last = info.First, info.Last
	st.Lag = max(0, time.Since(time.Unix(int64(info.Last.GenUtime), 0)))
	if st.Ranges, err = s.index.Ranges(ctx); err != nil {
		return st, err
	}
	st.Gaps = chain.Gaps(st.Ranges)
	return st, nil
}
