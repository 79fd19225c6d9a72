package emulate

import (
	"context"
	"sync"
	"time"

	"tonql/internal/chain"
)

// share divides what executes at a time by client: of one client, a part of it, so that the executions of a client that sends many wait for each
// other and those of others for few. Safe for concurrent use.
type share struct {
	all      chan struct{}
	ofClient int
	// client identifies the client of a request; "" or nil: it is bounded with all others only.
	client func(context.Context) string
	// spent is called with the time of each execution; nil: it is not measured.
	spent func(context.Context, time.Duration)

	mu      sync.Mutex
	clients map[string]*clientSlots // those with executions
}

// clientSlots are the executions of one client.
type clientSlots struct {
	running chan struct{}
	present int // running or waiting
}

func newShare(atOnce, ofClient int, o Options) *share {
	return &share{all: make(chan struct{}, atOnce), ofClient: ofClient, client: o.Client, spent: o.Spent, clients: map[string]*clientSlots{}}
}

// begin waits for an execution of the client of ctx, which lasts until end is called.
func (s *share) begin(ctx context.Context) (end func(), err error) {
	leave := func() {}
	if s.client != nil {
		if name := s.client(ctx); name != "" {
			if leave, err = s.enter(ctx, name); err != nil {
				return nil, err
			}
		}
	}
	select {
	case s.all <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, errWaited(ctx)
	}
	began := time.Now()
	return func() {
		<-s.all
		leave()
		if s.spent != nil {
			s.spent(ctx, time.Since(began))
		}
	}, nil
}

// enter waits for a slot of a client.
func (s *share) enter(ctx context.Context, client string) (leave func(), err error) {
	s.mu.Lock()
	of := s.clients[client]
	if of == nil {
		of = &clientSlots{running: make(chan struct{}, s.ofClient)}
		s.clients[client] = of
	}
	of.present++
	s.mu.Unlock()
	gone := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if of.present--; of.present == 0 {
			delete(s.clients, client)
		}
	}
	select {
	case of.running <- struct{}{}:
		return func() { <-of.running; gone() }, nil
	case <-ctx.Done():
		gone()
		return nil, errWaited(ctx)
	}
}

func errWaited(ctx context.Context) error {
	return chain.Unavailablef(ctx.Err(), "other executions are at work; try again in a moment")
}
