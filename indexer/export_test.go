package indexer

import (
	"context"
	"time"
)

// SetMove replaces how many rows of an earlier version one transaction moves, and how long the old tables stay after that.
func (x *Indexer) SetMove(rows int, keep time.Duration) {
	x.opts.Move.Rows, x.opts.Move.Keep = rows, max(keep, 1) // 0 is the default
}

// RunDigests computes the digests that are missing until ctx ends, with a shortest pause between two computations.
func (x *Indexer) RunDigests(ctx context.Context, pause time.Duration) error {
	x.digestPause = pause
	return x.digests(ctx)
}

// RunDays computes the sums per day that are missing until ctx ends, with a shortest pause between two computations.
func (x *Indexer) RunDays(ctx context.Context, pause time.Duration) error {
	x.digestPause = pause
	return x.days(ctx)
}

// RunTokens counts tokens until ctx ends, with the shortest pause between two counts.
func (x *Indexer) RunTokens(ctx context.Context, pause time.Duration) error {
	x.digestPause = pause
	return x.tokens(ctx)
}

// SetMinSweep replaces after how many dropped transactions cells are removed at the earliest.
func (x *Indexer) SetMinSweep(transactions uint64) { x.minSweep = transactions }

// Sweep removes the cells that no state refers to.
func (x *Indexer) Sweep(ctx context.Context) error {
	s, err := x.db.Writer().BeginSweep(ctx)
	if err != nil {
		return err
	}
	return x.sweep(ctx, s)
}

// MaxFailing is maxFailing.
const MaxFailing = maxFailing
