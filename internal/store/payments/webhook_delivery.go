package payments

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

const (
	deliveryColumns = `d.id, d.event_id, v.seq, v.reference, v.status, d.endpoint_id, n.url, d.trigger, d.state, d.attempts, d.next_at,
		d.created_at, d.finished_at, d.reason, v.body, v.created_at, v.test`
	selectDeliveries = `SELECT ` + deliveryColumns + ` FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
		JOIN webhook_endpoints n ON n.id = d.endpoint_id`
	selectDelivery = selectDeliveries + ` WHERE d.id = $1`
	selectAttempts = `SELECT attempt, started_at, duration, status, error, excerpt, headers FROM webhook_attempts WHERE delivery_id = $1 ORDER BY attempt`

	// What the next attempt of a delivery needs. An event waits until earlier events of the same payment are delivered, or have
	// failed.
	selectPendingDelivery = `SELECT ` + deliveryColumns + `, ` + endpointColumns + `,
		d.attempts = 0 AND d.trigger IN (0, 3) AND EXISTS (SELECT FROM webhook_events w
			JOIN webhook_deliveries e ON e.event_id = w.id AND e.endpoint_id = d.endpoint_id AND e.id < d.id AND e.state < 2
			WHERE w.reference = v.reference AND w.seq < v.seq)
		FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id JOIN webhook_endpoints n ON n.id = d.endpoint_id
		WHERE d.id = $1`

	// A crash of the database may lose this: then the attempt is made again, under the same number. After a failover that lost
	// a delivery its number may be another's, so the event and the endpoint have to fit.
	commitSoon    = `SELECT set_config('synchronous_commit', 'off', true)`
	insertAttempt = `INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration, status, error, excerpt, headers)
		SELECT d.id, $4, $5, $6, $7, $8, $9, $10 FROM webhook_deliveries d WHERE d.id = $1 AND d.event_id = $2 AND d.endpoint_id = $3
		ON CONFLICT DO NOTHING`
	updateDelivery = `UPDATE webhook_deliveries SET state = $4::smallint, attempts = $5, next_at = $6, reason = $7,
		finished_at = CASE WHEN $4::smallint >= 2 THEN now() END WHERE id = $1 AND event_id = $2 AND endpoint_id = $3 AND state < 2`
	endpointWell   = `UPDATE webhook_endpoints SET failures = 0, paused_until = NULL WHERE id = $1 AND (failures > 0 OR paused_until IS NOT NULL)`
	endpointUnwell = `UPDATE webhook_endpoints SET failures = failures + 1,
		paused_until = CASE WHEN failures + 1 >= $2 THEN now() + $3 * interval '1 second' ELSE paused_until END WHERE id = $1
		RETURNING coalesce(paused_until > now(), false)`

	insertDelivery = `INSERT INTO webhook_deliveries (event_id, endpoint_id, trigger)
		SELECT k.event, k.endpoint, $3 FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY k(event, endpoint, n) ORDER BY k.n
		RETURNING id, endpoint_id`
	selectExhausted = `SELECT d.event_id, d.endpoint_id ` + givenUp + ` ORDER BY d.id LIMIT 1000`
	countExhausted  = `SELECT count(*) ` + givenUp
	// What was given up since a time, and was not sent again since.
	givenUp = `FROM webhook_deliveries d JOIN webhook_endpoints n ON n.id = d.endpoint_id AND n.removed_at IS NULL
		WHERE d.endpoint_id = ANY($1) AND d.state = 3 AND d.created_at >= $2
		AND NOT EXISTS (SELECT FROM webhook_deliveries e WHERE e.event_id = d.event_id AND e.endpoint_id = d.endpoint_id AND e.id > d.id)`
	selectReplay = `SELECT v.seq, v.id, coalesce(n.id, 0) FROM (SELECT seq, id, status FROM webhook_events
			WHERE merchant_id = $1 AND seq > $2 AND NOT test ORDER BY seq LIMIT $3) v
		LEFT JOIN webhook_endpoints n ON n.merchant_id = $1 AND n.enabled AND ` + wanted + ` AND ($4::bigint = 0 OR n.id = $4) ORDER BY v.seq, n.id`
	selectBacklog = `SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM webhook_deliveries WHERE state < 2`
)

// Delivery finds a delivery with its event's bytes. NotFound when there is none.
func (s *Store) Delivery(ctx context.Context, id int64) (*payment.Delivery, error) {
	list, err := s.deliveries(ctx, selectDelivery, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, chain.NotFoundf("there is no delivery %d", id)
	}
	return &list[0], nil
}

func (s *Store) deliveries(ctx context.Context, query string, args ...any) ([]payment.Delivery, error) {
	return listOf(ctx, s, "deliveries", func(r pgx.CollectableRow) (d payment.Delivery, err error) {
		err = scanDelivery(r, &d)
		return d, err
	}, query, args...)
}

// scanDelivery reads [deliveryColumns], and into more what follows them.
func scanDelivery(r pgx.Row, d *payment.Delivery, more ...any) error {
	var status, trigger, state, attempts int16
	err := r.Scan(append([]any{
		&d.ID, &d.EventID, &d.Cursor, &d.Reference, &status, &d.Endpoint, &d.URL, &trigger, &state, &attempts, &d.NextAt, &d.CreatedAt,
		&d.FinishedAt, &d.Reason, &d.Body, &d.EventAt, &d.Test,
	}, more...)...)
	d.Status, d.Trigger, d.State, d.Attempts = statusOf(status), payment.Trigger(trigger), payment.DeliveryState(state), int(attempts)
	return err
}

// PendingDelivery is a delivery with its endpoint.
type PendingDelivery struct {
	payment.Delivery

	To payment.Endpoint
	// Blocked is set while an earlier event of the same payment waits for delivery to the same endpoint.
	Blocked bool
}

// PendingDelivery reads what the next attempt of a delivery needs. NotFound when there is no such delivery.
func (s *Store) PendingDelivery(ctx context.Context, delivery int64) (*PendingDelivery, error) {
	e := &PendingDelivery{}
	err := scanDelivery(s.pool.QueryRow(ctx, selectPendingDelivery, delivery), &e.Delivery, append(endpointFields(&e.To), &e.Blocked)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, chain.NotFoundf("there is no delivery %d", delivery)
	}
	return e, sqlbuild.Fault(ctx, "delivery", err)
}

// DeliveryFilter selects deliveries; nil and empty fields do not restrict, except Endpoints.
type DeliveryFilter struct {
	Endpoints []int64 // to any of these; none selects nothing
	State     *payment.DeliveryState
	About     string    // a reference, or the id of an event
	From, To  time.Time // made at or after the one, and before the other
	Before    int64     // deliveries older than this one; 0 for the newest
	Limit     int
}

// Deliveries lists deliveries, newest first.
func (s *Store) Deliveries(ctx context.Context, f DeliveryFilter) ([]payment.Delivery, error) {
	args := []any{f.Endpoints, f.Limit}
	query := selectDeliveries + ` WHERE d.endpoint_id = k.endpoint`
	add := func(clause string, value any) {
		args = append(args, value)
		query += ` AND ` + strings.ReplaceAll(clause, "?", `$`+strconv.Itoa(len(args)))
	}
	if f.State != nil {
		add(`d.state = ?`, int16(*f.State))
	}
	if f.About != "" {
		add(`(v.reference = ? OR v.id = ?)`, f.About)
	}
	if !f.From.IsZero() {
		add(`d.created_at >= ?`, f.From)
	}
	if !f.To.IsZero() {
		add(`d.created_at < ?`, f.To)
	}
	if f.Before > 0 {
		add(`d.id < ?`, f.Before)
	}
	// The newest of each endpoint, from its own index, then the newest of these.
	query = `SELECT x.* FROM unnest($1::bigint[]) k(endpoint) CROSS JOIN LATERAL (` + query + ` ORDER BY d.id DESC LIMIT $2) x
		ORDER BY x.id DESC LIMIT $2`
	return s.deliveries(ctx, query, args...)
}

// Attempts lists the attempts of a delivery, the first one first.
func (s *Store) Attempts(ctx context.Context, delivery int64) ([]payment.Attempt, error) {
	return listOf(ctx, s, "attempts", func(r pgx.CollectableRow) (a payment.Attempt, err error) {
		var number, status int16
		var milliseconds int64
		err = r.Scan(&number, &a.StartedAt, &milliseconds, &status, &a.Error, &a.Excerpt, &a.Headers)
		a.Number, a.Status, a.Duration = int(number), int(status), time.Duration(milliseconds)*time.Millisecond
		return a, err
	}, selectAttempts, delivery)
}

// Breaker configures when deliveries to a failing endpoint pause.
type Breaker struct {
	Failures int           // in a row
	Pause    time.Duration // then nothing is sent for this long
}

// RecordAttempt stores an attempt and the new status of the delivery. paused reports whether the endpoint's breaker is open.
func (s *Store) RecordAttempt(ctx context.Context, d *payment.Delivery, a *payment.Attempt, breaker Breaker) (paused bool, err error) {
	b := &pgx.Batch{} // one transaction
	b.Queue(commitSoon)
	b.Queue(insertAttempt, d.ID, d.EventID, d.Endpoint, a.Number, a.StartedAt, a.Duration.Milliseconds(), a.Status, a.Error, a.Excerpt, a.Headers)
	b.Queue(updateDelivery, d.ID, d.EventID, d.Endpoint, int16(d.State), d.Attempts, d.NextAt, d.Reason)
	if a.Error == "" {
		b.Queue(endpointWell, d.Endpoint)
	} else {
		b.Queue(endpointUnwell, d.Endpoint, breaker.Failures, breaker.Pause.Seconds()).QueryRow(func(r pgx.Row) error { return r.Scan(&paused) })
	}
	err = s.pool.SendBatch(ctx, b).Close() // it sets paused
	return paused, sqlbuild.Fault(ctx, "attempt", err)
}

// SkipDelivery ends a delivery that is not to be sent.
func (s *Store) SkipDelivery(ctx context.Context, d *payment.Delivery, reason string) error {
	_, err := s.pool.Exec(ctx, updateDelivery, d.ID, d.EventID, d.Endpoint, int16(payment.DeliverySkipped), d.Attempts, nil, reason)
	return sqlbuild.Fault(ctx, "delivery", err)
}

// Resend delivers a delivery's event again, as a new delivery, and returns its id.
func (s *Store) Resend(ctx context.Context, d *payment.Delivery) (id int64, err error) {
	err = s.transaction(ctx, "delivery", func(tx pgx.Tx) error {
		id, err = s.deliverAgain(ctx, tx, d.EventID, d.Endpoint, payment.TriggerManual)
		return err
	})
	return id, err
}

func (s *Store) deliverAgain(ctx context.Context, tx pgx.Tx, event string, endpoint int64, trigger payment.Trigger) (id int64, err error) {
	ids, err := s.deliverAll(ctx, tx, []string{event}, []int64{endpoint}, trigger)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// maxWaiting is the number of unfinished deliveries of an endpoint from which on users cannot add others.
const maxWaiting = 5000

const (
	// Users' deliveries to one endpoint wait for one another, so that the count is exact.
	lockEndpoints = `SELECT FROM webhook_endpoints WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`
	countWaiting  = `SELECT coalesce(max(c.n), 0) FROM unnest($1::bigint[]) e CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
		SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e AND d.state < 2 LIMIT $2) x) c`
)

// checkWaiting returns a [payment.FullError] when one of the endpoints has maxWaiting unfinished deliveries.
func checkWaiting(ctx context.Context, tx pgx.Tx, endpoints []int64) error {
	endpoints = sqlbuild.Unique(endpoints)
	if _, err := tx.Exec(ctx, lockEndpoints, endpoints); err != nil {
		return err
	}
	var n int
	if err := tx.QueryRow(ctx, countWaiting, endpoints, maxWaiting).Scan(&n); err != nil {
		return err
	}
	if n >= maxWaiting {
		return &payment.FullError{Limit: maxWaiting, Of: "unfinished deliveries of this endpoint", Remedy: "wait until its server has received them"}
	}
	return nil
}

// deliverAll makes a delivery of each event to the endpoint beside it, in their order, with the jobs. A [payment.FullError] when an
// endpoint has too many unfinished ones; deliveries of new events have no such limit.
func (s *Store) deliverAll(ctx context.Context, tx pgx.Tx, events []string, endpoints []int64, trigger payment.Trigger) ([]int64, error) {
	if err := checkWaiting(ctx, tx, endpoints); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, insertDelivery, events, endpoints, int16(trigger))
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(events))
	var list jobList
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		id, endpoint := r.Int8(), r.Int8()
		ids = append(ids, id)
		list.add(id, endpoint, trigger)
	})
	if err != nil {
		return nil, err
	}
	return ids, list.insert(ctx, tx, s.jobs)
}

// ResendExhausted delivers again what was given up at endpoints since a time and not sent again since, the oldest first,
// at most a thousand at once.
func (s *Store) ResendExhausted(ctx context.Context, endpoints []int64, since time.Time) (n int, err error) {
	err = s.transaction(ctx, "deliveries", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectExhausted, endpoints, since)
		if err != nil {
			return err
		}
		var events []string
		var at []int64
		if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { events, at = append(events, r.Text()), append(at, r.Int8()) }); err != nil {
			return err
		}
		n = len(events)
		_, err = s.deliverAll(ctx, tx, events, at, payment.TriggerReplay)
		return err
	})
	return n, err
}

// Exhausted counts what [Store.ResendExhausted] would deliver again, without its bound.
func (s *Store) Exhausted(ctx context.Context, endpoints []int64, since time.Time) (n int, err error) {
	err = s.pool.QueryRow(ctx, countExhausted, endpoints, since).Scan(&n)
	return n, sqlbuild.Fault(ctx, "deliveries", err)
}

// Replayed is the result of a replay.
type Replayed struct {
	Cursor     int64 // of the next call
	Events     int   // events that were read: with as many as the limit, others may follow
	Deliveries int   // fewer, where an endpoint does not receive a type of events
}

// Replay delivers events behind a cursor again, at most limit, in their order: to one endpoint that is on, or with 0 to
// every such endpoint of the merchant.
func (s *Store) Replay(ctx context.Context, merchant, endpoint, after int64, limit int) (done Replayed, err error) {
	done.Cursor = after
	err = s.transaction(ctx, "replay", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectReplay, merchant, after, limit, endpoint)
		if err != nil {
			return err
		}
		var events []string
		var endpoints []int64
		err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			cursor := r.Int8()
			if cursor != done.Cursor {
				done.Events++
			}
			done.Cursor = cursor
			if id, endpoint := r.Text(), r.Int8(); endpoint != 0 { // 0: no endpoint receives this type
				events, endpoints = append(events, id), append(endpoints, endpoint)
			}
		})
		if err != nil {
			return err
		}
		done.Deliveries = len(events)
		_, err = s.deliverAll(ctx, tx, events, endpoints, payment.TriggerReplay)
		return err
	})
	return done, err
}

// SendTest makes a sample event for one endpoint and its delivery.
func (s *Store) SendTest(ctx context.Context, e *payment.Endpoint, i *payment.Info) (id int64, err error) {
	now := time.Now()
	sample := event{
		id: payment.EventID(i.Reference, i.Status), merchant: e.Merchant, reference: i.Reference, status: i.Status, test: true,
		body: payment.Event(now, i), at: now,
	}
	err = s.transaction(ctx, "test", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, insertEvent, sample.id, sample.merchant, sample.reference, statusNumber(sample.status), true, sample.body, sample.at)
		if err != nil {
			return err
		}
		id, err = s.deliverAgain(ctx, tx, sample.id, e.ID, payment.TriggerTest)
		return err
	})
	return id, err
}

// Backlog returns the number of deliveries that have not ended, and the age of the oldest one.
func (s *Store) Backlog(ctx context.Context) (open int64, oldest time.Duration, err error) {
	var seconds float64
	err = s.pool.QueryRow(ctx, selectBacklog).Scan(&open, &seconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, nil
	}
	return open, time.Duration(seconds * float64(time.Second)), sqlbuild.Fault(ctx, "backlog", err)
}
