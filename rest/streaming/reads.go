package streaming

import (
	"context"
	"net/netip"

	"tonql/internal/access"
	"tonql/rest/handler"
)

const (
	// maxReads bounds the reads of the index for all sessions, at a time, and maxReadsOfClient those for one client. Sessions of one client wait for
	// each other, so that one with many connections to busy accounts does not delay the others.
	maxReads         = 16
	maxReadsOfClient = 4
	// maxSessions is more than there are of one client.
	maxSessions = 1 << 20
)

// reads divides reads of the index by client. Safe for concurrent use.
type reads struct {
	all      chan struct{}
	byClient *handler.Slots[netip.Addr]
}

func newReads() *reads {
	return &reads{all: make(chan struct{}, maxReads), byClient: handler.NewSlots[netip.Addr](maxReadsOfClient, maxSessions)}
}

// begin waits until a client may read, until done is called.
func (r *reads) begin(ctx context.Context, client netip.Addr) (done func(), err error) {
	leave, err := r.byClient.Acquire(ctx, access.Site(client))
	if err != nil {
		return nil, err //nolint:wrapcheck // that of ctx
	}
	select {
	case r.all <- struct{}{}:
		return func() { <-r.all; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err() //nolint:wrapcheck // the caller's own
	}
}
