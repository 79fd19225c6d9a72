package payments_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
)

// An event waits for earlier events of the same payment at the same endpoint, and a repetition for those that are repeated with it. Samples and
// what a user sends again wait for nothing.
func TestPendingDelivery_WaitsForEarlierEventsOfItsPayment(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	slow, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/slow", []byte("sealed"))
	require.NoError(t, err)
	tr, m := s.register()
	other, body := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(1, other, body, 999)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 999)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(3, tr, m, 1000)))
	// newest returns the newest delivery of an event to an endpoint.
	newest := func(endpoint int64, status payment.Status) payment.Delivery {
		t.Helper()
		list, err := s.p.Deliveries(t.Context(), payments.DeliveryFilter{Endpoints: []int64{endpoint}, About: payment.EventID(tr.Reference, status), Limit: 1})
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0]
	}
	waits := func(d payment.Delivery) bool {
		t.Helper()
		p, err := s.p.PendingDelivery(t.Context(), d.ID)
		require.NoError(t, err)
		require.Equal(t, d.ID, p.ID)
		return p.Blocked
	}
	attempt := func(d payment.Delivery, state payment.DeliveryState, failure string) {
		t.Helper()
		d.State, d.Attempts, d.Reason = state, d.Attempts+1, failure
		_, err := s.p.RecordAttempt(t.Context(), &d, &payment.Attempt{Number: d.Attempts, StartedAt: time.Now(), Error: failure}, payments.Breaker{Failures: 9})
		require.NoError(t, err)
	}
	failed, success := newest(s.to, payment.Failed), newest(s.to, payment.Success)
	require.False(t, waits(failed), "the event of another payment is earlier")
	require.True(t, waits(success))
	attempt(failed, payment.DeliveryRetrying, "status 500")
	require.True(t, waits(success), "the failure is tried again")
	failed = newest(s.to, payment.Failed)
	require.Nil(t, failed.FinishedAt)
	attempt(failed, payment.DeliveryDelivered, "")
	require.False(t, waits(success))
	require.True(t, waits(newest(slow, payment.Success)), "at the other endpoint the failure is not delivered")
	failed = newest(s.to, payment.Failed)
	require.NotNil(t, failed.FinishedAt)
	attempts, err := s.p.Attempts(t.Context(), failed.ID)
	require.NoError(t, err)
	require.Len(t, attempts, 2)
	require.Equal(t, []any{1, "status 500", 2, ""}, []any{attempts[0].Number, attempts[0].Error, attempts[1].Number, attempts[1].Error})
	attempts, err = s.p.Attempts(t.Context(), success.ID)
	require.NoError(t, err)
	require.Empty(t, attempts)
	stored, err := s.p.Delivery(t.Context(), success.ID)
	require.NoError(t, err)
	require.Equal(t, &success, stored)

	_, err = s.p.Replay(t.Context(), s.ID, s.to, 0, 100)
	require.NoError(t, err)
	require.False(t, waits(success), "repetitions delay nothing that is older")
	require.False(t, waits(newest(s.to, payment.Failed)), "the success is later, although its first delivery is open")
	again := newest(s.to, payment.Success)
	require.True(t, waits(again))
	id, err := s.p.Resend(t.Context(), &again)
	require.NoError(t, err)
	again.ID = id
	require.False(t, waits(again), "by hand")
}

// A job that ended without its delivery, as after a failover that lost the job and gave its number to another, is written again.
func TestRestoreJobs_OpenDeliveriesHaveAJob(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 1500)))
	require.Equal(t, 1, s.jobs())
	restore := func() int {
		n, err := s.p.RestoreJobs(t.Context())
		require.NoError(t, err)
		return n
	}
	require.Zero(t, restore(), "each delivery has its job")

	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err := handle.ExecContext(t.Context(), `UPDATE river.river_job SET state = 'completed', finalized_at = now()`)
	require.NoError(t, err)
	require.Equal(t, 1, restore())
	require.Equal(t, 1, s.jobs())
	require.Zero(t, restore())

	_, err = handle.ExecContext(t.Context(), `UPDATE river.river_job SET state = 'completed', finalized_at = now() WHERE finalized_at IS NULL`)
	require.NoError(t, err)
	d := s.deliveries()[0]
	d.State, d.Attempts = payment.DeliveryDelivered, 1
	_, err = s.p.RecordAttempt(t.Context(), &d, &payment.Attempt{Number: 1, StartedAt: time.Now(), Status: 200}, payments.Breaker{})
	require.NoError(t, err)
	require.Zero(t, restore(), "a delivery that ended needs none")
}

// Jobs that are due later by the clock of the database alone, which is behind that of the process that wrote them, are made due. A repetition may
// wait for the longest time for which jobs are snoozed.
func TestRestoreJobs_ClockAheadOfTheDatabaseDelaysNoDelivery(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 1500)))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for _, job := range []struct {
		attempt int
		ahead   string
		waits   bool
	}{{0, "1 hour", false}, {0, "5 minutes", false}, {1, "3 days", false}, {1, "9 seconds", true}} {
		var before, after time.Time
		require.NoError(t, handle.QueryRowContext(t.Context(), `UPDATE river.river_job SET attempt = $1, scheduled_at = now() + $2::interval RETURNING scheduled_at`,
			job.attempt, job.ahead).Scan(&before))
		n, err := s.p.RestoreJobs(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT scheduled_at FROM river.river_job`).Scan(&after))
		require.Equal(t, job.waits, before.Equal(after), "%+v: %s, %s", job, before, after)
		require.False(t, before.Before(after), "%+v", job)
	}
}

// An attempt at a delivery that a failover lost is not recorded for the delivery that has its number now.
func TestRecordAttempt_OfAnotherDeliveryIsLeftOut(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 1500)))
	lost := s.deliveries()[0]
	lost.EventID, lost.State, lost.Attempts = "evt_lost", payment.DeliveryDelivered, 1
	_, err := s.p.RecordAttempt(t.Context(), &lost, &payment.Attempt{Number: 1, StartedAt: time.Now(), Status: 200}, payments.Breaker{})
	require.NoError(t, err)
	require.NoError(t, s.p.SkipDelivery(t.Context(), &lost, "skipped"))
	d := s.deliveries()[0]
	require.Equal(t, payment.DeliveryPending, d.State)
	attempts, err := s.p.Attempts(t.Context(), d.ID)
	require.NoError(t, err)
	require.Empty(t, attempts)
}
