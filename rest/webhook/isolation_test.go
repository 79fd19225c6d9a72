package webhook_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
	"tonql/rest/webhook"
)

// One endpoint hangs with thousands of events in its queue: events of another merchant do not wait for it, and the
// backlog is delivered when the receiver works again.
func TestRun_HangingEndpointDelaysNoOther(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const backlog, others, perEndpoint = 10_000, 50, 16
	db := testdb.New(t)
	b := newBench(t, func(o *webhook.Options) { o.Payments = db.Payments() })
	b.payments = db.Payments()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	var now, peak atomic.Int64 // concurrent attempts at the hanging endpoint
	dead := httptest.NewServer(hijack(func(net.Conn) {
		n := now.Add(1)
		for before := peak.Load(); n > before && !peak.CompareAndSwap(before, n); before = peak.Load() {
		}
		<-over
	}))
	t.Cleanup(dead.Close)
	well := httptest.NewServer(status(200))
	t.Cleanup(well.Close)
	stuck, healthy := b.endpoint(dead.URL), b.endpoint(well.URL)

	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO webhook_events (id, merchant_id, reference, status, body)
		SELECT 'evt_' || n, %d, 'r' || n, 1, '{}' FROM generate_series(1, %d) n`, stuck.Merchant, backlog))
	require.NoError(t, err)
	done, err := b.payments.Replay(t.Context(), stuck.Merchant, 0, 0, backlog)
	require.NoError(t, err)
	require.Equal(t, backlog, done.Deliveries)

	// The healthy endpoint's queue has started.
	b.ended(b.send(healthy), 30*time.Second)
	var worst time.Duration
	for range others {
		d, attempts := b.ended(b.send(healthy), 30*time.Second)
		require.Equal(t, payment.DeliveryDelivered, d.State)
		worst = max(worst, attempts[0].StartedAt.Sub(d.CreatedAt))
	}
	t.Logf("with %d events waiting for another endpoint, the slowest of %d began after %s", backlog, others, worst)
	require.Less(t, worst, pacetest.Slow*time.Second)
	// The hanging endpoint uses its limit of attempts and no more.
	require.Equal(t, int64(perEndpoint), peak.Load())
	open, _, err := b.payments.Backlog(t.Context())
	require.NoError(t, err)
	require.Greater(t, open, int64(backlog-200), "they wait")

	// The merchant moves to a server that works.
	require.NoError(t, b.payments.UpdateEndpoint(t.Context(), stuck.Merchant, stuck.ID, well.URL, true))
	pending := payment.DeliveryPending
	require.Eventually(t, func() bool {
		list, err := b.payments.Deliveries(t.Context(), payments.DeliveryFilter{Endpoints: []int64{stuck.ID}, State: &pending, Limit: 1})
		require.NoError(t, err)
		return len(list) == 0
	}, 3*time.Minute, 200*time.Millisecond, "the backlog is delivered")
}

// A failing endpoint is paused; then its deliveries continue.
func TestRun_BreakerPausesAFailingEndpoint(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const failures, pause = 2, 9 * time.Second // longer than the schedule's next step
	b := newBench(t, func(o *webhook.Options) { o.Breaker = payments.Breaker{Failures: failures, Pause: pause} })
	r := &receiver{handler: status(500)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	e := b.endpoint(server.URL)
	id := b.send(e)
	require.Eventually(t, func() bool {
		e, err := b.payments.Endpoint(t.Context(), e.ID)
		require.NoError(t, err)
		return e.PausedUntil != nil
	}, time.Minute, 20*time.Millisecond)
	r.mu.Lock()
	require.Len(t, r.at, failures)
	r.handler = status(200)
	r.mu.Unlock()
	d, attempts := b.ended(id, 60*time.Second)
	require.Equal(t, payment.DeliveryDelivered, d.State)
	require.Len(t, attempts, failures+1)
	require.GreaterOrEqual(t, attempts[2].StartedAt.Sub(attempts[1].StartedAt), pause)
	well, err := b.payments.Endpoint(t.Context(), e.ID)
	require.NoError(t, err)
	require.Zero(t, well.Failures)
	require.Nil(t, well.PausedUntil)
}

// A removed endpoint receives nothing more, not even its open deliveries.
func TestRun_RemovedEndpointReceivesNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := newBench(t, nil)
	r := &receiver{handler: status(500)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	e := b.endpoint(server.URL)
	id := b.send(e)
	tried := func(id int64, n int) func() bool {
		return func() bool {
			attempts, err := b.payments.Attempts(t.Context(), id)
			require.NoError(t, err)
			return len(attempts) == n
		}
	}
	require.Eventually(t, tried(id, 1), time.Minute, 10*time.Millisecond)
	require.NoError(t, b.payments.RemoveEndpoint(t.Context(), e.Merchant, e.ID))
	d, _ := b.ended(id, 10*time.Second)
	require.Equal(t, payment.DeliverySkipped, d.State)
	require.Equal(t, payment.ReasonRemoved, d.Reason)
	// A later delivery of another merchant has its second attempt, so that of this delivery would have been due.
	later := b.send(b.endpoint(server.URL))
	require.Eventually(t, tried(later, 2), time.Minute, 20*time.Millisecond)
	attempts, err := b.payments.Attempts(t.Context(), id)
	require.NoError(t, err)
	require.Len(t, attempts, 1)
}

// The queue of an idle endpoint is removed, and started again for the next delivery.
func TestRun_IdleQueueIsRemovedAndRestarted(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := newBench(t, func(o *webhook.Options) { o.IdleFor = time.Second })
	well, ill := httptest.NewServer(status(200)), httptest.NewServer(status(500))
	t.Cleanup(well.Close)
	t.Cleanup(ill.Close)
	e := b.endpoint(well.URL)
	for round := range 2 {
		d, attempts := b.ended(b.send(e), 30*time.Second)
		require.Equal(t, payment.DeliveryDelivered, d.State)
		t.Logf("round %d began after %s", round, attempts[0].StartedAt.Sub(d.CreatedAt))
		// The third attempt at another endpoint is six seconds later.
		other := b.send(b.endpoint(ill.URL))
		require.Eventually(t, func() bool {
			attempts, err := b.payments.Attempts(t.Context(), other)
			require.NoError(t, err)
			return len(attempts) == 3
		}, time.Minute, 50*time.Millisecond)
	}
	d, _ := b.ended(b.send(e), 30*time.Second)
	require.Equal(t, payment.DeliveryDelivered, d.State)
}

// The events of a payment arrive in their order: a success is sent once the failure before it was delivered. Other payments do not wait.
func TestDeliver_EventsOfAPaymentAreInOrder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	var mu sync.Mutex
	var received []string
	refused := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := r.Header.Get("Webhook-Id")
		if id == "evt_failed" && refused < 2 { // the second attempt follows after a second, the third after five more
			refused++
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		received = append(received, id)
	}))
	t.Cleanup(server.Close)
	e := b.endpoint(server.URL + "/hook")
	handle := b.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	ids := map[string]int64{}
	for _, event := range []struct{ id, reference string }{{"evt_failed", "a"}, {"evt_success", "a"}, {"evt_other", "b"}} {
		_, err := handle.ExecContext(t.Context(), `INSERT INTO webhook_events (id, merchant_id, reference, status, test, body, created_at) VALUES ($1, $2, $3, 1, false, '{}', now())`,
			event.id, e.Merchant, event.reference)
		require.NoError(t, err)
		var id int64
		require.NoError(t, handle.QueryRowContext(t.Context(), `INSERT INTO webhook_deliveries (event_id, endpoint_id, trigger) VALUES ($1, $2, 0) RETURNING id`, event.id, e.ID).Scan(&id))
		ids[event.id] = id
	}
	b.run(nil)
	for id := range ids {
		d, _ := b.ended(ids[id], time.Minute)
		require.Equal(t, payment.DeliveryDelivered, d.State, id)
	}
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"evt_other", "evt_failed", "evt_success"}, received)
}
