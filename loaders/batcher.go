package loaders

import (
	"context"
	"sync"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"tonql/graph/exec"
)

// batcher collects lookups and reads them in batches through dataloader.
//
// Within the run of a GraphQL request the scheduler of the run decides when a batch is complete and flushes it, see
// [exec.Batch]. Outside a run, and for loaders that several runs share, the batch is read after [sharedWait].
//
// It is not generic, because the compiler instantiates generic code once per type: with all of dataloader, fifty loaders
// made up most of this package.
type batcher struct {
	mu    sync.Mutex
	inner *dataloader.Loader[*lookup, struct{}] // nil until the first lookup
	batch *exec.Batch                           // the unsent batch of a run; nil when there is none
}

// lookup is one key that a batcher reads.
type lookup struct {
	slot  any                        // the *slot that receives the value
	wait  dataloader.Thunk[struct{}] // blocks until the batch was read; nil for a primed slot
	batch *exec.Batch                // nil outside a run
}

const (
	// sharedWait is how long a batch collects keys when no run flushes it. Each level of a query waits this long once, so
	// it trades latency for fewer statements.
	sharedWait = 2 * time.Millisecond
	// sharedTime bounds the read of a batch that does not end with a request. It is shorter than the time of a request, which can be tried again then.
	sharedTime = 8 * time.Second
	// maxWait bounds the wait within a run, if the scheduler should fail to flush the batch. It is longer than a slow
	// machine needs to resolve a page of rows.
	maxWait = 250 * time.Millisecond
	// maxBatch bounds the arrays that are bound to one statement; a larger batch is read in several statements.
	maxBatch = 2000
)

// add adds a lookup to the batch; read reads it together with the others. The caller holds the lock.
func (b *batcher) add(ctx context.Context, l *lookup, read func(context.Context, []*lookup)) {
	run := exec.Of(ctx)
	if shared(ctx) {
		run = nil
	}
	if b.inner == nil {
		wait := sharedWait
		if run != nil {
			wait = maxWait
		}
		b.inner = dataloader.NewBatchedLoader(
			func(ctx context.Context, batch []*lookup) []*dataloader.Result[struct{}] {
				defer b.done(batch)
				if shared(ctx) {
					bounded, cancel := context.WithTimeout(ctx, sharedTime)
					defer cancel()
					ctx = bounded
				}
				read(ctx, batch)
				return successes(len(batch))
			},
			dataloader.WithWait[*lookup, struct{}](wait), dataloader.WithBatchCapacity[*lookup, struct{}](maxBatch),
			dataloader.WithCache(&dataloader.NoCache[*lookup, struct{}]{}),
		)
	}
	if run != nil {
		if b.batch == nil {
			b.batch = run.Gather(b.flush)
		}
		l.batch = b.batch
	}
	l.wait = b.inner.Load(readContext(ctx), l)
}

// successes returns n results for dataloader. The values are in the slots.
func successes(n int) []*dataloader.Result[struct{}] {
	one, all := &dataloader.Result[struct{}]{}, make([]*dataloader.Result[struct{}], n)
	for i := range all {
		all[i] = one
	}
	return all
}

// get blocks until the lookup was read. It returns an error if the read panicked.
func (l *lookup) get() error {
	if l.wait == nil {
		return nil
	}
	if l.batch != nil {
		l.batch.Wait()
	}
	_, err := l.wait()
	return err //nolint:wrapcheck // of a panic, with its text
}

// done marks lookups as read. If their batch exceeded maxBatch, it flushes the rest, which is still collecting.
func (b *batcher) done(read []*lookup) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range read {
		if l.batch == nil {
			continue
		}
		l.batch.Done()
		if l.batch == b.batch {
			b.batch = nil
			go b.inner.Flush()
		}
	}
}

// flush reads the batch. Later lookups go to the next one.
func (b *batcher) flush() {
	b.mu.Lock()
	b.batch = nil
	b.mu.Unlock()
	b.inner.Flush()
}
