package streaming

import (
	"context"
	"net/netip"
	"sync"

	"tonql/internal/access"
)

const (
	// maxReading bounds the reads of the index for all sessions, at a time, and maxReadingOfClient those for one client. Sessions of one client wait for
	// each other, so that one with many connections to busy accounts does not delay the others.
	maxReading         = 16
	maxReadingOfClient = 4
)

// turns divides reads of the index by client. Safe for concurrent use.
type turns struct {
	all chan struct{}

	mu sync.Mutex
	by map[netip.Addr]*turn // of clients with connections
}

// turn is the share of a client.
type turn struct {
	connections int
	slots       chan struct{}
}

func newTurns() *turns {
	return &turns{all: make(chan struct{}, maxReading), by: map[netip.Addr]*turn{}}
}

// of returns the share of a client, until leave is called once.
func (t *turns) of(client netip.Addr) (share *turn, leave func()) {
	site := access.Site(client)
	t.mu.Lock()
	defer t.mu.Unlock()
	if share = t.by[site]; share == nil {
		share = &turn{slots: make(chan struct{}, maxReadingOfClient)}
		t.by[site] = share
	}
	share.connections++
	return share, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if share.connections--; share.connections == 0 {
			delete(t.by, site)
		}
	}
}

// take waits for a turn, which ends with done.
func (t *turns) take(ctx context.Context, share *turn) (done func(), err error) {
	for i, slots := range []chan struct{}{share.slots, t.all} {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			if i > 0 {
				<-share.slots
			}
			return nil, ctx.Err() //nolint:wrapcheck // the caller's own
		}
	}
	return func() {
		<-t.all
		<-share.slots
	}, nil
}
