package indexer

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/locks"
)

// refill fills the gaps between the indexed ranges, and repeats that every Options.Recheck: an operator may remove blocks
// from the database at any time.
func (x *Indexer) refill(ctx context.Context, lock *locks.Lock, p *plan) error {
	gaps := func(indexed []chain.SeqnoRange) []chain.SeqnoRange {
		now := p.update(indexed)
		now.first = x.first.Load()
		return now.gaps()
	}
	for {
		if _, err := x.refillOnce(ctx, lock, gaps); err != nil {
			return err
		}
		if !ctxtime.Sleep(ctx, x.opts.Recheck) {
			return ctx.Err()
		}
	}
}

// refilled is the result of one pass over the gaps.
type refilled struct {
	batches int // with gaps
	filled  int // of these, by this process; others have claimed the rest
}

// refillOnce fills the present gaps, newest first, with several workers. gaps returns those of the indexed ranges. A batch that a
// worker of another process has claimed is left to it.
func (x *Indexer) refillOnce(ctx context.Context, lock *locks.Lock, gaps func([]chain.SeqnoRange) []chain.SeqnoRange) (refilled, error) {
	indexed, err := x.db.Reader().Ranges(ctx)
	if err != nil {
		return refilled{}, fmt.Errorf("indexed ranges: %w", err)
	}
	if x.opts.Keep.Unlimited() { // read after the ranges: other processes move blocks to cold servers, and back
		if _, err := x.firstRetained(ctx); err != nil {
			return refilled{}, err
		}
	}
	missing := gaps(indexed)
	todo := batches(missing, x.opts.Batch)
	x.status.setGaps(missing)
	if len(todo) == 0 {
		return refilled{}, nil
	}
	ready := x.failing.begin(todo, uint32(x.opts.Batch), time.Now())
	if len(ready) == 0 {
		return refilled{batches: len(todo)}, nil
	}
	x.opts.Logger.Info("filling gaps", "missing", blocksIn(missing), "batches", len(todo))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(x.opts.Workers)
	var filled atomic.Int64
	for _, batch := range ready {
		if ctx.Err() != nil || x.failing.all() {
			break
		}
		group.Go(func() error {
			mine, err := x.fill(ctx, lock, batch, gaps)
			if mine {
				filled.Add(1)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return refilled{}, err
	}
	if int(filled.Load()) == len(todo) {
		x.opts.Logger.Info("gaps filled", "blocks", blocksIn(missing))
	}
	return refilled{batches: len(todo), filled: int(filled.Load())}, nil
}

// fill indexes what is missing of one batch. mine is false when another worker has the batch.
func (x *Indexer) fill(
	ctx context.Context, lock *locks.Lock, batch chain.SeqnoRange, gaps func([]chain.SeqnoRange) []chain.SeqnoRange,
) (mine bool, err error) {
	claim := batch.First / uint32(x.opts.Batch)
	mine, err = lock.Claim(ctx, claim)
	if err != nil || !mine {
		return false, err
	}
	indexed, err := x.db.Reader().Ranges(ctx) // another process may have filled the batch before this one claimed it
	if err != nil {
		return false, fmt.Errorf("indexed ranges: %w", err)
	}
	write := func(ctx context.Context, group ...*chain.MasterBlock) error {
		return x.db.Writer().Fill(ctx, lock, group...)
	}
	for _, gap := range retained(missingIn(batch, indexed), x.first.Load()) {
		err := x.pipeline(ctx, gap.First, gap.Last, write)
		if err != nil && ctx.Err() == nil && ofItself(err) {
			x.setAside(claim, batch, err)
			return false, lock.Unclaim(ctx, claim)
		}
		if err != nil {
			return false, err
		}
	}
	x.failing.wrote(claim)
	if indexed, err = x.db.Reader().Ranges(ctx); err != nil {
		return false, fmt.Errorf("indexed ranges: %w", err)
	}
	x.status.setGaps(gaps(indexed))
	return true, lock.Unclaim(ctx, claim)
}
