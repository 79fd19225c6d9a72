package indexer

import (
	"context"
	"slices"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// dayShare is the share of the time that sums per day take: a computation is followed by a pause that makes it at most 1 in 33.
const dayShare = 33

// dayTask is what is computed next for charts.
type dayTask struct {
	blocks chain.SeqnoRange // their sums, or, if it is zero,
	day    uint32           // the state of a day
}

// days computes the sums per day of the indexed blocks and the states of complete days, beside following and refilling. The newest blocks
// take turns with those that have no sums yet, and with days. A task that failed comes again after all others, and does not end the
// session; only the first of several failures in a row is logged.
func (x *Indexer) days(ctx context.Context) error {
	var skipRanges []int64
	var skipDays []int32
	failing := false
	for round := 0; ; round++ {
		began := time.Now()
		task, missing, err := x.nextDay(ctx, round, skipRanges, skipDays)
		if err == nil && missing {
			if task.blocks.Last > 0 {
				_, err = x.db.StoreDays(ctx, task.blocks)
			} else {
				err = x.db.StoreDay(ctx, task.day)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !failing {
			x.opts.Logger.Warn("sums per day failed, retrying", "first", task.blocks.First, "last", task.blocks.Last, "err", err)
		}
		failing = err != nil
		pause := max(x.digestPause, dayShare*time.Since(began))
		switch {
		case !missing:
			skipRanges, skipDays = nil, nil
			pause = max(pause, x.opts.Recheck)
		case failing && task.blocks.Last > 0:
			skipRanges = append(skipRanges, int64(task.blocks.First/chain.DigestBlocks))
		case failing:
			skipDays = append(skipDays, int32(task.day))
		}
		if !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// nextDay returns the next task. Each round prefers another kind: the newest blocks, which change all the time, other blocks, or a day.
func (x *Indexer) nextDay(ctx context.Context, round int, skipRanges []int64, skipDays []int32) (task dayTask, missing bool, err error) {
	db := x.db.Reader()
	indexed, err := db.Ranges(ctx)
	if err != nil || len(indexed) == 0 {
		return task, false, err
	}
	newest := indexed[len(indexed)-1]
	head := int64(newest.Last / chain.DigestBlocks)
	kinds := [...]func() (dayTask, bool, error){
		func() (dayTask, bool, error) {
			from := max(newest.First, uint32(head)*chain.DigestBlocks)
			blocks, missing, err := db.MissingDays(ctx, chain.SeqnoRange{First: from, Last: newest.Last}, skipRanges)
			return dayTask{blocks: blocks}, missing, err
		},
		func() (dayTask, bool, error) {
			skip := append(slices.Clone(skipRanges), head)
			for _, run := range slices.Backward(indexed) {
				if blocks, missing, err := db.MissingDays(ctx, run, skip); err != nil || missing {
					return dayTask{blocks: blocks}, missing, err
				}
			}
			return dayTask{}, false, nil
		},
		func() (dayTask, bool, error) {
			if err := x.db.SettleDays(ctx); err != nil {
				return dayTask{}, false, err
			}
			day, missing, err := db.OutdatedDay(ctx, skipDays)
			return dayTask{day: day}, missing, err
		},
	}
	for i := range kinds {
		if task, missing, err = kinds[(round+i)%len(kinds)](); err != nil || missing {
			return task, missing, err
		}
	}
	return dayTask{}, false, nil
}
