package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"tonql/internal/outbound"
	"tonql/internal/store"
)

const (
	// pollInterval is how late a retry may begin. New jobs are announced by the database and do not wait for it.
	pollInterval = 200 * time.Millisecond
	fetchPause   = 5 * time.Millisecond
	jobTimeout   = 20 * time.Second
	rescueAfter  = time.Minute
	lookAround   = time.Second // how often endpoints are looked up
	stopTimeout  = 3 * time.Second
)

// idleQueue exists while there is no endpoint: River does not work without a queue.
const idleQueue = "endpoint_0"

// Dispatcher delivers events. [Dispatcher.Run] does the work.
type Dispatcher struct {
	options Options
	clients *clients
	metrics *metrics
	wake    chan struct{}
}

// New makes a dispatcher.
func New(o Options) *Dispatcher {
	o = o.withDefaults()
	return &Dispatcher{options: o, clients: &clients{options: o, byMerchant: map[int64]*outbound.Client{}}, metrics: newMetrics(o.Metrics), wake: make(chan struct{}, 1)}
}

// Run delivers until ctx ends.
func (d *Dispatcher) Run(ctx context.Context) error {
	defer d.clients.close()
	return run(ctx, d, d.options.Payments.JobDriver())
}

// run is [Dispatcher.Run]; the type of the driver's transactions is the store's business.
func run[Tx any](ctx context.Context, d *Dispatcher, driver riverdriver.Driver[Tx]) error {
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &worker{dispatcher: d}); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	client, err := river.NewClient(driver, &river.Config{
		Schema: store.JobSchema, Workers: workers, Logger: slog.New(warnings{d.options.Logger.Handler()}),
		Queues:            map[string]river.QueueConfig{idleQueue: {MaxWorkers: 1, FetchPollInterval: time.Minute}},
		FetchPollInterval: pollInterval, FetchCooldown: fetchPause,
		JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter,
		CompletedJobRetentionPeriod: time.Hour, // the log of deliveries is ours
	})
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	q := &queues[Tx]{dispatcher: d, client: client, known: map[int64]bool{}, gone: map[int64]time.Time{}}
	q.follow(ctx)
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := client.StopAndCancel(stop); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	return nil
}

// queues keeps one queue for each endpoint, and lets those of endpoints that only fail stand still.
type queues[Tx any] struct {
	dispatcher *Dispatcher
	client     *river.Client[Tx]
	known      map[int64]bool      // by endpoint; whether its queue stands still
	gone       map[int64]time.Time // since when an endpoint with a queue is removed
}

func (q *queues[Tx]) follow(ctx context.Context) {
	tick := time.NewTicker(lookAround)
	defer tick.Stop()
	for {
		if err := q.adjust(ctx); err != nil && ctx.Err() == nil {
			q.dispatcher.options.Logger.Warn("webhook endpoints cannot be looked up", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-q.dispatcher.wake:
		}
	}
}

func (q *queues[Tx]) adjust(ctx context.Context) error {
	endpoints, err := q.dispatcher.options.Payments.EndpointIDs(ctx)
	if err != nil {
		return err
	}
	for id, still := range endpoints {
		name := store.DeliveryQueue(id)
		was, known := q.known[id]
		if !known {
			// The pause of an earlier process may have outlived its reason.
			if err := q.client.QueueResume(ctx, name, nil); err != nil && !isNotFound(err) {
				return fmt.Errorf("queue of endpoint %d: %w", id, err)
			}
			err := q.client.Queues().Add(name, river.QueueConfig{MaxWorkers: q.dispatcher.options.PerEndpoint})
			if err != nil {
				return fmt.Errorf("queue of endpoint %d: %w", id, err)
			}
			q.known[id] = false
		}
		if was == still {
			continue
		}
		change := q.client.QueueResume
		if still {
			change = q.client.QueuePause
		}
		if err := change(ctx, name, nil); err != nil {
			if isNotFound(err) {
				continue // the queue was only just begun
			}
			return fmt.Errorf("queue of endpoint %d: %w", id, err)
		}
		q.known[id] = still
	}
	if err := q.sweep(ctx, endpoints); err != nil {
		return err
	}
	open, oldest, err := q.dispatcher.options.Payments.Backlog(ctx)
	if err != nil {
		return err
	}
	q.dispatcher.metrics.backlog.Set(float64(open))
	q.dispatcher.metrics.oldest.Set(oldest.Seconds())
	return nil
}

// sweep ends the queues of endpoints that were removed, once nothing can be under way there: River waits for what is.
func (q *queues[Tx]) sweep(ctx context.Context, endpoints map[int64]bool) error {
	for id := range q.known {
		if _, ok := endpoints[id]; ok {
			continue
		}
		since, noticed := q.gone[id]
		if !noticed {
			q.gone[id] = time.Now()
			continue
		}
		if time.Since(since) < 2*jobTimeout {
			continue
		}
		if err := q.client.Queues().Remove(ctx, store.DeliveryQueue(id)); err != nil {
			return fmt.Errorf("queue of endpoint %d: %w", id, err)
		}
		delete(q.known, id)
		delete(q.gone, id)
	}
	return nil
}
