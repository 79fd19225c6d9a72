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
