package loaders

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/dataloader/v7"
)

// Loader gathers keys and reads them together as soon as no more keys come. A fixed wait would be too long for a lone
// key and, on a busy machine, too short for a page of rows whose goroutines have not all had their turn: then the number
// of statements would depend on the load. So a batch is sent when quiet has passed without a new key and every goroutine
// that was ready to run has run.
type Loader[K comparable, V any] struct {
	inner *dataloader.Loader[K, V]
	added atomic.Int64 // keys asked for so far
	armed atomic.Bool  // a goroutine watches the present batch
}

const (
	quiet  = 250 * time.Microsecond
	rounds = 16 // of giving way to goroutines that are ready to run
	// longest bounds the gathering, should keys never cease to come.
	longest = 20 * time.Millisecond
	// maxBatch bounds the arrays bound to one statement; a larger batch is cut.
	maxBatch = 2000
)

func newLoader[K comparable, V any](fetch dataloader.BatchFunc[K, V]) *Loader[K, V] {
	return &Loader[K, V]{inner: dataloader.NewBatchedLoader(fetch,
		dataloader.WithWait[K, V](longest), dataloader.WithBatchCapacity[K, V](maxBatch))}
}

// Load asks for a key. The function it gives waits for the batch.
func (l *Loader[K, V]) Load(ctx context.Context, key K) func() (V, error) {
	thunk := l.inner.Load(reading(ctx), key)
	l.watch(1)
	return thunk
}

// Prime gives the value of a key that was not asked for yet, so that it is not read.
func (l *Loader[K, V]) Prime(ctx context.Context, key K, value V) { l.inner.Prime(ctx, key, value) }

// LoadMany asks for keys in order. The function it gives waits for their batches.
func (l *Loader[K, V]) LoadMany(ctx context.Context, keys []K) func() ([]V, []error) {
	thunk := l.inner.LoadMany(reading(ctx), keys)
	l.watch(len(keys))
	return thunk
}

// watch starts the goroutine that sends the batch, unless there is one. It comes after the key is in its batch, so a
// batch is either seen by the running watcher before it flushes or by a new one.
func (l *Loader[K, V]) watch(keys int) {
	l.added.Add(int64(keys))
	if l.armed.CompareAndSwap(false, true) {
		go l.settle()
	}
}

func (l *Loader[K, V]) settle() {
	for seen := int64(-1); seen != l.added.Load(); {
		seen = l.added.Load()
		time.Sleep(quiet)
		for range rounds {
			runtime.Gosched()
		}
	}
	l.armed.Store(false)
	l.inner.Flush()
}
