package feed

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/chain"
)

// Start is the position at which a stream begins; at most one of the first two fields is set. With none it begins after the
// newest block.
type Start struct {
	Cursor  *chain.Cursor // after this event
	McSeqno *uint32       // after this masterchain block with everything in it
	// Pending adds events of pending traces: first the traces that are pending when the stream begins, then all changes.
	Pending bool
}

// follower walks along the masterchain blocks of the index without gaps. For one goroutine.
type follower struct {
	feed    *Feed
	at      uint32 // everything up to this masterchain block was returned
	waiting bool   // the index was empty when it began: the first block is new
}

// follow checks the position at which a stream begins.
func (f *Feed) follow(ctx context.Context, s Start) (*follower, error) {
	ranges, err := f.firstLook(ctx)
	if err != nil {
		return nil, err
	}
	w := &follower{feed: f}
	var first, head uint32
	if n := len(ranges); n > 0 {
		first, head = ranges[0].First, ranges[n-1].Last
	}
	switch {
	case s.Cursor != nil:
		w.at = max(s.Cursor.McSeqno, 1) - 1
	case s.McSeqno != nil:
		w.at = *s.McSeqno
	default:
		w.at, w.waiting = head, head == 0
		return w, nil
	}
	switch {
	case head > 0 && w.at+1 < first:
		return nil, chain.NotFoundf("events after masterchain block %d are not available: the index begins with block %d", w.at, first)
	case head > w.at && head-w.at > f.opts.MaxBehind:
		return nil, chain.Invalidf("masterchain block %d is more than %d blocks ago: read what has been since then as lists, and follow from a later block",
			w.at, f.opts.MaxBehind)
	case w.at > head && w.at-head > f.opts.MaxBehind:
		return nil, chain.Invalidf("masterchain block %d is far ahead of the index, whose newest block is %d: the position belongs to another network", w.at, head)
	}
	return w, nil
}

// firstLook waits until the indexed ranges have been read once.
func (f *Feed) firstLook(ctx context.Context) ([]chain.SeqnoRange, error) {
	for {
		ranges, read, moved := f.now()
		if read {
			return ranges, nil
		}
		if err := await(ctx, moved, f.opts.GapTimeout); err != nil {
			return nil, chain.Unavailablef(err, "the index cannot be read now; try again in a moment")
		}
	}
}

func await(ctx context.Context, moved <-chan struct{}, timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-moved:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return context.DeadlineExceeded
	}
}

const (
	// near is the distance to the head within which a stream reads block by block.
	near = 32
	// stride is the length of the batches in which a stream catches up; they end at multiples of it, so that streams that
	// catch up together share them.
	stride = 16
)

// next waits for the next batch, or until other is closed: then it returns nil. It fails when blocks are missing for too long
// while later ones are indexed.
func (w *follower) next(ctx context.Context, other <-chan struct{}) (*Batch, error) {
	var gapSince time.Time
	for {
		ranges, _, moved := w.feed.now()
		if w.waiting && len(ranges) > 0 {
			w.at, w.waiting = ranges[0].First-1, false
		}
		within, gap := w.after(ranges)
		if within.Last > 0 {
			w.at = within.Last
			return w.feed.batch(within), nil
		}
		if gap == 0 {
			gapSince = time.Time{}
			select {
			case <-moved:
			case <-other:
				return nil, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			continue
		}
		if gapSince.IsZero() {
			gapSince = time.Now()
		}
		if err := await(ctx, moved, time.Until(gapSince.Add(w.feed.opts.GapTimeout))); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return nil, &chain.Error{Kind: chain.Behind, Message: fmt.Sprintf("masterchain blocks %d to %d are not indexed yet, while later "+
				"ones are: follow from block %d on to wait for them, or without a position to go on with the newest", w.at+1, gap-1, w.at)}
		}
	}
}

// after finds the run that follows; a zero Last says that there is none yet. Gap is the first indexed seqno beyond
// blocks that are missing, 0 when nothing is.
func (w *follower) after(ranges []chain.SeqnoRange) (within chain.SeqnoRange, gap uint32) {
	first := w.at + 1
	for _, r := range ranges {
		switch {
		case r.Last < first:
			continue
		case r.First > first:
			return within, r.First
		case r.Last-w.at < near:
			return chain.SeqnoRange{First: first, Last: first}, 0
		default:
			return chain.SeqnoRange{First: first, Last: min(r.Last, first/stride*stride+stride-1)}, 0
		}
	}
	return within, 0
}
