package live

import (
	"context"
	"net/netip"

	"tonql/internal/access"
	"tonql/rest/handler"
)

// maxWaiting is more than what waits for one client.
const maxWaiting = 1 << 20

// Workers divide what is done at a time for all connections by client: the connections of one client wait for each other, so that one with many
// expensive subscriptions does not delay the others. Safe for concurrent use.
type Workers struct {
	all      chan struct{}
	byClient *handler.Slots[netip.Addr]
}

// NewWorkers returns workers of which a client has at most ofClient.
func NewWorkers(all, ofClient int) *Workers {
	return &Workers{all: make(chan struct{}, all), byClient: handler.NewSlots[netip.Addr](ofClient, maxWaiting)}
}

// Begin waits for a worker for a client, until done is called. Clients without an address, as those of a Unix socket, are bounded together
// only. The error is that of ctx.
func (w *Workers) Begin(ctx context.Context, client netip.Addr) (done func(), err error) {
	leave := func() {}
	if client.IsValid() {
		if leave, err = w.byClient.Acquire(ctx, access.Site(client)); err != nil {
			return nil, err //nolint:wrapcheck // that of ctx
		}
	}
	select {
	case w.all <- struct{}{}:
		return func() { <-w.all; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err() //nolint:wrapcheck // the caller's own
	}
}

// Busy returns the number of workers that are taken.
func (w *Workers) Busy() int { return len(w.all) }
