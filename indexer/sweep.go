package indexer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

const (
	// Cells are removed when a quarter as many transactions were dropped as are retained, and at least minSweep. All of these are read then.
	sweepShare = 4
	minSweep   = 10_000
	// sweepAtFirst and sweepAtOnce are how many pages of cells one database transaction looks at, at first and at most.
	sweepAtFirst = 4
	sweepAtOnce  = 64
)

// errSweepDue ends a session, so that the next one begins with a sweep of cells and has no older run.
var errSweepDue = errors.New("cells are to be removed")

// beginSweep begins a sweep of cells if one is due, for [Indexer.retain]. It is called before the runs of a session begin.
func (x *Indexer) beginSweep(ctx context.Context) (*store.CellSweep, error) {
	w := x.db.Writer()
	w.RenewCells()
	garbage, err := w.CellGarbage(ctx)
	if err != nil {
		return nil, err
	}
	if x.opts.Keep.Unlimited() {
		if garbage.Unfinished {
			err = w.EndSweep(ctx)
		}
		return nil, err
	}
	due, err := x.sweepDue(ctx, garbage)
	if err != nil || !due && !garbage.Unfinished {
		return nil, err
	}
	return w.BeginSweep(ctx)
}

// sweepDue reports whether enough was dropped for a sweep.
func (x *Indexer) sweepDue(ctx context.Context, garbage store.CellGarbage) (bool, error) {
	if garbage.Dropped < x.minSweep {
		return false, nil
	}
	c, err := x.db.Reader().VerificationCounts(ctx)
	return garbage.Dropped >= (c.Replayed+c.Mismatch+c.Proven+c.Unverified+c.OldRules)/sweepShare, err
}

// endForSweep returns errSweepDue if a sweep is due.
func (x *Indexer) endForSweep(ctx context.Context) error {
	garbage, err := x.db.Writer().CellGarbage(ctx)
	if err != nil {
		return err
	}
	due, err := x.sweepDue(ctx, garbage)
	if err == nil && due {
		err = errSweepDue
	}
	return err
}

// sweep removes the cells that no state refers to. When it fails, the next one begins after as many transactions were dropped again.
func (x *Indexer) sweep(ctx context.Context, s *store.CellSweep) error {
	began := time.Now()
	removed, err := x.sweepAll(ctx, s)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		x.opts.Logger.Warn("removal of unused cells failed", "err", err, "rows", removed)
	} else {
		x.opts.Logger.Info("unused cells removed", "rows", removed, "took", time.Since(began))
	}
	return x.db.Writer().EndSweep(ctx)
}

func (x *Indexer) sweepAll(ctx context.Context, s *store.CellSweep) (removed int, err error) {
	pace := func(ctx context.Context, took time.Duration) error {
		ctxtime.Sleep(ctx, took)
		return ctx.Err()
	}
	if err := s.Use(ctx, cellsOfRest, pace); err != nil {
		return 0, err
	}
	if err := s.Parts(ctx, pace); err != nil {
		return 0, err
	}
	for pages := sweepAtFirst; ; {
		began := time.Now()
		step, err := s.Remove(ctx, pages)
		if err != nil || step.Done {
			return removed + step.Removed, err
		}
		removed += step.Removed
		x.metrics.removedCells.Add(float64(step.Removed))
		pages = max(nextLimit(pages, sweepAtOnce, step.Locked), 1)
		if err := pace(ctx, time.Since(began)); err != nil {
			return removed, err
		}
	}
}

// cellsOfRest is [store.RestCells]: the libraries of an account.
func cellsOfRest(rest []byte, use func(chain.Hash)) error {
	r, err := rebuild.ParseAccountRest(rest, 0)
	if err != nil {
		return fmt.Errorf("rest of a state: %w", err)
	}
	if r.Libraries != nil {
		use(*r.Libraries)
	}
	if r.Cell != nil {
		return cellparts.Branches(r.Cell, use)
	}
	return nil
}
