package indexer

import (
	"context"
	"slices"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store"
)

const (
	// digestShare is the share of the time that digests take: a computation is followed by a pause that makes it at most 1 in 33.
	digestShare = 33
	// digestPause is the shortest pause between two computations.
	digestPause = time.Second
)

// digests computes the digests of full ranges that have none, newest first, beside following and refilling. A range that failed comes
// again after all others, and does not end the session; only the first of several failures in a row is logged.
func (x *Indexer) digests(ctx context.Context) error {
	failing, failed := false, map[chain.SeqnoRange]bool{}
	for {
		began := time.Now()
		within, missing, err := nextDigest(ctx, x.db.Reader(), failed)
		if err == nil && missing {
			_, _, err = x.db.StoreDigest(ctx, within)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !failing {
			x.opts.Logger.Warn("digest failed, retrying", "first", within.First, "last", within.Last, "err", err)
		}
		failing = err != nil
		pause := max(x.digestPause, digestShare*time.Since(began))
		switch {
		case !missing:
			clear(failed)
			pause = max(pause, x.opts.Recheck)
		case failing:
			failed[within] = true
		}
		if !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// nextDigest returns the newest full range that is indexed and has no digest, except those of skip. missing is false without one.
func nextDigest(ctx context.Context, db *store.Reader, skip map[chain.SeqnoRange]bool) (within chain.SeqnoRange, missing bool, err error) {
	indexed, err := db.Ranges(ctx)
	if err != nil {
		return within, false, err
	}
	for _, run := range slices.Backward(indexed) {
		full := chain.FullDigestRanges(run)
		for len(full) > 0 {
			part := full[max(0, len(full)-chain.MaxDigests):]
			full = full[:len(full)-len(part)]
			stored, err := db.StoredDigests(ctx, chain.SeqnoRange{First: part[0].First, Last: part[len(part)-1].Last}, len(part))
			if err != nil {
				return within, false, err
			}
			present := make(map[chain.SeqnoRange]bool, len(stored))
			for _, d := range stored {
				present[d.Range] = true
			}
			for _, r := range slices.Backward(part) {
				if !present[r] && !skip[r] {
					return r, true, nil
				}
			}
		}
	}
	return within, false, nil
}
