package indexer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/locks"
)

// fillPause is the time between two looks at batches that other processes have claimed.
const fillPause = time.Second

// Fill indexes the masterchain blocks from Options.From to last, and returns when all of them are in the index, or ctx ends. Any
// number of processes may do so on one database, beside one that runs: each claims the batches that it works on, and the claims of a
// process that ends are free at once.
func (x *Indexer) Fill(ctx context.Context, last uint32) error {
	var refused error
	err := x.sessions(ctx, func(ctx context.Context) (bool, error) {
		err := x.fillSession(ctx, last)
		if chain.KindOf(err) == chain.Invalid {
			refused = err
		}
		return err == nil || refused != nil, err
	})
	return errors.Join(refused, err)
}

// fillSession fills until all blocks are there, or the database is lost.
func (x *Indexer) fillSession(ctx context.Context, last uint32) error {
	x.status.enter(Filling)
	lock, err := x.db.Writer().LockClaims(ctx)
	if err != nil {
		return fmt.Errorf("lock of the indexer: %w", err)
	}
	defer lock.Release()
	x.db.Writer().RenewCells()
	head, indexed, err := x.begin(ctx)
	if err != nil {
		return err
	}
	within, err := x.fillable(ctx, head.Seqno, last)
	if err != nil {
		return err
	}
	gaps := func(indexed []chain.SeqnoRange) []chain.SeqnoRange {
		return retained(missingIn(within, indexed), x.first.Load())
	}
	x.status.startFill(head.Seqno, gaps(indexed))
	x.opts.Logger.Info("indexing a range", "head", head.Seqno, "first", within.First, "last", within.Last,
		"missing", blocksIn(gaps(indexed)), "verify", x.opts.Verify.String())

	complete := false
	working, stop := context.WithCancel(ctx)
	defer stop()
	group, working := errgroup.WithContext(working)
	group.Go(func() error { return x.guard(working, lock) })
	group.Go(func() error {
		defer stop()
		err := x.fillGaps(working, lock, gaps)
		complete = err == nil
		return err
	})
	if err := group.Wait(); !complete {
		return err
	}
	x.opts.Logger.Info("range indexed", "first", within.First, "last", within.Last)
	return nil
}

// fillable returns the blocks from Options.From to last. It refuses a range that the network or the index cannot have.
func (x *Indexer) fillable(ctx context.Context, head, last uint32) (chain.SeqnoRange, error) {
	within := chain.SeqnoRange{First: x.opts.From.floor(head, nil), Last: last}
	if within.First > within.Last || within.Last > head {
		return within, chain.Invalidf("the blocks %d to %d cannot be indexed: the range should not be empty, and end at the head of the network, %d, or before",
			within.First, within.Last, head)
	}
	first, err := x.firstRetained(ctx)
	if err == nil && within.First < first {
		err = chain.Invalidf("the blocks %d to %d cannot be indexed: blocks up to %d were dropped, because the index retains only newer ones",
			within.First, within.Last, first-1)
	}
	return within, err
}

// fillGaps fills the gaps until there are none, those that other processes fill included.
func (x *Indexer) fillGaps(ctx context.Context, lock *locks.Lock, gaps func([]chain.SeqnoRange) []chain.SeqnoRange) error {
	for {
		if _, err := x.firstRetained(ctx); err != nil { // what the process that follows the head drops meanwhile
			return err
		}
		done, err := x.refillOnce(ctx, lock, gaps)
		if err != nil || done.batches == 0 {
			return err
		}
		if done.filled == 0 && !ctxtime.Sleep(ctx, fillPause) {
			return ctx.Err()
		}
	}
}
