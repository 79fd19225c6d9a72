package handler

import (
	"context"
	"sync"

	"tonql/internal/chain"
)

// Slots bounds how many requests of one owner, such as a merchant or a client address, are processed at once, so that no owner takes all connections of a
// shared pool. Further requests wait for a slot, up to a number. Safe for concurrent use.
type Slots[K comparable] struct {
	atOnce, present int

	mu     sync.Mutex
	owners map[K]*ownerSlots // those with requests
}

// ownerSlots are the requests about one owner.
type ownerSlots struct {
	running chan struct{}
	present int // running or waiting
}

// ErrSlots is the error of a request above the number that may wait.
var ErrSlots = chain.Unavailablef(nil, "too many requests of this account wait at this moment; try again in a few seconds")

// NewSlots returns a bound of atOnce requests that are processed, of present ones that are processed or wait.
func NewSlots[K comparable](atOnce, present int) *Slots[K] {
	return &Slots[K]{atOnce: atOnce, present: present, owners: map[K]*ownerSlots{}}
}

// Acquire waits for a slot of an owner and returns the function that ends it. The error is [ErrSlots], or that of ctx when it ends before.
func (t *Slots[K]) Acquire(ctx context.Context, owner K) (done func(), err error) {
	of := t.enter(owner)
	if of == nil {
		return nil, ErrSlots
	}
	select {
	case of.running <- struct{}{}:
		return func() { <-of.running; t.leave(owner, of) }, nil
	case <-ctx.Done():
		t.leave(owner, of)
		return nil, ctx.Err()
	}
}

// enter counts a request; nil when there are too many.
func (t *Slots[K]) enter(owner K) *ownerSlots {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.owners[owner]
	if of == nil {
		of = &ownerSlots{running: make(chan struct{}, t.atOnce)}
		t.owners[owner] = of
	}
	if of.present >= t.present {
		return nil
	}
	of.present++
	return of
}

func (t *Slots[K]) leave(owner K, of *ownerSlots) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of.present--; of.present == 0 {
		delete(t.owners, owner)
	}
}
