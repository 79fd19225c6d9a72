package loaders

import (
	"context"

	"tonql/internal/chain"
)

// Loader reads rows by key in batches and caches each row for its own lifetime. Safe for concurrent use.
//
// A request has about fifty loaders and uses few, so an unused loader must cost almost nothing. It has few methods,
// because the compiler generates all of them for each loader in each package that uses it.
type Loader[K comparable, V any] struct {
	read func(context.Context, []*lookup)

	batcher batcher
	slots   map[K]*slot[K, V] // all keys requested so far; guarded by the batcher's lock
}

// slot is a key and, once it was read, its value.
type slot[K comparable, V any] struct {
	lookup

	key   K
	value V
	err   error
}

// Batch returns a loader that calls read with the keys of a batch. Keys that are missing in the returned map have the
// zero value. An error is the result of all keys of the batch. Requests that share the loader read these keys again, because each of them is repeated
// while the database cannot be reached.
func Batch[K comparable, V any](read func(context.Context, []K) (map[K]V, error)) *Loader[K, V] {
	l := &Loader[K, V]{}
	l.read = func(ctx context.Context, batch []*lookup) {
		keys, slots := make([]K, len(batch)), make([]*slot[K, V], len(batch))
		for i, l := range batch {
			slots[i], _ = l.slot.(*slot[K, V]) // a loader has slots of this type only
			keys[i] = slots[i].key
		}
		found, err := read(ctx, keys)
		if err != nil && shared(ctx) && ctx.Err() != nil {
			err = chain.Transientf(err, "the database did not respond in time; try again in a moment")
		}
		for _, s := range slots {
			s.value, s.err = found[s.key], err
		}
		if err != nil && shared(ctx) {
			l.forget(slots)
		}
	}
	return l
}

// forget removes slots, so that their keys are read again.
func (l *Loader[K, V]) forget(slots []*slot[K, V]) {
	l.batcher.mu.Lock()
	defer l.batcher.mu.Unlock()
	for _, s := range slots {
		if l.slots[s.key] == s {
			delete(l.slots, s.key)
		}
	}
}

// Load adds a key to the present batch. The returned function blocks until the batch was read and returns the value.
func (l *Loader[K, V]) Load(ctx context.Context, key K) func() (V, error) {
	l.batcher.mu.Lock()
	defer l.batcher.mu.Unlock()
	s, cached := l.slot(key)
	if !cached {
		l.batcher.add(ctx, &s.lookup, l.read)
	}
	return s.get
}

// slot returns the slot of a key, and whether it existed.
func (l *Loader[K, V]) slot(key K) (s *slot[K, V], cached bool) {
	if s, cached = l.slots[key]; cached {
		return s, true
	}
	if l.slots == nil {
		l.slots = map[K]*slot[K, V]{}
	}
	s = &slot[K, V]{key: key}
	s.slot = s
	l.slots[key] = s
	return s, false
}

// get blocks until the value was read.
func (s *slot[K, V]) get() (V, error) {
	if err := s.lookup.get(); err != nil {
		var zero V
		return zero, err
	}
	return s.value, s.err
}

// Prime sets the value of a key, unless the key was requested already.
func Prime[K comparable, V any](l *Loader[K, V], key K, value V) {
	l.batcher.mu.Lock()
	defer l.batcher.mu.Unlock()
	if s, cached := l.slot(key); !cached {
		s.value = value
	}
}

// Many loads several keys. It returns their values in the order of keys, or one of the errors.
func Many[K comparable, V any](ctx context.Context, l *Loader[K, V], keys []K) ([]V, error) {
	gets := make([]func() (V, error), len(keys))
	for i, k := range keys {
		gets[i] = l.Load(ctx, k)
	}
	values := make([]V, len(keys))
	for i, get := range gets {
		var err error
		if values[i], err = get(); err != nil {
			return nil, err
		}
	}
	return values, nil
}
