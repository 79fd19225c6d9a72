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
	"tonql/internal/store/cellsweep"
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

// beginSweep begins a sweep of cells if one is due, for [Indexer.retain]. It is called before the runs of a session begin. After an error,
// retain tries again later.
func (x *Indexer) beginSweep(ctx context.Context) *cellsweep.Sweep {
	w := x.db.Writer()
	w.RenewCells()
	if x.opts.Keep.Unlimited() {
		return nil
	}
	due, err := x.needsSweep(ctx)
	if err != nil || !due {
		x.sweepFailed(ctx, err)
		return nil
	}
	s, err := w.BeginSweep(ctx)
	x.sweepFailed(ctx, err)
	return s
}

func (x *Indexer) sweepFailed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		x.opts.Logger.Warn("removal of unused cells failed, retrying", "err", err)
	}
}

// needsSweep reports whether a sweep is due, or one began and did not end.
func (x *Indexer) needsSweep(ctx context.Context) (bool, error) {
	garbage, err := x.db.Writer().CellGarbage(ctx)
	if err != nil || garbage.Unfinished {
		return err == nil, err
	}
	return x.sweepDue(ctx, garbage)
}

// sweepDue reports whether enough was dropped for a sweep.
func (x *Indexer) sweepDue(ctx context.Context, garbage cellsweep.Garbage) (bool, error) {
	if garbage.Dropped < x.minSweep {
		return false, nil
	}
	c, err := x.db.Reader().VerificationCounts(ctx)
	return garbage.Dropped >= (c.Replayed+c.Mismatch+c.Proven+c.Unverified+c.OldRules)/sweepShare, err
}

// endUnfinished records that no sweep runs, where nothing is dropped any more.
func (x *Indexer) endUnfinished(ctx context.Context) error {
	return x.endSweep(ctx, func(ctx context.Context) error {
		garbage, err := x.db.Writer().CellGarbage(ctx)
		if err != nil || !garbage.Unfinished {
			return err
		}
		return x.db.Writer().EndSweep(ctx)
	})
}

// endSweep calls end until it succeeds or ctx ends: until then writers record what they use, and nothing is dropped.
func (x *Indexer) endSweep(ctx context.Context, end func(context.Context) error) error {
	pause := newPause()
	for first := true; ; first = false {
		err := end(ctx)
		if err == nil {
			return nil
		}
		if first {
			x.sweepFailed(ctx, err)
		}
		if !ctxtime.Sleep(ctx, pause.NextBackOff()) {
			return ctx.Err()
		}
	}
}

// sweep removes the cells that no state refers to. When it fails, the next one begins after as many transactions were dropped again. Its
// error is that of ctx.
func (x *Indexer) sweep(ctx context.Context, s *cellsweep.Sweep) error {
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
	return x.endSweep(ctx, s.End)
}

func (x *Indexer) sweepAll(ctx context.Context, s *cellsweep.Sweep) (removed int, err error) {
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

// cellsOfRest is [cellsweep.RestCells]: the libraries of an account.
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
