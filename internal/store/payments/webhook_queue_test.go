package payments_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
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
	failed, success := newest(s.to, payment.Failed), newest(s.to, payment.Success)
	require.False(t, waits(failed), "the event of another payment is earlier")
	require.True(t, waits(success))
	s.attempt(&failed, payment.DeliveryRetrying, "status 500", payments.Breaker{Failures: 9})
	require.True(t, waits(success), "the failure is tried again")
	failed = newest(s.to, payment.Failed)
	require.Nil(t, failed.FinishedAt)
	s.attempt(&failed, payment.DeliveryDelivered, "", payments.Breaker{Failures: 9})
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
		n, err := s.p.RestoreJobs(t.Context(), time.Minute)
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
		n, err := s.p.RestoreJobs(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT scheduled_at FROM river.river_job`).Scan(&after))
		require.Equal(t, job.waits, before.Equal(after), "%+v: %s, %s", job, before, after)
		require.False(t, before.Before(after), "%+v", job)
	}
}

// What was written before the clock of the database was set back by days does not last for days: the begin of a job whose process ended, the process that schedules
// repetitions, the pause of an endpoint. What is of now stays.
func TestRestoreJobs_ClockThatWasSetBackDelaysNothing(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	tr, m := s.register()
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	require.NoError(t, db.Writer().Apply(t.Context(), newPaymentBlock(2, tr, m, 1500)))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for ahead, wrong := range map[string]bool{"3 days": true, "20 seconds": false} {
		for _, statement := range []string{
			`UPDATE river.river_job SET state = 'running', attempt = 1, attempted_at = now() + $1::interval`,
			`INSERT INTO river.river_leader (elected_at, expires_at, leader_id) VALUES (now(), now() + $1::interval, 'gone') ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at`,
			`UPDATE webhook_endpoints SET paused_until = now() + $1::interval`,
		} {
			_, err := handle.ExecContext(t.Context(), statement, ahead)
			require.NoError(t, err)
		}
		n, err := s.p.RestoreJobs(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Zero(t, n)
		var leaders int
		var begun, paused time.Duration
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM river.river_leader), (extract(epoch FROM attempted_at - now()) * 1e9)::bigint,
			(SELECT (extract(epoch FROM paused_until - now()) * 1e9)::bigint FROM webhook_endpoints) FROM river.river_job`).Scan(&leaders, &begun, &paused))
		require.LessOrEqual(t, begun, 20*time.Second, ahead)
		require.LessOrEqual(t, paused, time.Minute, ahead)
		require.Equal(t, wrong, leaders == 0, ahead)
		require.Equal(t, wrong, begun <= 0, ahead)
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
			_, err := s.p.RestoreJobs(t.Context(), time.Minute)
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

// attempt records the next attempt of a delivery, which failed unless the reason is empty.
func (s *shop) attempt(d *payment.Delivery, state payment.DeliveryState, reason string, breaker payments.Breaker) (paused bool) {
	s.t.Helper()
	d.State, d.Attempts, d.Reason = state, d.Attempts+1, reason
	paused, err := s.p.RecordAttempt(s.t.Context(), d, &payment.Attempt{Number: d.Attempts, StartedAt: time.Now(), Error: reason}, breaker)
	require.NoError(s.t, err)
	return paused
}

// pay registers a payment, pays it in a block and returns the delivery of its event.
func (s *shop) pay(seqno uint32) payment.Delivery {
	s.t.Helper()
	tr, m := s.register()
	require.NoError(s.t, s.db.Writer().Apply(s.t.Context(), newPaymentBlock(seqno, tr, m, 1000)))
	return s.deliveries()[0]
}

// Failures in a row pause an endpoint, each further one again, and a success ends the pause. Other endpoints are not paused.
func TestRecordAttempt_FailuresInARowPauseTheEndpoint(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	d, b := s.pay(2), payments.Breaker{Failures: 3, Pause: time.Hour}
	busy := func(want map[int64]bool) {
		t.Helper()
		got, err := s.p.BusyEndpoints(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	busy(map[int64]bool{s.to: false})
	foreign := other.pay(3)
	var paused []bool
	for range 4 {
		paused = append(paused, s.attempt(&d, payment.DeliveryRetrying, "status 500", b))
	}
	require.Equal(t, []bool{false, false, true, true}, paused)
	require.False(t, other.attempt(&foreign, payment.DeliveryRetrying, "timeout", b))
	busy(map[int64]bool{s.to: true, other.to: false})
	e, err := s.p.Endpoint(t.Context(), s.to)
	require.NoError(t, err)
	require.Equal(t, 4, e.Failures)
	require.Greater(t, e.PausedUntil.Sub(e.CreatedAt), 59*time.Minute)

	require.False(t, s.attempt(&d, payment.DeliveryDelivered, "", b))
	busy(map[int64]bool{other.to: false})
	e, err = s.p.Endpoint(t.Context(), s.to)
	require.NoError(t, err)
	require.Zero(t, e.Failures)
	require.Nil(t, e.PausedUntil)
	e, err = s.p.Endpoint(t.Context(), other.to)
	require.NoError(t, err)
	require.Equal(t, 1, e.Failures)

	want := payment.Attempt{Number: 6, StartedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Duration: 1500 * time.Millisecond, Status: 502, Error: "status 502", Excerpt: "bad gateway", Headers: "Webhook-Id: 1\n"}
	again := s.pay(4)
	_, err = s.p.RecordAttempt(t.Context(), &again, &want, b)
	require.NoError(t, err)
	attempts, err := s.p.Attempts(t.Context(), again.ID)
	require.NoError(t, err)
	attempts[0].StartedAt = attempts[0].StartedAt.UTC()
	require.Equal(t, []payment.Attempt{want}, attempts)
}

// An endpoint that is removed ends its own open deliveries, also for an attempt that is under way; those that ended stay as they are.
func TestRemoveEndpoint_EndsItsOpenDeliveries(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	var list []payment.Delivery
	for i := range 4 {
		list = append(list, s.pay(uint32(i+2)))
	}
	foreign := other.pay(9)
	b := payments.Breaker{Failures: 9}
	s.attempt(&list[0], payment.DeliveryDelivered, "", b)
	s.attempt(&list[1], payment.DeliveryExhausted, "status 500", b)
	s.attempt(&list[2], payment.DeliveryRetrying, "status 500", b)
	open, oldest, err := s.p.Backlog(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(3), open)
	require.Positive(t, oldest)

	require.Equal(t, chain.NotFound, chain.KindOf(s.p.RemoveEndpoint(t.Context(), other.ID, s.to)), "an endpoint of another merchant")
	require.NoError(t, s.p.RemoveEndpoint(t.Context(), s.ID, s.to))
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.RemoveEndpoint(t.Context(), s.ID, s.to)))
	require.Zero(t, s.jobs())
	require.Equal(t, 1, other.jobs())
	s.attempt(&list[3], payment.DeliveryDelivered, "", b)
	var states []payment.DeliveryState
	for _, d := range s.deliveries() {
		states = append(states, d.State)
		require.Equal(t, d.State == payment.DeliverySkipped, d.Reason == payment.ReasonRemoved)
		require.NotNil(t, d.FinishedAt)
	}
	require.Equal(t, []payment.DeliveryState{payment.DeliverySkipped, payment.DeliverySkipped, payment.DeliveryExhausted, payment.DeliveryDelivered}, states)
	got, err := s.p.Delivery(t.Context(), foreign.ID)
	require.NoError(t, err)
	require.Equal(t, payment.DeliveryPending, got.State)
	open, _, err = s.p.Backlog(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), open)
	e, err := s.p.Endpoint(t.Context(), s.to)
	require.NoError(t, err)
	require.False(t, e.Enabled)
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.UpdateEndpoint(t.Context(), s.ID, s.to, "https://shop.example/hook", true)))
	require.Equal(t, chain.NotFound, chain.KindOf(s.p.SetEventTypes(t.Context(), s.ID, s.to, nil)))
}

// What was given up is sent again once: since a time, to the endpoints that are named and not removed, the oldest first.
func TestResendExhausted_SendsWhatWasGivenUpOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s := newShop(t, db, "shop")
	second, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/second", []byte("sealed"))
	require.NoError(t, err)
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var events []string
	for i, state := range []payment.DeliveryState{payment.DeliveryExhausted, payment.DeliveryDelivered, payment.DeliveryExhausted, payment.DeliveryExhausted, payment.DeliveryPending} {
		d := s.pay(uint32(i + 2))
		events = append(events, d.EventID)
		if state != payment.DeliveryPending {
			_, err := handle.ExecContext(t.Context(), `UPDATE webhook_deliveries SET state = $2, finished_at = now(), created_at = $3 WHERE event_id = $1`,
				d.EventID, int(state), start.Add(time.Duration(i-2)*time.Second))
			require.NoError(t, err)
		}
	}
	to := []int64{s.to}
	for _, since := range []time.Time{start.Add(-time.Hour), start, start.Add(time.Hour)} {
		n, err := s.p.Exhausted(t.Context(), to, since)
		require.NoError(t, err)
		require.Equal(t, map[time.Time]int{start.Add(-time.Hour): 3, start: 2, start.Add(time.Hour): 0}[since], n, since)
	}
	n, err := s.p.ResendExhausted(t.Context(), to, start)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	list := s.deliveries()
	require.Equal(t, []string{events[3], events[2]}, []string{list[0].EventID, list[1].EventID}, "the oldest first")
	require.Equal(t, []payment.Trigger{payment.TriggerReplay, payment.TriggerReplay, payment.TriggerEvent}, []payment.Trigger{list[0].Trigger, list[1].Trigger, list[2].Trigger})
	n, err = s.p.ResendExhausted(t.Context(), to, start)
	require.NoError(t, err)
	require.Zero(t, n, "they were sent again")
	n, err = s.p.Exhausted(t.Context(), []int64{s.to, second}, start.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, 4, n, "the oldest one, and three of the second endpoint")
	require.NoError(t, s.p.RemoveEndpoint(t.Context(), s.ID, second))
	n, err = s.p.Exhausted(t.Context(), []int64{s.to, second}, start.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// A replay has the events of one merchant behind the cursor, without samples, for endpoints that are on; users' own deliveries go first.
func TestReplay_EventsOfOneMerchantWithoutSamples(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	s, other := newShop(t, db, "shop"), newShop(t, db, "other")
	second, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/second", []byte("sealed"))
	require.NoError(t, err)
	off, err := s.p.CreateEndpoint(t.Context(), s.ID, "https://shop.example/off", []byte("sealed"))
	require.NoError(t, err)
	require.NoError(t, s.p.UpdateEndpoint(t.Context(), s.ID, off, "https://shop.example/off", false))
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	first := s.pay(2)
	other.pay(3)
	e, err := s.p.Endpoint(t.Context(), s.to)
	require.NoError(t, err)
	sample, err := s.p.SendTest(t.Context(), e, &payment.Info{Reference: "test_1", RawAmount: big.NewInt(1), Status: payment.Success})
	require.NoError(t, err)
	last := s.pay(4)
	for _, c := range []struct {
		endpoint, after int64
		limit           int
		want            payments.Replayed
	}{
		{0, 0, 100, payments.Replayed{Cursor: last.Cursor, Events: 2, Deliveries: 4}},
		{second, 0, 100, payments.Replayed{Cursor: last.Cursor, Events: 2, Deliveries: 2}},
		{off, 0, 100, payments.Replayed{Cursor: last.Cursor, Events: 2}},
		{s.to, first.Cursor, 100, payments.Replayed{Cursor: last.Cursor, Events: 1, Deliveries: 1}},
		{s.to, 0, 1, payments.Replayed{Cursor: first.Cursor, Events: 1, Deliveries: 1}},
		{s.to, last.Cursor, 100, payments.Replayed{Cursor: last.Cursor}},
	} {
		got, err := s.p.Replay(t.Context(), s.ID, c.endpoint, c.after, c.limit)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%+v", c)
	}
	again, err := s.p.Resend(t.Context(), &last)
	require.NoError(t, err)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	for delivery, want := range map[int64]int{first.ID: 2, sample: 1, again: 1, again - 1: 2} { // 1 comes first
		var priority int
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT priority FROM river.river_job WHERE (args->>'delivery')::bigint = $1`, delivery).Scan(&priority))
		require.Equal(t, want, priority, delivery)
	}
}
