package loaders

import "context"

// Loader gathers keys and reads them together as soon as no more keys come, see [gatherer]. Each key is read once.
//
// The zero cost of a loader that a request does not use matters, for it has some fifty.
//
// It has few methods, for a compiler makes all of them for every loader in every package that uses it.
type Loader[K comparable, V any] struct {
	answer func(context.Context, []*question)

	gatherer gatherer
	slots    map[K]*slot[K, V] // every key that was asked for; guarded by the gatherer's lock
}

// slot is a key and, in the end, its value.
type slot[K comparable, V any] struct {
	question

	key   K
	value V
	err   error
}

// Batch makes a loader from a function that reads many keys at once. Keys that the map lacks give the zero value.
func Batch[K comparable, V any](read func(context.Context, []K) (map[K]V, error)) *Loader[K, V] {
	return &Loader[K, V]{answer: func(ctx context.Context, asked []*question) {
		keys, slots := make([]K, len(asked)), make([]*slot[K, V], len(asked))
		for i, q := range asked {
			slots[i], _ = q.of.(*slot[K, V]) // a loader is asked for its own slots only
			keys[i] = slots[i].key
		}
		found, err := read(ctx, keys)
		for _, s := range slots {
			s.value, s.err = found[s.key], err
		}
	}}
}

// Load asks for a key. The function it gives waits for the batch.
func (l *Loader[K, V]) Load(ctx context.Context, key K) func() (V, error) {
	l.gatherer.mu.Lock()
	defer l.gatherer.mu.Unlock()
	s, known := l.slot(key)
	if !known {
		l.gatherer.ask(ctx, &s.question, l.answer)
	}
	return s.get
}

// slot finds the slot of a key, or makes it.
func (l *Loader[K, V]) slot(key K) (s *slot[K, V], known bool) {
	if s, known = l.slots[key]; known {
		return s, true
	}
	if l.slots == nil {
		l.slots = map[K]*slot[K, V]{}
	}
	s = &slot[K, V]{key: key}
	s.of = s
	l.slots[key] = s
	return s, false
}

// get waits for the value.
func (s *slot[K, V]) get() (V, error) {
	if err := s.wait(); err != nil {
		var none V
		return none, err
	}
	return s.value, s.err
}

// Prime gives a loader the value of a key that was not asked for yet, so that it is not read.
func Prime[K comparable, V any](l *Loader[K, V], key K, value V) {
	l.gatherer.mu.Lock()
	defer l.gatherer.mu.Unlock()
	if s, known := l.slot(key); !known {
		s.value = value
	}
}

// Many loads keys: their values in order, or one of the errors.
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
