package payments

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

// DeliveryJob requests the next attempt of a delivery. It holds only the number of the delivery.
type DeliveryJob struct {
	Delivery int64 `json:"delivery"`
}

// Kind implements river.JobArgs. It is on disk: never rename.
func (DeliveryJob) Kind() string { return "webhook_delivery" }

// DeliveryQueue names the queue of an endpoint: each has its own, so that none waits for another's.
func DeliveryQueue(endpoint int64) string { return "endpoint_" + strconv.FormatInt(endpoint, 10) }

// Priorities of jobs: requests of users come before a backlog.
const (
	priorityNow     = 1
	priorityBacklog = 2
)

// jobAttempts is the largest number of internal failures of a job, such as a lost database; attempts at a receiver are
// counted in webhook_deliveries.
const jobAttempts = 1000

// jobList gathers the jobs of deliveries.
type jobList struct {
	params    []river.InsertManyParams
	endpoints []int64
}

func (l *jobList) add(delivery, endpoint int64, trigger payment.Trigger) {
	priority := priorityBacklog
	if trigger == payment.TriggerManual || trigger == payment.TriggerTest {
		priority = priorityNow
	}
	l.endpoints = append(l.endpoints, endpoint)
	l.params = append(l.params, river.InsertManyParams{
		Args:       DeliveryJob{Delivery: delivery},
		InsertOpts: &river.InsertOpts{Queue: DeliveryQueue(endpoint), Priority: priority, MaxAttempts: jobAttempts},
	})
}

// maxRestored bounds the jobs that one call of [Store.RestoreJobs] writes.
const maxRestored = 1000

const (
	lockRestore = `SELECT pg_try_advisory_xact_lock(hashtext('tonql.webhook_jobs'))`
	// Open deliveries that no job will finish, the oldest first.
	selectOrphans = `SELECT d.id, d.endpoint_id, d.trigger FROM webhook_deliveries d
		WHERE d.state < 2 AND NOT EXISTS (SELECT FROM ` + JobSchema + `.river_job j
			WHERE j.kind = $1 AND j.state IN ('available', 'pending', 'retryable', 'running', 'scheduled')
				AND (j.args->>'delivery')::bigint = d.id)
		ORDER BY d.id LIMIT $2`
	// Jobs that are due by the clock of a process, which is ahead of that of the database.
	advanceJobs = `UPDATE ` + JobSchema + `.river_job SET scheduled_at = now() WHERE kind = $1 AND state IN ('available', 'retryable', 'scheduled')
			AND scheduled_at > now() + CASE attempt WHEN 0 THEN 0 ELSE $2 END * interval '1 second'`
	// The same for alerts, whose repetitions wait for the time of [AlertDelay].
	advanceAlerts = `UPDATE ` + JobSchema + `.river_job j SET scheduled_at = now() + d.delay
		FROM (SELECT n, delay * interval '1 second' FROM unnest($2::float8[]) WITH ORDINALITY u(delay, n)) d(n, delay)
		WHERE j.kind = $1 AND j.state IN ('available', 'retryable', 'scheduled') AND d.n = least(j.attempt + 1, cardinality($2)) AND j.scheduled_at > now() + d.delay`
)

const (
	// What was written before the clock of the database was set back would last until the clock is there again: running jobs of a process that ended, which River makes
	// due an hour after their begin, a process that schedules the repetitions and ended, and pauses of endpoints.
	correctRunning = `UPDATE ` + JobSchema + `.river_job SET attempted_at = now() WHERE kind = ANY($1) AND state = 'running' AND attempted_at > now() + interval '1 minute'`
	correctLeader  = `DELETE FROM ` + JobSchema + `.river_leader WHERE expires_at > now() + interval '10 minutes'`
	correctPauses  = `UPDATE webhook_endpoints SET paused_until = now() + $1 * interval '1 second' WHERE paused_until > now() + ($1 + 60) * interval '1 second'`
)

// maxJobAhead is the time in seconds after which a repetition is due at the latest: above the longest time for which jobs are snoozed.
const maxJobAhead = 10

// RestoreJobs writes a job for each open delivery that has none, at most a thousand, and returns their number. A delivery and
// its job are written together. But after a failover that lost jobs, new jobs get their numbers, and the end of a lost job may be taken for
// that of a new one. It also makes jobs due that wait only because clocks differ: River schedules them by the clock of the process, and
// finds them by that of the database. pause is the longest pause of an endpoint.
func (s *Store) RestoreJobs(ctx context.Context, pause time.Duration) (n int, err error) {
	err = s.transaction(ctx, "jobs of deliveries", func(tx pgx.Tx) error {
		var alone bool // another process may be restoring the same
		if err := tx.QueryRow(ctx, lockRestore).Scan(&alone); err != nil || !alone {
			return err
		}
		if _, err := tx.Exec(ctx, advanceJobs, DeliveryJob{}.Kind(), maxJobAhead); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, advanceAlerts, AlertJob{}.Kind(), alertDelays()); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, correctRunning, []string{DeliveryJob{}.Kind(), AlertJob{}.Kind()}); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, correctLeader); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, correctPauses, pause.Seconds()); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, selectOrphans, DeliveryJob{}.Kind(), maxRestored)
		if err != nil {
			return err
		}
		var list jobList
		if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { list.add(r.Int8(), r.Int8(), payment.Trigger(r.Int2())) }); err != nil {
			return err
		}
		n = len(list.params)
		return list.insert(ctx, tx, s.jobs)
	})
	return n, err
}

// The channel of new deliveries. The payload is the number of the endpoint. Notifications may be lost:
// the list of open deliveries is authoritative.
const (
	notifyDeliveries = `SELECT pg_notify('tonql_webhooks', e::text) FROM unnest($1::bigint[]) e`
	listenDeliveries = `LISTEN tonql_webhooks`
)

// insert writes the jobs and notifies the dispatchers.
func (l *jobList) insert(ctx context.Context, tx pgx.Tx, jobs *river.Client[pgx.Tx]) error {
	if len(l.params) == 0 {
		return nil
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, l.params); err != nil {
		return fmt.Errorf("jobs of deliveries: %w", err)
	}
	if _, err := tx.Exec(ctx, notifyDeliveries, sqlbuild.Unique(l.endpoints)); err != nil {
		return fmt.Errorf("notification of deliveries: %w", err)
	}
	return nil
}

// Listen calls hint with the endpoint of every delivery that any process creates, until ctx ends. It calls hint with 0
// each time it begins to listen, because earlier notifications are lost. lost is called with the error whenever the
// connection fails.
func (s *Store) Listen(ctx context.Context, hint func(endpoint int64), lost func(error)) {
	l := sqlbuild.Listener{Config: s.pool.Config().ConnConfig, Statement: listenDeliveries, What: "notifications of deliveries", Lost: lost}
	l.Run(ctx, func() { hint(0) }, func(payload string) {
		if endpoint, err := strconv.ParseInt(payload, 10, 64); err == nil {
			hint(endpoint)
		}
	})
}

// event is a webhook event to be stored and delivered.
type event struct {
	id        string
	merchant  int64
	reference string
	status    payment.Status
	test      bool
	body      []byte
	at        time.Time
}

// wanted selects endpoints that receive events of the type of v.
const wanted = `(ARRAY['success', 'failed', 'refunded'])[v.status] = ANY(n.events)`

const (
	insertEvent = `INSERT INTO webhook_events (id, merchant_id, reference, status, test, body, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	insertDeliveries = `INSERT INTO webhook_deliveries (event_id, endpoint_id, trigger)
		SELECT v.id, n.id, 0 FROM unnest($1::text[]) WITH ORDINALITY k(id, n) JOIN webhook_events v ON v.id = k.id
		JOIN webhook_endpoints n ON n.merchant_id = v.merchant_id AND n.enabled AND ` + wanted + ` ORDER BY k.n, n.id
		ON CONFLICT (event_id, endpoint_id) WHERE trigger = 0 DO NOTHING RETURNING id, endpoint_id`
)

// deliver writes events, a delivery of each to every endpoint of its merchant, and the jobs.
func deliver(ctx context.Context, tx pgx.Tx, jobs *river.Client[pgx.Tx], events []event) error {
	if len(events) == 0 {
		return nil
	}
	ids := make([]string, len(events))
	b := &pgx.Batch{}
	for i, e := range events {
		ids[i] = e.id
		b.Queue(insertEvent, e.id, e.merchant, e.reference, statusNumber(e.status), e.test, e.body, e.at)
	}
	var list jobList
	b.Queue(insertDeliveries, ids).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { list.add(r.Int8(), r.Int8(), payment.TriggerEvent) })
	})
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	return list.insert(ctx, tx, jobs)
}
