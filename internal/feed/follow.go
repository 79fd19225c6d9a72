package feed

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// Start is the position after which a stream starts. At most one of the first two fields may be set; without both, the
// stream starts after the newest block.
type Start struct {
	Cursor  *chain.Cursor // after this event
	McSeqno *uint32       // after all events of this masterchain block
	// Pending includes pending rows: first what is pending when the stream starts, then all changes.
	Pending bool
	// Fresh leaves out what is pending when the stream starts.
	Fresh bool
}

// follower iterates over the masterchain blocks of the index without gaps. Not safe for concurrent use.
type follower struct {
	feed    *Feed
	at      uint32 // everything up to this masterchain block was returned
	waiting bool   // the index was empty at the start, so its first block is new
}

// follow returns a follower for the start of a stream. It fails if the index cannot serve events from there.
func (f *Feed) follow(ctx context.Context, s Start) (*follower, error) {
	ranges, err := f.firstRanges(ctx)
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
		if err := dropped(ctx, f.index, w.at+1); err != nil {
			return nil, err
		}
		return nil, chain.NotFoundf("no events after masterchain block %d: the index starts with block %d", w.at, first)
	case head > w.at && head-w.at > f.opts.MaxBehind:
		return nil, chain.Invalidf("masterchain block %d is more than %d blocks behind the head: read the events since then from the lists, and start from a later block",
			w.at, f.opts.MaxBehind)
	case w.at > head && w.at-head > f.opts.MaxBehind:
		return nil, chain.Invalidf("masterchain block %d is far ahead of the index, whose newest block is %d: the position is probably one of another network", w.at, head)
	}
	return w, nil
}

// dropped returns RangeDropped for a masterchain block that was dropped.
func dropped(ctx context.Context, index *store.Reader, seqno uint32) error {
	d, err := index.Dropped(ctx)
	if err != nil || seqno > d.Last || d.Last == 0 {
		return err
	}
	return d.Error(fmt.Sprintf("masterchain block %d", seqno))
}

// firstRanges waits until the indexed ranges have been read once, and returns them.
func (f *Feed) firstRanges(ctx context.Context) ([]chain.SeqnoRange, error) {
	for {
		ranges, read, moved := f.now()
		if read {
			return ranges, nil
		}
		if err := await(ctx, moved, f.opts.GapTimeout); err != nil {
			return nil, chain.Unavailablef(err, "the index cannot be read at the moment; try again later")
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
	// near is the distance to the head within which a stream advances block by block.
	near = 32
	// stride is the length of the ranges in which a stream catches up. They end at multiples of it, so that streams which
	// catch up at the same time share batches.
	stride = 16
)

// next waits for the next batch, or until other is closed; then it returns nil. It fails if blocks are missing for longer
// than GapTimeout while later ones are indexed.
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
			if err := dropped(ctx, w.feed.index, w.at+1); err != nil { // since the stream was there
				return nil, err
			}
		}
		if err := await(ctx, moved, time.Until(gapSince.Add(w.feed.opts.GapTimeout))); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return nil, &chain.Error{Kind: chain.Behind, Message: fmt.Sprintf("masterchain blocks %d to %d are not indexed yet, while later "+
				"ones are: start from block %d to wait for them, or without a position to continue with the newest", w.at+1, gap-1, w.at)}
		}
	}
}

// after returns the next range; its Last is 0 if there is none yet. gap is the first indexed seqno after missing blocks, 0
// if none are missing.
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
