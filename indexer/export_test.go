package indexer

import (
	"context"
	"time"

	"tonql/indexer/detect"
	"tonql/internal/chain"
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

// ReviewBytes sets the memory that the states of one step of a redetection may take.
func (x *Indexer) ReviewBytes(n int) { x.reviewBytes = n }

// ReviewTogether detects and writes the contracts of accounts in one step, which is not divided.
func (x *Indexer) ReviewTogether(ctx context.Context, accounts []chain.Address) error {
	detector := detect.New(x.src, x.net, x.opts.Contracts)
	defer detector.Close()
	return (&redetection{x: x, r: x.db.Reader(), review: detector.NewReview()}).together(ctx, accounts)
}

// RunClaims renews the claims to cold servers at an interval until ctx ends.
func (x *Indexer) RunClaims(ctx context.Context, interval time.Duration) error {
	return x.claims(ctx, map[string]bool{}, interval)
}
