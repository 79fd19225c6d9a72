package webhook_test

import (
	"fmt"
	"net"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/rest/webhook"
)

// One endpoint hangs with thousands of events in its queue; another merchant's events do not wait for it, and what waits
// is delivered once the receiver is well again.
func TestDeadEndpointDelaysNobody(t *testing.T) {
	t.Parallel()
	const backlog, others = 10_000, 50
	db := testdb.New(t)
	b := newBench(t, func(o *webhook.Options) { o.Payments = db.Payments() })
	b.payments = db.Payments()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	dead := httptest.NewServer(hijack(func(net.Conn) { <-over }))
	t.Cleanup(dead.Close)
	well := httptest.NewServer(status(200))
	t.Cleanup(well.Close)
	stuck, healthy := b.endpoint(dead.URL), b.endpoint(well.URL)

	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO webhook_events (id, merchant_id, reference, status, body)
		SELECT 'evt_' || n, %d, 'r' || n, 1, '{}' FROM generate_series(1, %d) n`, stuck.Merchant, backlog))
	require.NoError(t, err)
	_, n, err := b.payments.Replay(t.Context(), stuck.Merchant, 0, 0, backlog)
	require.NoError(t, err)
	require.Equal(t, backlog, n)

	// The healthy endpoint's queue is there.
	b.ended(b.send(healthy), 30*time.Second)
	var worst time.Duration
	for range others {
		d, attempts := b.ended(b.send(healthy), 30*time.Second)
		require.Equal(t, payment.DeliveryDelivered, d.State)
		worst = max(worst, attempts[0].StartedAt.Sub(d.CreatedAt))
	}
	t.Logf("with %d events waiting for another endpoint, the slowest of %d began after %s", backlog, others, worst)
	require.Less(t, worst, time.Second)
	open, _, err := b.payments.Backlog(t.Context())
	require.NoError(t, err)
	require.Greater(t, open, int64(backlog-200), "they wait")

	// The merchant moves to a server that works.
	require.NoError(t, b.payments.UpdateEndpoint(t.Context(), stuck.Merchant, stuck.ID, well.URL, true))
	pending := payment.DeliveryPending
	require.Eventually(t, func() bool {
		list, err := b.payments.Deliveries(t.Context(), store.DeliveryFilter{Endpoints: []int64{stuck.ID}, State: &pending, Limit: 1})
		require.NoError(t, err)
		return len(list) == 0
	}, 3*time.Minute, 200*time.Millisecond, "the backlog is delivered")
}

// An endpoint that only fails is left alone for a while.
func TestBreaker(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *webhook.Options) { o.Breaker = store.Breaker{Failures: 3, Pause: 4 * time.Second} })
	r := &receiver{answer: status(500)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	e := b.endpoint(server.URL)
	id := b.send(e)
	require.Eventually(t, func() bool {
		e, err := b.payments.Endpoint(t.Context(), e.ID)
		require.NoError(t, err)
		return e.PausedUntil != nil
	}, 30*time.Second, 20*time.Millisecond)
	r.mu.Lock()
	require.Len(t, r.at, 3)
	r.answer = status(200)
	r.mu.Unlock()
	d, attempts := b.ended(id, 60*time.Second)
	require.Equal(t, payment.DeliveryDelivered, d.State)
	require.Len(t, attempts, 4)
	well, err := b.payments.Endpoint(t.Context(), e.ID)
	require.NoError(t, err)
	require.Zero(t, well.Failures)
	require.Nil(t, well.PausedUntil)
}
