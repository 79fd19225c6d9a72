package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"tonql/internal/ctxtime"
	"tonql/internal/logs"
	"tonql/internal/outbound"
	"tonql/internal/store/payments"
)

const (
	// pollInterval bounds the delay of a retry. New jobs are announced by the database and do not wait for it.
	pollInterval = 200 * time.Millisecond
	fetchPause   = 5 * time.Millisecond
	jobTimeout   = 20 * time.Second
	rescueAfter  = time.Minute
	stopTimeout  = 3 * time.Second
)

// idleQueue is a queue without jobs: River requires at least one queue.
const idleQueue = "endpoint_0"

// Dispatcher delivers events to webhook endpoints.
type Dispatcher struct {
	options Options
	clients *clients
	metrics *metrics
	wake    chan struct{}
}

// New returns a dispatcher. [Dispatcher.Run] starts it.
func New(o Options) *Dispatcher {
	o = o.withDefaults()
	return &Dispatcher{options: o, clients: &clients{options: o, byMerchant: map[int64]*outbound.Client{}}, metrics: newMetrics(o.Metrics), wake: make(chan struct{}, 1)}
}

// Run delivers events until ctx ends.
func (d *Dispatcher) Run(ctx context.Context) error {
	defer d.clients.close()
	return run(ctx, d, d.options.Payments.JobDriver())
}

// run implements [Dispatcher.Run] for the transaction type of the store's driver.
func run[Tx any](ctx context.Context, d *Dispatcher, driver riverdriver.Driver[Tx]) error {
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &worker{dispatcher: d}); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	if err := river.AddWorkerSafely(workers, &alerter{dispatcher: d}); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	client, err := startJobs(ctx, d, driver, workers)
	if client == nil {
		return err
	}
	q := &queues[Tx]{dispatcher: d, client: client, active: map[int64]*queue{}, created: make(chan int64)}
	var listening sync.WaitGroup
	listening.Go(func() { q.listen(ctx) })
	q.follow(ctx)
	listening.Wait()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := client.StopAndCancel(stop); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	return nil
}

// startJobs returns a started client, or nil when ctx ends first. It retries a failed start, such as one without a database;
// deliveries wait meanwhile.
func startJobs[Tx any](ctx context.Context, d *Dispatcher, driver riverdriver.Driver[Tx], workers *river.Workers) (*river.Client[Tx], error) {
	for {
		client, err := newJobs(d, driver, workers)
		if err != nil {
			return nil, err
		}
		if err = client.Start(context.WithoutCancel(ctx)); err == nil {
			return client, nil
		}
		if ctx.Err() == nil {
			d.options.Logger.Warn("webhook deliveries cannot start, trying again", "err", err)
		}
		if !ctxtime.Sleep(ctx, auditInterval) {
			return nil, nil //nolint:nilnil // there is nothing to stop, and nothing went wrong
		}
	}
}

func newJobs[Tx any](d *Dispatcher, driver riverdriver.Driver[Tx], workers *river.Workers) (*river.Client[Tx], error) {
	client, err := river.NewClient(driver, &river.Config{
		Schema: payments.JobSchema, Workers: workers, Logger: logs.Library(d.options.Logger, "river", slog.LevelWarn, slog.LevelError),
		Queues: map[string]river.QueueConfig{
			idleQueue:           {MaxWorkers: 1, FetchPollInterval: time.Minute},
			payments.AlertQueue: {MaxWorkers: alertWorkers, FetchPollInterval: alertPoll},
		},
		FetchPollInterval: pollInterval, FetchCooldown: fetchPause,
		JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter,
		CompletedJobRetentionPeriod: time.Hour, // the store has its own log of deliveries
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	return client, nil
}
