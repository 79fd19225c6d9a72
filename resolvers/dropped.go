package resolvers

import (
	"context"
	"fmt"
)

// dropped is the error about masterchain block mcSeqno, which the index lacks: RangeDropped when it was dropped, otherwise err.
func (s *Service) dropped(ctx context.Context, mcSeqno uint32, err error) error {
	d, failed := s.index.Dropped(ctx)
	switch {
	case failed != nil:
		return failed
	case d.Last == 0 || mcSeqno > d.Last:
		return err
	default:
		return d.Error(fmt.Sprintf("masterchain block %d", mcSeqno))
	}
}

// inDropped is the error about an empty list: RangeDropped when all that it could have, by its last LT or time, was dropped. A limit may be nil.
func (s *Service) inDropped(ctx context.Context, endLT *uint64, endUtime *uint32) error {
	if endLT == nil && endUtime == nil {
		return nil
	}
	d, err := s.index.Dropped(ctx)
	if err != nil || d.Last == 0 {
		return err
	}
	if endLT != nil && *endLT <= d.EndLT || endUtime != nil && *endUtime <= d.GenUtime {
		return d.Error("the requested range")
	}
	return nil
}

// listed returns the rows of a list that may be about dropped blocks.
func listed[T any](ctx context.Context, s *Service, rows []T, err error, endLT *uint64, endUtime *uint32) ([]T, error) {
	if err == nil && len(rows) == 0 {
		err = s.inDropped(ctx, endLT, endUtime)
	}
	return rows, err
}

// ofBlock is the error about a list of what masterchain block mcSeqno committed: NotFound when it has no row and the block is not indexed, and
// RangeDropped, with rows too, when the block was dropped: what is left of it are transactions of traces that ended later. mcSeqno may be nil.
func (s *Service) ofBlock(ctx context.Context, mcSeqno *uint32) error {
	if mcSeqno == nil {
		return nil
	}
	return s.indexed(ctx, *mcSeqno)
}
