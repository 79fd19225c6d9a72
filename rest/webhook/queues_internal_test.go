package webhook

import (
	"context"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/stretchr/testify/require"

	"tonql/internal/outbound"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
)

// A queue that was added but not started, because the database was lost in between, is started by the next call.
func TestQueuesAdd_RestartsAQueueThatDidNotStart(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	addedTwice(t, testdb.New(t).Payments().JobDriver())
}

func addedTwice[Tx any](t *testing.T, driver riverdriver.Driver[Tx]) {
	t.Helper()
	q := idleQueues(t, driver, &Dispatcher{options: Options{PerEndpoint: 1}})
	name := payments.DeliveryQueue(7)
	require.NoError(t, q.client.Queues().Add(name, river.QueueConfig{MaxWorkers: 1})) // the state after a failed start
	require.ErrorIs(t, q.add(t.Context(), name), &river.QueueAlreadyAddedError{})
	require.NoError(t, q.add(t.Context(), name))
}

// idleQueues returns the queues of a client that does not run.
func idleQueues[Tx any](t *testing.T, driver riverdriver.Driver[Tx], d *Dispatcher) *queues[Tx] {
	t.Helper()
	workers := river.NewWorkers()
	require.NoError(t, river.AddWorkerSafely(workers, &worker{}))
	client, err := river.NewClient(driver, &river.Config{
		Schema: payments.JobSchema, Workers: workers, Queues: map[string]river.QueueConfig{idleQueue: {MaxWorkers: 1}},
	})
	require.NoError(t, err)
	return &queues[Tx]{dispatcher: d, client: client, active: map[int64]*queue{}, created: make(chan int64)}
}

// An endpoint with open deliveries has a queue, and one that has none for a while has none. Lost jobs are restored from time to time.
func TestQueuesAdjust_FollowsTheOpenDeliveries(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	adjusted(t, db, db.Payments().JobDriver())
}

func adjusted[Tx any](t *testing.T, db *store.DB, driver riverdriver.Driver[Tx]) {
	t.Helper()
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	jobs := func() (n int) {
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM river.river_job`).Scan(&n))
		return n
	}
	e := sampled(t, db.Payments())
	require.Equal(t, 1, jobs())
	_, err := handle.ExecContext(t.Context(), `DELETE FROM river.river_job`)
	require.NoError(t, err)

	q := idleQueues(t, driver, New(Options{Payments: db.Payments(), IdleFor: time.Minute}))
	const idle, present = 1000, 1001
	for _, id := range []int64{idle, present} {
		require.NoError(t, q.add(t.Context(), payments.DeliveryQueue(id)))
		q.active[id] = &queue{paused: new(true), busy: time.Now()}
	}
	q.active[idle].busy = time.Now().Add(-time.Minute)
	require.NoError(t, q.adjust(t.Context()))
	require.Equal(t, 1, jobs(), "the lost job is restored")
	require.Contains(t, q.active, e)
	require.WithinDuration(t, time.Now(), q.active[e].busy, 30*time.Second)
	require.InDelta(t, 1, testutil.ToFloat64(q.dispatcher.metrics.backlog.open), 0)
	require.NotContains(t, q.active, int64(idle))
	require.Contains(t, q.active, int64(present))
	require.Nil(t, q.active[present].paused, "a failover may have lost it")
	require.NoError(t, q.client.Queues().Add(payments.DeliveryQueue(idle), river.QueueConfig{MaxWorkers: 1}), "the queue of the idle one is removed")
	require.Error(t, q.client.Queues().Add(payments.DeliveryQueue(present), river.QueueConfig{MaxWorkers: 1}))

	_, err = handle.ExecContext(t.Context(), `DELETE FROM river.river_job`)
	require.NoError(t, err)
	require.NoError(t, q.adjust(t.Context()))
	require.Zero(t, jobs(), "not every time")
	q.restored = time.Now().Add(-restoreInterval)
	require.NoError(t, q.adjust(t.Context()))
	require.Equal(t, 1, jobs())
	q.restored = time.Time{}
	ended, stop := context.WithCancel(t.Context())
	stop()
	require.Error(t, q.adjust(ended))
}

// sampled makes a merchant with an endpoint that has one open delivery.
func sampled(t *testing.T, p *payments.Store) (endpoint int64) {
	t.Helper()
	m := &payment.Merchant{Name: "Shop", Network: "devnet"}
	require.NoError(t, p.CreateMerchant(t.Context(), m))
	id, err := p.CreateEndpoint(t.Context(), m.ID, "https://shop.example/", []byte("sealed"))
	require.NoError(t, err)
	e, err := p.Endpoint(t.Context(), id)
	require.NoError(t, err)
	_, err = p.SendTest(t.Context(), e, &payment.Info{RawAmount: big.NewInt(1), Asset: "TON", Status: payment.Success, Reference: payment.NewReference(), Date: time.Now()})
	require.NoError(t, err)
	return id
}

// A new delivery does not wait for the next comparison with the open deliveries: its notification starts the queue.
func TestQueuesWait_NewDeliveryStartsItsQueue(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	started(t, db.Payments(), db.Payments().JobDriver())
}

func started[Tx any](t *testing.T, p *payments.Store, driver riverdriver.Driver[Tx]) {
	t.Helper()
	q := idleQueues(t, driver, New(Options{Payments: p}))
	ctx, stop := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() { q.listen(ctx) })
	t.Cleanup(func() { stop(); listening.Wait() })
	require.Zero(t, <-q.created, "notifications before the first LISTEN are lost")
	id := sampled(t, p)
	require.Equal(t, id, <-q.created)

	tick := make(chan time.Time)
	go func() {
		q.created <- id
		q.created <- id
		tick <- time.Now()
	}()
	require.True(t, q.wait(ctx, tick))
	require.Len(t, q.active, 1)
	require.Contains(t, q.active, id)
	go func() { q.created <- 0 }()
	require.True(t, q.wait(ctx, tick), "any delivery may be new")
	q.dispatcher.wake <- struct{}{}
	require.True(t, q.wait(ctx, tick))
	stop()
	require.False(t, q.wait(ctx, tick))
}

// Merchants share no connections, and one of their own is used again.
func TestClients_EachMerchantHasOne(t *testing.T) {
	t.Parallel()
	c := &clients{byMerchant: map[int64]*outbound.Client{}}
	defer c.close()
	first := c.of(7)
	require.Same(t, first, c.of(7))
	require.NotSame(t, c.of(7), c.of(8))
}

// The documented limits apply where nothing else is set.
func TestOptions_DefaultsAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	o := Options{}.withDefaults()
	require.Equal(t, 16, o.PerEndpoint)
	require.Equal(t, payments.Breaker{Failures: 20, Pause: 30 * time.Second}, o.Breaker)
	require.Equal(t, 10*time.Minute, o.IdleFor)
	require.NotNil(t, o.Logger)
	set := Options{PerEndpoint: 1, Breaker: payments.Breaker{Failures: 1, Pause: time.Second}, IdleFor: 1, Logger: slog.New(slog.DiscardHandler)}
	o = set.withDefaults()
	require.Equal(t, []any{set.PerEndpoint, set.Breaker, set.IdleFor, set.Logger}, []any{o.PerEndpoint, o.Breaker, o.IdleFor, o.Logger})
}

func TestRun_RetriesTheStartWithoutDatabase(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t)})
	require.NoError(t, err)
	payments := db.Payments()
	db.Close() // every later connection fails
	warned := make(chan struct{}, 100)
	log := slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), "cannot start, trying again") {
			warned <- struct{}{}
		}
		return len(p), nil
	}), nil))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- New(Options{Payments: payments, Logger: log}).Run(ctx) }()
	for range 2 {
		select {
		case <-warned:
		case err := <-ended:
			require.Fail(t, "the dispatcher ended", "%v", err)
		case <-time.After(time.Minute):
			require.Fail(t, "no attempt was made")
		}
	}
	stop()
	require.NoError(t, <-ended)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A delivery that waits for another one checks at first often, then in a share of its age.
func TestBlockedFor_FollowsTheAge(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]time.Duration{
		-time.Second: blockedPoll, 0: blockedPoll, time.Second: blockedPoll, 8 * time.Second: 2 * time.Second, time.Hour: maxSnooze,
	} {
		require.Equal(t, want, blockedFor(age), age)
	}
}
