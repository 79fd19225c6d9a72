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

// Loader gathers keys and reads them together as soon as no more keys come. Within a GraphQL request, whose run knows
// what each of its goroutines does, that is when all of them wait for rows: see [exec.Batch]. Elsewhere a batch is sent
// when quiet has passed without a new key and every goroutine that was ready to run has run: a fixed wait would be too
// long for a lone key and, on a busy machine, too short for a page of rows.
//
// The zero cost of a loader that a request does not use matters, for it has some fifty.
type Loader[K comparable, V any] struct {
	fetch dataloader.BatchFunc[K, V]
	once  sync.Once
	inner *dataloader.Loader[K, V]
	known *known[K, V]
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
	return &Loader[K, V]{fetch: fetch}
}

func (l *Loader[K, V]) open() {
	l.known = &known[K, V]{entries: map[K]entry[V]{}}
	l.known.send = func() { l.inner.Flush() }
	l.inner = dataloader.NewBatchedLoader(
		func(ctx context.Context, keys []K) []*dataloader.Result[V] {
			results := l.fetch(ctx, keys)
			l.known.done(keys)
			return results
		},
		dataloader.WithWait[K, V](longest), dataloader.WithBatchCapacity[K, V](maxBatch), dataloader.WithCache[K, V](l.known),
	)
}

// Load asks for a key. The function it gives waits for the batch.
func (l *Loader[K, V]) Load(ctx context.Context, key K) func() (V, error) {
	l.once.Do(l.open)
	e, ok := l.known.get(key)
	if !ok {
		l.inner.Load(reading(ctx), key)
		e, _ = l.known.get(key)
		if e.batch == nil {
			l.watch()
		}
	}
	if e.batch == nil {
		return e.value
	}
	return func() (V, error) {
		e.batch.Wait()
		return e.value()
	}
}

// Prime gives the value of a key that was not asked for yet, so that it is not read.
func (l *Loader[K, V]) Prime(_ context.Context, key K, value V) {
	l.once.Do(l.open)
	l.known.prime(key, func() (V, error) { return value, nil })
}

// LoadMany asks for keys in order. The function it gives waits for their batches.
func (l *Loader[K, V]) LoadMany(ctx context.Context, keys []K) func() ([]V, []error) {
	values := make([]func() (V, error), len(keys))
	for i, k := range keys {
		values[i] = l.Load(ctx, k)
	}
	return func() ([]V, []error) {
		out := make([]V, len(keys))
		var errs []error
		for i, value := range values {
			v, err := value()
			if out[i] = v; err != nil && errs == nil {
				errs = make([]error, len(keys))
			}
			if err != nil {
				errs[i] = err
			}
		}
		return out, errs
	}
}

// watch starts the goroutine that sends the batch, unless there is one. It comes after the key is in its batch, so a
// batch is either seen by the running watcher before it flushes or by a new one.
func (l *Loader[K, V]) watch() {
	l.added.Add(1)
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

// known remembers every key that was asked for, and the batch that it is in.
type known[K comparable, V any] struct {
	send func()

	mu      sync.Mutex
	entries map[K]entry[V]
	present *exec.Batch // keys join it
}

type entry[V any] struct {
	value dataloader.Thunk[V]
	batch *exec.Batch // nil when no run knows of it
}

func (c *known[K, V]) get(key K) (entry[V], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e, ok
}

func (c *known[K, V]) prime(key K, value dataloader.Thunk[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[key]; !ok {
		c.entries[key] = entry[V]{value: value}
	}
}

// done says that keys were read. Those that joined the same batch after it had grown too large are read next.
func (c *known[K, V]) done(keys []K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		b := c.entries[k].batch
		if b == nil {
			continue
		}
		b.Done()
		if b == c.present {
			c.present = nil
			go c.send()
		}
	}
}

// Get finds what the key was answered or will be.
func (c *known[K, V]) Get(_ context.Context, key K) (dataloader.Thunk[V], bool) {
	e, ok := c.get(key)
	return e.value, ok
}

// Set remembers a key that joins the present batch.
func (c *known[K, V]) Set(ctx context.Context, key K, value dataloader.Thunk[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := entry[V]{value: value}
	if run := exec.Of(ctx); run != nil && !shared(ctx) {
		if c.present == nil {
			c.present = run.Gather(c.flush)
		}
		e.batch = c.present
	}
	c.entries[key] = e
}

// flush reads the present batch; keys that come from now on are in the next.
func (c *known[K, V]) flush() {
	c.mu.Lock()
	c.present = nil
	c.mu.Unlock()
	c.send()
}

// Delete forgets a key.
func (c *known[K, V]) Delete(_ context.Context, key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.entries[key]
	delete(c.entries, key)
	return ok
}

// Clear forgets all keys.
func (c *known[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
}
