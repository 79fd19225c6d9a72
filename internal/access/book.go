package access

import (
	"context"
	"sync"
	"time"

	"tonql/internal/chain"
)

const (
	// keyTTL is how long a key is believed to be as it was read: a revoked one stops within this time.
	keyTTL = 700 * time.Millisecond
	// staleTTL is how long a known key is believed when the store cannot be asked.
	staleTTL = 30 * time.Second
	// mostKnown bounds what is remembered; guesses of strangers push each other out.
	mostKnown = 10_000
)

// book remembers keys for a moment, unknown ones too.
type book struct {
	store Store
	now   func() time.Time

	mu    sync.Mutex
	known map[chain.Hash]*entry
}

// entry is one key, asked for by one goroutine at a time.
type entry struct {
	mu   sync.Mutex
	key  *Key // nil: there is none
	read time.Time
	ok   bool // read at least once
}

func newBook(store Store, now func() time.Time) *book {
	return &book{store: store, now: now, known: map[chain.Hash]*entry{}}
}

// find gives a key by its hash, nil when there is none. It fails when the store cannot be asked about a key that was not
// seen lately.
func (b *book) find(ctx context.Context, hash chain.Hash) (*Key, error) {
	e := b.entry(hash)
	e.mu.Lock()
	defer e.mu.Unlock()
	now := b.now()
	if e.ok && now.Sub(e.read) < keyTTL {
		return e.key, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	key, err := b.store.KeyByHash(ctx, hash)
	if err != nil {
		if e.ok && e.key != nil && now.Sub(e.read) < staleTTL {
			return e.key, nil
		}
		return nil, err //nolint:wrapcheck // the store has named what was asked
	}
	e.key, e.read, e.ok = key, now, true
	return key, nil
}

func (b *book) entry(hash chain.Hash) *entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.known[hash]
	if e == nil {
		if len(b.known) >= mostKnown {
			b.forget()
		}
		e = &entry{}
		b.known[hash] = e
	}
	return e
}

// forget makes room: a tenth of the entries, whichever the map gives first. Whoever is forgotten is read again.
func (b *book) forget() {
	left := mostKnown / 10
	for hash := range b.known {
		delete(b.known, hash)
		if left--; left == 0 {
			return
		}
	}
}
