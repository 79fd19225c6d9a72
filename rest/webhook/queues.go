package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"tonql/internal/store"
)

// lookAround is how often the open deliveries are looked at, which finds what no notice told.
const lookAround = time.Second

// queues keeps one queue for each endpoint that something is on its way to, and lets those of endpoints that only fail
// stand still.
type queues[Tx any] struct {
	dispatcher *Dispatcher
	client     *river.Client[Tx]
	known      map[int64]*queue // by endpoint
	made       chan int64       // endpoints that deliveries were made to; 0 for any
}

// queue is what is known of one.
type queue struct {
	still bool
	busy  time.Time // when something was last on its way
}

// listen receives notifications of new deliveries until ctx ends.
func (q *queues[Tx]) listen(ctx context.Context) {
	hint := func(endpoint int64) {
		select {
		case q.made <- endpoint:
		case <-ctx.Done():
		}
	}
	q.dispatcher.options.Payments.Listen(ctx, hint, func(err error) {
		q.dispatcher.options.Logger.Warn("LISTEN failed, polling webhook deliveries", "err", err)
	})
}

func (q *queues[Tx]) follow(ctx context.Context) {
	tick := time.NewTicker(lookAround)
	defer tick.Stop()
	for {
		if err := q.adjust(ctx); err != nil && ctx.Err() == nil {
			q.dispatcher.options.Logger.Warn("webhook endpoints cannot be looked up", "err", err)
		}
		if !q.wait(ctx, tick.C) {
			return
		}
	}
}

// wait passes the time until the open deliveries are to be looked at again; it is false when ctx has ended. An endpoint
// that is heard of and has no queue gets one at once.
func (q *queues[Tx]) wait(ctx context.Context, tick <-chan time.Time) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick:
			return true
		case <-q.dispatcher.wake:
			return true
		case endpoint := <-q.made:
			switch {
			case endpoint == 0:
				return true
			case q.known[endpoint] == nil:
				if err := q.keep(ctx, endpoint, false); err != nil && ctx.Err() == nil {
					q.dispatcher.options.Logger.Warn("an endpoint has no queue yet", "endpoint", endpoint, "err", err)
				}
			}
		}
	}
}

func (q *queues[Tx]) adjust(ctx context.Context) error {
	payments := q.dispatcher.options.Payments
	busy, err := payments.BusyEndpoints(ctx)
	if err != nil {
		return err
	}
	for id, still := range busy {
		if err := q.keep(ctx, id, still); err != nil {
			return fmt.Errorf("queue of endpoint %d: %w", id, err)
		}
	}
	for id, known := range q.known {
		if time.Since(known.busy) < q.dispatcher.options.IdleFor {
			continue
		}
		if err := q.client.Queues().Remove(ctx, store.DeliveryQueue(id)); err != nil {
			return fmt.Errorf("queue of endpoint %d: %w", id, err)
		}
		delete(q.known, id)
	}
	open, oldest, err := payments.Backlog(ctx)
	if err != nil {
		return err
	}
	q.dispatcher.metrics.backlog.Set(float64(open))
	q.dispatcher.metrics.oldest.Set(oldest.Seconds())
	return nil
}

// add makes a queue work. A queue whose start failed, because the database was lost, stays with the client without
// working, and cannot be added again: it is removed, so that the next attempt starts it.
func (q *queues[Tx]) add(ctx context.Context, name string) error {
	err := q.client.Queues().Add(name, river.QueueConfig{MaxWorkers: q.dispatcher.options.PerEndpoint})
	if err == nil {
		return nil
	}
	if removed := q.client.Queues().Remove(ctx, name); removed != nil && !errors.Is(removed, &river.QueueNotFoundError{}) {
		return errors.Join(err, removed)
	}
	return err
}

// keep makes the queue of an endpoint work, or stand still.
func (q *queues[Tx]) keep(ctx context.Context, id int64, still bool) error {
	name := store.DeliveryQueue(id)
	known := q.known[id]
	if known == nil {
		// The pause of an earlier queue may have outlived its reason.
		if err := q.client.QueueResume(ctx, name, nil); err != nil && !isNotFound(err) {
			return err
		}
		if err := q.add(ctx, name); err != nil {
			return err
		}
		known = &queue{}
		q.known[id] = known
	}
	known.busy = time.Now()
	if known.still == still {
		return nil
	}
	change := q.client.QueueResume
	if still {
		change = q.client.QueuePause
	}
	switch err := change(ctx, name, nil); {
	case isNotFound(err): // the queue was only just begun
	case err != nil:
		return err
	default:
		known.still = still
	}
	return nil
}
