package loaders

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"tonql/graph/exec"
)

// gatherer brings questions together. Within a GraphQL request, whose run knows what each of its goroutines does, they
// are read when all of them wait for rows: see [exec.Batch]. Elsewhere a batch is sent when quiet has passed without a
// new question and every goroutine that was ready to run has run: a fixed wait would be too long for a lone key and, on a
// busy machine, too short for a page of rows.
//
// It knows no types of keys and rows, for a compiler builds generic code anew for each: with all of dataloader, fifty
// loaders were most of what it made of this package.
type gatherer struct {
	mu      sync.Mutex
	inner   *dataloader.Loader[*question, struct{}] // nil until something is asked
	present *exec.Batch                             // questions of a run join it
	watcher watcher
}

// question is a key that was asked for.
type question struct {
	of    any                        // the slot
	there dataloader.Thunk[struct{}] // waits for the answer; nil for one that was given without a question
	batch *exec.Batch                // nil when no run knows of it
}

const (
	quiet  = 250 * time.Microsecond
	rounds = 16 // of giving way to goroutines that are ready to run
	// longest bounds the gathering, should keys never cease to come. It is longer than a slow machine takes for a page of
	// rows, which otherwise would be cut into batches.
	longest = 250 * time.Millisecond
	// maxBatch bounds the arrays bound to one statement; a larger batch is cut.
	maxBatch = 2000
)

// ask takes a question, which answer will be told with others. The caller holds the lock.
func (g *gatherer) ask(ctx context.Context, q *question, answer func(context.Context, []*question)) {
	if g.inner == nil {
		g.inner = dataloader.NewBatchedLoader(
			func(ctx context.Context, asked []*question) []*dataloader.Result[struct{}] {
				defer g.done(asked)
				answer(ctx, asked)
				return answered(len(asked))
			},
			dataloader.WithWait[*question, struct{}](longest), dataloader.WithBatchCapacity[*question, struct{}](maxBatch),
			dataloader.WithCache(&dataloader.NoCache[*question, struct{}]{}),
		)
	}
	if run := exec.Of(ctx); run != nil && !shared(ctx) {
		if g.present == nil {
			g.present = run.Gather(g.flush)
		}
		q.batch = g.present
	}
	q.there = g.inner.Load(reading(ctx), q)
	if q.batch == nil {
		g.watcher.watch(g.inner)
	}
}

// answered tells dataloader that there are answers; the slots hold them.
func answered(n int) []*dataloader.Result[struct{}] {
	one, all := &dataloader.Result[struct{}]{}, make([]*dataloader.Result[struct{}], n)
	for i := range all {
		all[i] = one
	}
	return all
}

// wait returns when the question is answered. The error is that of a read that broke off.
func (q *question) wait() error {
	if q.there == nil {
		return nil
	}
	if q.batch != nil {
		q.batch.Wait()
	}
	_, err := q.there()
	return err //nolint:wrapcheck // of a panic, told as it is
}

// done says that questions were read. Those that joined the same batch after it had grown too large are read next.
func (g *gatherer) done(asked []*question) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, q := range asked {
		if q.batch == nil {
			continue
		}
		q.batch.Done()
		if q.batch == g.present {
			g.present = nil
			go g.inner.Flush()
		}
	}
}

// flush reads the present batch; questions that come from now on are in the next.
func (g *gatherer) flush() {
	g.mu.Lock()
	g.present = nil
	g.mu.Unlock()
	g.inner.Flush()
}

// watcher sends a batch when no more keys come.
type watcher struct {
	added atomic.Int64 // keys asked for so far
	armed atomic.Bool  // a goroutine watches the present batch
}

// watch starts the goroutine that sends the batch, unless there is one. It comes after the key is in its batch, so a
// batch is either seen by the running watcher before it flushes or by a new one.
func (w *watcher) watch(batch interface{ Flush() }) {
	w.added.Add(1)
	if w.armed.CompareAndSwap(false, true) {
		go w.settle(batch)
	}
}

func (w *watcher) settle(batch interface{ Flush() }) {
	for seen := int64(-1); seen != w.added.Load(); {
		seen = w.added.Load()
		time.Sleep(quiet)
		for range rounds {
			runtime.Gosched()
		}
	}
	w.armed.Store(false)
	batch.Flush()
}
