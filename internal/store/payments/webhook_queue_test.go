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

// So it is with alerts, whose repetitions wait for as long as the number of their attempts says.
func TestRestoreJobs_ClockAheadOfTheDatabaseDelaysNoAlert(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	require.NoError(t, s.p.TestAlert(t.Context(), s.ID, payment.Alerts{Email: "shop@example.org"}))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for _, job := range []struct {
		attempt int
		delay   time.Duration
	}{{0, 0}, {1, 15 * time.Second}, {3, time.Minute}, {9, 64 * time.Minute}, {20, 64 * time.Minute}} {
		for ahead, earlier := range map[time.Duration]bool{-time.Second: false, time.Hour: true} {
			var before, after, now time.Time
			require.NoError(t, handle.QueryRowContext(t.Context(), `UPDATE river.river_job SET attempt = $1, max_attempts = 25, scheduled_at = now() + $2 * interval '1 second'
				RETURNING scheduled_at, now()`, job.attempt, (job.delay+ahead).Seconds()).Scan(&before, &now))
			_, err := s.p.RestoreJobs(t.Context())
			require.NoError(t, err)
			require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT scheduled_at FROM river.river_job`).Scan(&after))
			require.Equal(t, earlier, after.Before(before), "%+v", job)
			if earlier {
				require.False(t, after.Before(now.Add(job.delay)), "%+v: no attempt is early", job)
			}
		}
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
