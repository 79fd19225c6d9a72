package access

import (
	"context"
	"errors"
	"sync"
	"time"

	"tonql/internal/chain"
)

const (
	// keyTTL is the lifetime of a cached key: a revoked key is refused after this time.
	keyTTL = 700 * time.Millisecond
	// staleTTL is how long a cached key stays valid when the store cannot be reached.
	staleTTL = 30 * time.Second
	// unknownTTL is the lifetime of a negative entry. Keys are random, so no client tries one before it exists.
	unknownTTL = 2 * time.Second
	// maxCached bounds the cached keys and, separately, the negative entries: guesses never evict a key that exists.
	maxCached = 10_000
)

// errLookups reports that a client address has looked up too many keys that do not exist.
var errLookups = errors.New("too many lookups of unknown keys")

// keyCache caches keys for a moment, and for another that a key is unknown.
type keyCache struct {
	store Store
	now   func() time.Time

	mu      sync.Mutex
	valid   map[chain.Hash]*entry
	unknown map[chain.Hash]time.Time // end of the negative entry
}

// entry is one cached key, which one goroutine reads at a time.
type entry struct {
	mu   sync.Mutex
	key  *Key // nil: there is none
	read time.Time
	ok   bool // read at least once
}

func newKeyCache(store Store, now func() time.Time) *keyCache {
	return &keyCache{store: store, now: now, valid: map[chain.Hash]*entry{}, unknown: map[chain.Hash]time.Time{}}
}

// find returns a key by its hash, nil when there is none. It returns an error when the store is unavailable and the key is
// not cached. A lookup of a key that is not cached takes a token of the bucket that payer returns and refunds it when the
// key exists; without a token the error is errLookups. A nil payer means no limit.
func (b *keyCache) find(ctx context.Context, hash chain.Hash, payer func() *lookups) (*Key, error) {
	e := b.entry(hash)
	if e == nil {
		return nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	now := b.now()
	if e.ok && now.Sub(e.read) < keyTTL {
		return e.key, nil
	}
	var paid *lookups
	if payer != nil && e.key == nil {
		if paid = payer(); !paid.take(now) {
			b.drop(hash, e)
			return nil, errLookups
		}
	}
	// A client that hangs up is no fault of the store, and others may wait for the same key.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	key, err := b.store.KeyByHash(ctx, hash)
	if err != nil {
		if e.ok && e.key != nil && now.Sub(e.read) < staleTTL {
			return e.key, nil
		}
		if e.key == nil {
			b.drop(hash, e)
		}
		return nil, err //nolint:wrapcheck // the store's error names the query
	}
	e.key, e.read, e.ok = key, now, true
	switch {
	case key == nil:
		b.drop(hash, e)
		b.remember(hash, now)
	case paid != nil:
		paid.refund()
	}
	return key, nil
}

// entry returns the entry of a key, creating it if needed; nil for a cached negative.
func (b *keyCache) entry(hash chain.Hash) *entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if until, ok := b.unknown[hash]; ok {
		if b.now().Before(until) {
			return nil
		}
		delete(b.unknown, hash)
	}
	e := b.valid[hash]
	if e == nil {
		if len(b.valid) >= maxCached {
			evict(b.valid)
		}
		e = &entry{}
		b.valid[hash] = e
	}
	return e
}

// drop removes an entry, of a key that does not exist or was not looked up.
func (b *keyCache) drop(hash chain.Hash, e *entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.valid[hash] == e {
		delete(b.valid, hash)
	}
}

// remember adds a negative entry.
func (b *keyCache) remember(hash chain.Hash, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.unknown) >= maxCached {
		evict(b.unknown)
	}
	b.unknown[hash] = now.Add(unknownTTL)
}

// evict removes a tenth of the entries in the order of the map.
func evict[V any](m map[chain.Hash]V) {
	left := maxCached / 10
	for hash := range m {
		delete(m, hash)
		if left--; left == 0 {
			return
		}
	}
}

// lookups is the bucket for lookups of one client address.
type lookups struct {
	bucket *bucket
	rate   float64
}

func (l *lookups) take(now time.Time) bool {
	_, wait := l.bucket.take(l.rate, 1, now)
	return wait == 0
}

func (l *lookups) refund() { l.bucket.refund() }
