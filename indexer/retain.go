package indexer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/cellsweep"
)

const (
	// dropAtFirst and dropAtOnce are how many transactions one database transaction drops at first and at most; a masterchain block
	// is dropped completely, with the traces that end in it and have fewer.
	dropAtFirst = 250
	dropAtOnce  = 2000
	// dropPause is the shortest pause between two of these transactions; a longer one is followed by a pause of its own length.
	dropPause = 50 * time.Millisecond
)

// retain ends a sweep of cells that began, drops masterchain blocks that are older than Options.Keep, and repeats that every
// Options.Recheck. It returns errSweepDue when the next session has to begin with a sweep, and tries again after all other errors.
func (x *Indexer) retain(ctx context.Context, sweep *cellsweep.Sweep) error {
	if x.opts.Keep.Unlimited() {
		if err := x.endUnfinished(ctx); err != nil {
			return err
		}
		return x.finishDrop(ctx)
	}
	if sweep != nil {
		if err := x.sweep(ctx, sweep); err != nil {
			return err
		}
	}
	limit, failing := dropAtFirst, false
	for again := false; ; again = true {
		dropped, transactions, err := x.dropOlder(ctx, &limit)
		if dropped.Last > 0 {
			x.opts.Logger.Info("old blocks dropped", "first", dropped.First, "last", dropped.Last, "transactions", transactions)
		}
		if dropped.Last > 0 || again { // not at once in a session that could not begin a sweep
			due, failed := x.needsSweep(ctx)
			if due {
				return errSweepDue
			}
			err = errors.Join(err, failed)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !failing {
			x.opts.Logger.Warn("drop of old blocks failed, retrying", "err", err)
		}
		failing = err != nil
		if !ctxtime.Sleep(ctx, x.opts.Recheck) {
			return ctx.Err()
		}
	}
}

// finishDrop drops what is left of large traces whose blocks were dropped, where nothing else is dropped any more.
func (x *Indexer) finishDrop(ctx context.Context) error {
	pause, limit := newPause(), dropAtFirst
	for first := true; ; first = false {
		_, _, err := x.dropOlder(ctx, &limit)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if first {
			x.opts.Logger.Warn("drop of old blocks failed, retrying", "err", err)
		}
		if !ctxtime.Sleep(ctx, pause.NextBackOff()) {
			return ctx.Err()
		}
	}
}

// dropOlder drops what is older than Options.Keep now, and returns what it dropped, also beside an error.
func (x *Indexer) dropOlder(ctx context.Context, limit *int) (dropped chain.SeqnoRange, transactions int, err error) {
	first, err := x.firstRetained(ctx)
	if err != nil {
		return dropped, 0, err
	}
	for {
		began := time.Now()
		step, err := x.db.Writer().Drop(ctx, first-1, *limit)
		if err != nil || step.Nothing() {
			return dropped, transactions, err
		}
		transactions += step.Transactions
		if !step.Piece {
			if dropped.First == 0 {
				dropped.First = step.Blocks.First
			}
			dropped.Last = step.Blocks.Last
			x.metrics.droppedBlocks.Add(float64(step.Blocks.Len()))
		}
		x.metrics.droppedTransactions.Add(float64(step.Transactions))
		*limit = nextLimit(*limit, dropAtOnce, step.Locked)
		if !ctxtime.Sleep(ctx, max(dropPause, time.Since(began))) {
			return dropped, transactions, ctx.Err()
		}
	}
}

// firstRetained returns the lowest masterchain seqno to retain, at least 1, and notes it for what fills gaps.
func (x *Indexer) firstRetained(ctx context.Context) (uint32, error) {
	db := x.db.Reader()
	dropped, err := db.Dropped(ctx)
	if err != nil {
		return 0, fmt.Errorf("dropped blocks: %w", err)
	}
	var older uint32
	switch keep := x.opts.Keep; {
	case keep.Age > 0:
		older, err = db.NewestOlder(ctx, time.Now(), int64(keep.Age/time.Second))
	case keep.Transactions > 0:
		older, err = x.sizes.surplus(ctx, db, keep.Transactions)
	}
	if err != nil {
		return 0, fmt.Errorf("blocks to retain: %w", err)
	}
	first := max(dropped.Last, older) + 1
	x.first.Store(first)
	return first, nil
}

// blockSizes are the numbers of transactions of full ranges of [chain.DigestBlocks], by number. Those of indexed blocks do not change.
type blockSizes map[uint32]uint64

// rangeReader is what blockSizes reads from the index.
type rangeReader interface {
	Ranges(ctx context.Context) ([]chain.SeqnoRange, error)
	TransactionsOf(ctx context.Context, within chain.SeqnoRange) (uint64, error)
}

// surplus returns the newest masterchain block of which all later blocks have n transactions or more; 0 while there is none. It counts in
// full ranges of [chain.DigestBlocks], so that it retains too many rather than too few.
func (s blockSizes) surplus(ctx context.Context, db rangeReader, n uint64) (uint32, error) {
	indexed, err := db.Ranges(ctx)
	if err != nil || len(indexed) == 0 {
		return 0, err
	}
	last, lowest := indexed[len(indexed)-1].Last, indexed[0].First
	for number := range s {
		if number < lowest/chain.DigestBlocks {
			delete(s, number)
		}
	}
	total := uint64(0)
	for number := last / chain.DigestBlocks; ; number-- {
		within := chain.SeqnoRange{First: number * chain.DigestBlocks, Last: number*chain.DigestBlocks + chain.DigestBlocks - 1}
		size, counted := s[number]
		if !counted {
			if size, err = db.TransactionsOf(ctx, within); err != nil {
				return 0, err
			}
			if len(missingIn(chain.SeqnoRange{First: max(within.First, 1), Last: within.Last}, indexed)) == 0 {
				s[number] = size
			}
		}
		if total += size; total >= n && within.First > 0 {
			return within.First - 1, nil
		}
		if within.First <= lowest {
			return 0, nil
		}
	}
}

// retained returns the parts of ranges from a masterchain seqno on.
func retained(ranges []chain.SeqnoRange, first uint32) (left []chain.SeqnoRange) {
	for _, r := range ranges {
		if r.Last >= first {
			left = append(left, chain.SeqnoRange{First: max(r.First, first), Last: r.Last})
		}
	}
	return left
}
