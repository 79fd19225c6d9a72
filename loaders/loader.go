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
//
// What a loader is made of hides behind an interface, for a compiler builds generic code anew in every package that sees
// it: with all of dataloader, fifty loaders were two thirds of what it made of a small package.
type Loader[K comparable, V any] struct {
	open    func() queue[K, V]
	once    sync.Once
	queue   queue[K, V] // after once
	watcher watcher
}

// queue holds the keys that were asked for.
type queue[K comparable, V any] interface {
	sender
	get(key K) (entry[V], bool)
	load(ctx context.Context, key K)
	prime(key K, value dataloader.Thunk[V])
}

// sender reads what has been gathered.
type sender interface{ send() }

const (
	quiet  = 250 * time.Microsecond
	rounds = 16 // of giving way to goroutines that are ready to run
	// longest bounds the gathering, should keys never cease to come. It is longer than a slow machine takes for a page of
	// rows, which otherwise would be cut into batches.
	longest = 250 * time.Millisecond
	// maxBatch bounds the arrays bound to one statement; a larger batch is cut.
	maxBatch = 2000
)

// gather makes the queue of a loader that reads by fetch.
func gather[K comparable, V any](fetch dataloader.BatchFunc[K, V]) queue[K, V] {
	k := &known[K, V]{entries: map[K]entry[V]{}}
	k.inner = dataloader.NewBatchedLoader(
		func(ctx context.Context, keys []K) []*dataloader.Result[V] {
			results := fetch(ctx, keys)
			k.done(keys)
			return results
		},
		dataloader.WithWait[K, V](longest), dataloader.WithBatchCapacity[K, V](maxBatch), dataloader.WithCache[K, V](k),
	)
	return k
}

func (l *Loader[K, V]) opened() queue[K, V] {
	l.once.Do(func() { l.queue = l.open() })
	return l.queue
}

// Load asks for a key. The function it gives waits for the batch.
func (l *Loader[K, V]) Load(ctx context.Context, key K) func() (V, error) {
	q := l.opened()
	e, ok := q.get(key)
	if !ok {
		q.load(reading(ctx), key)
		e, _ = q.get(key)
		if e.batch == nil {
			l.watcher.watch(q)
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
	l.opened().prime(key, func() (V, error) { return value, nil })
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

// watcher sends a batch when no more keys come.
type watcher struct {
	added atomic.Int64 // keys asked for so far
	armed atomic.Bool  // a goroutine watches the present batch
}

// watch starts the goroutine that sends the batch, unless there is one. It comes after the key is in its batch, so a
// batch is either seen by the running watcher before it flushes or by a new one.
func (w *watcher) watch(batch sender) {
	w.added.Add(1)
	if w.armed.CompareAndSwap(false, true) {
		go w.settle(batch)
	}
}

func (w *watcher) settle(batch sender) {
	for seen := int64(-1); seen != w.added.Load(); {
		seen = w.added.Load()
		time.Sleep(quiet)
		for range rounds {
			runtime.Gosched()
		}
	}
	w.armed.Store(false)
	batch.send()
}

// known remembers every key that was asked for, and the batch that it is in.
type known[K comparable, V any] struct {
	inner *dataloader.Loader[K, V]

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

func (c *known[K, V]) load(ctx context.Context, key K) { c.inner.Load(ctx, key) } //nolint:unused // called as a queue

func (c *known[K, V]) send() { c.inner.Flush() }

func (c *known[K, V]) prime(key K, value dataloader.Thunk[V]) { //nolint:unused // called as a queue
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
