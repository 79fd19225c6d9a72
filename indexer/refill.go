package indexer

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// refill fills the gaps between the indexed ranges, and repeats that every Options.Recheck: an operator may remove blocks
// from the database at any time.
func (x *Indexer) refill(ctx context.Context, p *plan) error {
	for {
		if err := x.refillOnce(ctx, p); err != nil {
			return err
		}
		if !ctxtime.Sleep(ctx, x.opts.Recheck) {
			return ctx.Err()
		}
	}
}

// refillOnce fills the present gaps, newest first, with several workers.
func (x *Indexer) refillOnce(ctx context.Context, p *plan) error {
	indexed, err := x.db.Reader().Ranges(ctx)
	if err != nil {
		return fmt.Errorf("indexed ranges: %w", err)
	}
	now := p.update(indexed)
	todo := batches(now.gaps(), x.opts.Batch)
	x.status.setGaps(now.gaps())
	if len(todo) == 0 {
		return nil
	}
	x.opts.Logger.Info("filling gaps", "missing", now.missing(), "batches", len(todo))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(x.opts.Workers)
	for _, batch := range todo {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return x.fill(ctx, now, batch) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	x.opts.Logger.Info("gaps filled", "blocks", now.missing())
	return nil
}

// fill indexes one batch.
func (x *Indexer) fill(ctx context.Context, p *plan, batch chain.SeqnoRange) error {
	if err := x.pipeline(ctx, batch.First, batch.Last); err != nil {
		return err
	}
	indexed, err := x.db.Reader().Ranges(ctx)
	if err != nil {
		return fmt.Errorf("indexed ranges: %w", err)
	}
	x.status.setGaps(p.update(indexed).gaps())
	return nil
}
