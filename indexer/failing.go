package indexer

import (
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cellsweep"
)

// maxFailing is the number of batches that fail one after the other until a pass over the gaps ends.
const maxFailing = 8

// failingBatches are batches of old masterchain blocks that could not be written, each with a growing pause before the next try: the newest
// blocks and other batches are indexed all the same. Safe for concurrent use.
type failingBatches struct {
	mu      sync.Mutex
	batches map[uint32]*failingBatch // by first seqno divided by the size
	row     int                      // that failed one after the other in this pass
}

type failingBatch struct {
	pause *backoff.ExponentialBackOff
	until time.Time
}

// ofItself reports whether an error is of the blocks alone that could not be written. Everything that writes fails when the database is
// not there, and all runs end with [cellsweep.ErrSwept].
func ofItself(err error) bool {
	return chain.KindOf(err) == chain.Internal && !errors.Is(err, cellsweep.ErrSwept)
}

// begin begins a pass and returns the batches that may be tried now.
func (f *failingBatches) begin(todo []chain.SeqnoRange, size uint32, now time.Time) (ready []chain.SeqnoRange) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.row = 0
	for _, batch := range todo {
		if b := f.batches[batch.First/size]; b == nil || !now.Before(b.until) {
			ready = append(ready, batch)
		}
	}
	return ready
}

// all reports whether so many batches failed that the others would, too.
func (f *failingBatches) all() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.row >= maxFailing
}

// failed records a failure and returns the pause before the next try: from shortest to half an hour.
func (f *failingBatches) failed(batch uint32, now time.Time, shortest time.Duration) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.row++
	b := f.batches[batch]
	if b == nil {
		b = &failingBatch{pause: backoff.NewExponentialBackOff()}
		b.pause.InitialInterval, b.pause.MaxInterval = shortest, max(shortest, 30*time.Minute)
		b.pause.Reset()
		f.batches[batch] = b
	}
	pause := b.pause.NextBackOff()
	b.until = now.Add(pause)
	return pause
}

func (f *failingBatches) wrote(batch uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.row = 0
	delete(f.batches, batch)
}

// setAside leaves a batch that cannot be written to a later pass over the gaps.
func (x *Indexer) setAside(claim uint32, batch chain.SeqnoRange, err error) {
	x.metrics.failedBatches.Inc()
	pause := x.failing.failed(claim, time.Now(), x.opts.Recheck)
	if skipped, ok := x.failures.Take(); ok {
		x.opts.Logger.Warn("old blocks cannot be written, retrying later", "first", batch.First, "last", batch.Last, "err", err,
			"pause", pause.Round(time.Millisecond), "lines_skipped", skipped)
	}
}
