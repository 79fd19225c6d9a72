package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"tonql/internal/store/payments"
)

// auditInterval is the interval in which the queues are compared with the open deliveries, which finds deliveries whose
// notification was lost.
const auditInterval = time.Second

// restoreInterval is the interval in which deliveries without a job get one, and queues are paused or resumed again whatever
// they were: a failover may lose jobs and the state of queues.
const restoreInterval = 10 * time.Second

// queues runs one queue for each endpoint with open deliveries and pauses the queues of failing endpoints.
type queues[Tx any] struct {
	dispatcher *Dispatcher
	client     *river.Client[Tx]
	active     map[int64]*queue // by endpoint
	created    chan int64       // endpoints with new deliveries; 0 for any
	restored   time.Time        // last call of restore
}

// queue is the state of one endpoint's queue.
type queue struct {
	paused *bool     // nil if not certain
	busy   time.Time // last time with open deliveries
}

// listen receives notifications of new deliveries until ctx ends.
func (q *queues[Tx]) listen(ctx context.Context) {
	hint := func(endpoint int64) {
		select {
		case q.created <- endpoint:
		case <-ctx.Done():
		}
	}
	q.dispatcher.options.Payments.Listen(ctx, hint, func(err error) {
		q.dispatcher.options.Logger.Warn("LISTEN failed, polling webhook deliveries", "err", err)
	})
}

func (q *queues[Tx]) follow(ctx context.Context) {
	tick := time.NewTicker(auditInterval)
	defer tick.Stop()
	for {
		if err := q.adjust(ctx); err != nil && ctx.Err() == nil {
			q.dispatcher.options.Logger.Warn("lookup of webhook endpoints failed", "err", err)
		}
		if !q.wait(ctx, tick.C) {
			return
		}
	}
}

// wait returns true when the queues have to be adjusted, and false when ctx has ended. It starts the queue of an endpoint
// with a new delivery at once.
func (q *queues[Tx]) wait(ctx context.Context, tick <-chan time.Time) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick:
			return true
		case <-q.dispatcher.wake:
			return true
		case endpoint := <-q.created:
			switch {
			case endpoint == 0:
				return true
			case q.active[endpoint] == nil:
				if err := q.ensure(ctx, endpoint, false); err != nil && ctx.Err() == nil {
					q.dispatcher.options.Logger.Warn("webhook queue not started", "endpoint", endpoint, "err", err)
				}
			}
		}
	}
}

func (q *queues[Tx]) adjust(ctx context.Context) error {
	records := q.dispatcher.options.Payments
	if time.Since(q.restored) >= restoreInterval {
		if err := q.restore(ctx); err != nil {
			return err
		}
	}
	busy, err := records.BusyEndpoints(ctx)
	if err != nil {
		return err
	}
	for id, paused := range busy {
		if err := q.ensure(ctx, id, paused); err != nil {
			return fmt.Errorf("queue of endpoint %d: %w", id, err)
		}
	}
	for id, of := range q.active {
		if time.Since(of.busy) < q.dispatcher.options.IdleFor {
			continue
		}
		if err := q.client.Queues().Remove(ctx, payments.DeliveryQueue(id)); err != nil {
			return fmt.Errorf("queue of endpoint %d: %w", id, err)
		}
		delete(q.active, id)
	}
	return q.dispatcher.metrics.backlog.read(ctx, records)
}

// restore writes the jobs that open deliveries lack, and forgets which queues are paused.
func (q *queues[Tx]) restore(ctx context.Context) error {
	n, err := q.dispatcher.options.Payments.RestoreJobs(ctx, q.dispatcher.options.Breaker.Pause)
	if err != nil {
		return err
	}
	if n > 0 {
		q.dispatcher.options.Logger.Warn("webhook deliveries without a job got one", "count", n)
	}
	for _, of := range q.active {
		of.paused = nil
	}
	q.restored = time.Now()
	return nil
}

// add starts a queue. When the start fails, as without a database, the client retains the queue and refuses to add it
// again; add removes it, so that the next call starts it.
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

// ensure starts the queue of an endpoint and pauses or resumes it.
func (q *queues[Tx]) ensure(ctx context.Context, id int64, paused bool) error {
	name := payments.DeliveryQueue(id)
	of := q.active[id]
	if of == nil {
		// An earlier queue of this endpoint may have been paused.
		if err := q.client.QueueResume(ctx, name, nil); err != nil && !isNotFound(err) {
			return err
		}
		if err := q.add(ctx, name); err != nil {
			return err
		}
		of = &queue{paused: new(false)}
		q.active[id] = of
	}
	of.busy = time.Now()
	if of.paused != nil && *of.paused == paused {
		return nil
	}
	change := q.client.QueueResume
	if paused {
		change = q.client.QueuePause
	}
	switch err := change(ctx, name, nil); {
	case isNotFound(err): // the queue was started a moment ago
	case err != nil:
		return err
	default:
		of.paused = &paused
	}
	return nil
}
