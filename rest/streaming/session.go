package streaming

import (
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/feed"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// deliveryTime bounds the reads for one batch.
const deliveryTime = 10 * time.Second

// session is what a connection receives and has been sent. The subscription may be set by any goroutine; all else belongs to the one of run.
type session struct {
	h      *Handler
	client netip.Addr
	memory *handler.Allocation // of the subscription
	send   func(notification []byte) error

	sub  atomic.Pointer[subscription]
	open openTraces

	begun, delivered atomic.Uint64 // batches, of which one is delivered at a time
}

// start opens the stream of the session: events from now on are delivered by run. pending includes pending traces.
func (s *session) start(ctx context.Context, pending bool) (*feed.Stream, error) {
	if s.h.opts.Feed == nil {
		return nil, chain.Unavailablef(nil, "this gateway has no live events")
	}
	start := feed.Start{Pending: pending && s.h.opts.Feed.EmulatesPending(), Fresh: true}
	return s.h.opts.Feed.Open(ctx, start, func(_ context.Context, b *feed.Batch) ([]*feed.Event, error) { //nolint:wrapcheck // of the feed
		return []*feed.Event{{Batch: b}}, nil
	})
}

// run delivers notifications until ctx ends or one cannot be sent. It closes the stream. A panic ends the session, not the program.
func (s *session) run(ctx context.Context, stream *feed.Stream) (err error) {
	defer stream.Close()
	defer chain.Recover(&err)
	for {
		events, err := stream.Next(ctx)
		if err != nil {
			return fmt.Errorf("live events: %w", err)
		}
		for _, e := range events {
			if err := s.batch(ctx, e.Batch); err != nil {
				return err
			}
		}
	}
}

// batch delivers what the subscription has in common with a batch.
func (s *session) batch(ctx context.Context, b *feed.Batch) error {
	s.begun.Add(1) // before the read of sub
	defer s.delivered.Add(1)
	sub := s.sub.Load()
	if t, update := b.Pending(); update {
		return s.pendingUpdate(ctx, sub, b, t)
	}
	var of blockEvents
	if err := s.retried(ctx, b, func(ctx context.Context) (err error) {
		of, err = s.selected(ctx, sub, b)
		return err
	}); err != nil {
		return err
	}
	return s.blocks(ctx, sub, b, &of)
}

// retried reads from the index, from another server when one fails or has not the blocks of the batch, and again while none can be read: a client
// cannot resume, so its connection outlasts a failover.
func (s *session) retried(ctx context.Context, b *feed.Batch, read func(ctx context.Context) error) error {
	return feed.Outlast(ctx, func() error { return s.tried(ctx, b, read) }) //nolint:wrapcheck // of read
}

func (s *session) tried(ctx context.Context, b *feed.Batch, read func(ctx context.Context) error) error {
	done, err := s.h.reads.Begin(ctx, s.client)
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, deliveryTime)
	defer cancel()
	return resolvers.Try(ctx, b.Within.Last, nil, read) //nolint:wrapcheck // of read
}

// notify makes a notification of a trace and sends it. level is that of the trace, which is remembered until it is final.
func (s *session) notify(ctx context.Context, sub *subscription, kind string, of chain.Hash, level finality, fill func(n *message)) error {
	n := newNotification(kind, level.String(), of)
	if err := s.made(ctx, sub, n, fill); err != nil {
		return err
	}
	return s.notified(ctx, n, of, level)
}

// notified sends a notification of a trace unless it is too long.
func (s *session) notified(ctx context.Context, n *message, of chain.Hash, level finality) error {
	if n.full() {
		s.h.skipped.Inc()
		return nil
	}
	if level == finalized {
		s.open.remove(of)
	} else {
		s.open.add(of)
	}
	return s.emit(ctx, append(n.b, '}'))
}

// made fills in a notification, with its address book and metadata, as a read of the index: so few are made at a time, which may be long.
func (s *session) made(ctx context.Context, sub *subscription, n *message, fill func(n *message)) error {
	done, err := s.h.reads.Begin(ctx, s.client)
	if err != nil {
		return err //nolint:wrapcheck // that of ctx
	}
	defer done()
	fill(n)
	n.names(ctx, s.h.opts.Service, sub)
	return nil
}

// subscribe puts a subscription in force. It fails when those of the client, or of all sessions, are too large together.
func (s *session) subscribe(sub *subscription) error {
	if err := s.memory.Resize(sub.size()); err != nil {
		return err //nolint:wrapcheck // of this package
	}
	s.sub.Store(sub)
	return nil
}

const (
	// settleTime bounds the wait for a batch, whose rows cannot be read while the database fails over.
	settleTime = 2 * time.Second
	settlePoll = time.Millisecond
)

// settle waits until the batch is delivered that began with an earlier subscription, at most settleTime.
func (s *session) settle(ctx context.Context) {
	end, begun := time.Now().Add(settleTime), s.begun.Load()
	for s.delivered.Load() < begun && time.Now().Before(end) && ctxtime.Sleep(ctx, settlePoll) {
		continue
	}
}

// end ends a session after run.
func (s *session) end() {
	_ = s.memory.Resize(0) // which does not fail
}

// eventPrice is what a notification costs the client's rate limit, in requests.
const eventPrice = 0.1

// emit sends a notification, for which the client's rate limit is charged.
func (s *session) emit(ctx context.Context, notification []byte) error {
	access.Charge(ctx, eventPrice)
	return s.send(notification)
}
