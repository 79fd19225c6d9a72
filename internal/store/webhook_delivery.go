package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

const (
	deliveryColumns = `d.id, d.event_id, v.reference, v.status, d.endpoint_id, d.trigger, d.state, d.attempts, d.next_at, d.created_at,
		d.finished_at, d.reason, v.body, v.created_at, v.test`
	selectDeliveries = `SELECT ` + deliveryColumns + ` FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id`
	selectDelivery   = selectDeliveries + ` WHERE d.id = $1`
	selectAttempts   = `SELECT attempt, started_at, duration, status, error, excerpt FROM webhook_attempts WHERE delivery_id = $1 ORDER BY attempt`

	// An event waits until what happened to the same payment before is told, or cannot be told.
	selectBlocked = `SELECT EXISTS (SELECT FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
		JOIN webhook_events w ON w.reference = v.reference AND w.seq < v.seq
		JOIN webhook_deliveries e ON e.event_id = w.id AND e.endpoint_id = d.endpoint_id AND e.id < d.id AND e.state < 2
		WHERE d.id = $1)`

	insertAttempt = `INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration, status, error, excerpt)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	updateDelivery = `UPDATE webhook_deliveries SET state = $2::smallint, attempts = $3, next_at = $4, reason = $5,
		finished_at = CASE WHEN $2::smallint >= 2 THEN now() END WHERE id = $1 AND state < 2`
	endpointWell   = `UPDATE webhook_endpoints SET failures = 0, paused_until = NULL WHERE id = $1 AND (failures > 0 OR paused_until IS NOT NULL)`
	endpointUnwell = `UPDATE webhook_endpoints SET failures = failures + 1,
		paused_until = CASE WHEN failures + 1 >= $2 THEN now() + $3 * interval '1 second' ELSE paused_until END WHERE id = $1
		RETURNING coalesce(paused_until > now(), false)`

	insertDelivery = `INSERT INTO webhook_deliveries (event_id, endpoint_id, trigger)
		SELECT k.event, k.endpoint, $3 FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY k(event, endpoint, n) ORDER BY k.n
		RETURNING id, endpoint_id`
	selectExhausted = `SELECT d.event_id, d.endpoint_id FROM webhook_deliveries d WHERE d.endpoint_id = $1 AND d.state = 3 AND d.created_at >= $2
		AND NOT EXISTS (SELECT FROM webhook_deliveries e WHERE e.event_id = d.event_id AND e.endpoint_id = d.endpoint_id AND e.id > d.id)
		ORDER BY d.id LIMIT 1000`
	selectReplay = `SELECT v.seq, v.id, n.id FROM webhook_events v JOIN webhook_endpoints n ON n.merchant_id = v.merchant_id AND n.enabled
		WHERE v.merchant_id = $1 AND v.seq > $2 AND NOT v.test ORDER BY v.seq, n.id LIMIT $3`
	selectBacklog = `SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM webhook_deliveries WHERE state < 2`
)

// Delivery finds a delivery with its event's bytes. NotFound when there is none.
func (p *Payments) Delivery(ctx context.Context, id int64) (*payment.Delivery, error) {
	list, err := p.deliveries(ctx, selectDelivery, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, chain.NotFoundf("there is no delivery %d", id)
	}
	return &list[0], nil
}

func (p *Payments) deliveries(ctx context.Context, query string, args ...any) ([]payment.Delivery, error) {
	return listOf(ctx, p, "deliveries", func(r pgx.CollectableRow) (d payment.Delivery, err error) {
		var status, trigger, state, attempts int16
		err = r.Scan(&d.ID, &d.EventID, &d.Reference, &status, &d.Endpoint, &trigger, &state, &attempts, &d.NextAt, &d.CreatedAt,
			&d.FinishedAt, &d.Reason, &d.Body, &d.EventAt, &d.Test)
		d.Status, d.Trigger, d.State, d.Attempts = statusOf(status), payment.Trigger(trigger), payment.DeliveryState(state), int(attempts)
		return d, err
	}, query, args...)
}

// DeliveryFilter selects deliveries of an endpoint; nil and empty fields do not restrict.
type DeliveryFilter struct {
	Endpoint  int64
	State     *payment.DeliveryState
	Reference string
	Before    int64 // deliveries older than this one; 0 for the newest
	Limit     int
}

// Deliveries lists deliveries, newest first.
func (p *Payments) Deliveries(ctx context.Context, f DeliveryFilter) ([]payment.Delivery, error) {
	query, args := selectDeliveries+` WHERE d.endpoint_id = $1`, []any{f.Endpoint}
	add := func(clause string, value any) {
		args = append(args, value)
		query += ` AND ` + clause + `$` + strconv.Itoa(len(args))
	}
	if f.State != nil {
		add(`d.state = `, int16(*f.State))
	}
	if f.Reference != "" {
		add(`v.reference = `, f.Reference)
	}
	if f.Before > 0 {
		add(`d.id < `, f.Before)
	}
	args = append(args, f.Limit)
	return p.deliveries(ctx, query+` ORDER BY d.id DESC LIMIT $`+strconv.Itoa(len(args)), args...)
}

// Attempts lists the attempts of a delivery.
func (p *Payments) Attempts(ctx context.Context, delivery int64) ([]payment.Attempt, error) {
	return listOf(ctx, p, "attempts", func(r pgx.CollectableRow) (a payment.Attempt, err error) {
		var number, status int16
		var milliseconds int64
		err = r.Scan(&number, &a.StartedAt, &milliseconds, &status, &a.Error, &a.Excerpt)
		a.Number, a.Status, a.Duration = int(number), int(status), time.Duration(milliseconds)*time.Millisecond
		return a, err
	}, selectAttempts, delivery)
}

// Blocked says that an earlier event of the same payment is still on its way to the same endpoint.
func (p *Payments) Blocked(ctx context.Context, delivery int64) (blocked bool, err error) {
	err = p.pool.QueryRow(ctx, selectBlocked, delivery).Scan(&blocked)
	return blocked, fault(ctx, "delivery", err)
}

// Breaker says when an endpoint that only fails is left alone.
type Breaker struct {
	Failures int           // in a row
	Pause    time.Duration // then nothing is sent for this long
}

// RecordAttempt writes an attempt and what the delivery came to by it. paused says that the endpoint's breaker is open.
func (p *Payments) RecordAttempt(ctx context.Context, d *payment.Delivery, a *payment.Attempt, breaker Breaker) (paused bool, err error) {
	err = p.transaction(ctx, "attempt", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, insertAttempt, d.ID, a.Number, a.StartedAt, a.Duration.Milliseconds(), a.Status, a.Error, a.Excerpt); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, updateDelivery, d.ID, int16(d.State), d.Attempts, d.NextAt, d.Reason); err != nil {
			return err
		}
		if a.Error == "" {
			_, err := tx.Exec(ctx, endpointWell, d.Endpoint)
			return err
		}
		return tx.QueryRow(ctx, endpointUnwell, d.Endpoint, breaker.Failures, breaker.Pause.Seconds()).Scan(&paused)
	})
	return paused, err
}

// SkipDelivery ends a delivery that is not to be sent.
func (p *Payments) SkipDelivery(ctx context.Context, d *payment.Delivery, reason string) error {
	_, err := p.pool.Exec(ctx, updateDelivery, d.ID, int16(payment.DeliverySkipped), d.Attempts, nil, reason)
	return fault(ctx, "delivery", err)
}

// Resend delivers a delivery's event again, as a delivery of its own.
func (p *Payments) Resend(ctx context.Context, d *payment.Delivery) (id int64, err error) {
	err = p.transaction(ctx, "delivery", func(tx pgx.Tx) error {
		id, err = p.deliverAgain(ctx, tx, d.EventID, d.Endpoint, payment.TriggerManual)
		return err
	})
	return id, err
}

func (p *Payments) deliverAgain(ctx context.Context, tx pgx.Tx, event string, endpoint int64, trigger payment.Trigger) (id int64, err error) {
	ids, err := p.deliverAll(ctx, tx, []string{event}, []int64{endpoint}, trigger)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// deliverAll makes a delivery of each event to the endpoint beside it, in their order, with the jobs.
func (p *Payments) deliverAll(ctx context.Context, tx pgx.Tx, events []string, endpoints []int64, trigger payment.Trigger) ([]int64, error) {
	rows, err := tx.Query(ctx, insertDelivery, events, endpoints, int16(trigger))
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(events))
	params := make([]river.InsertManyParams, 0, len(events))
	err = visitRows(rows, func(r *row) {
		id, endpoint := r.int8(), r.int8()
		ids, params = append(ids, id), append(params, jobOf(id, endpoint, trigger))
	})
	if err != nil {
		return nil, err
	}
	return ids, insertJobs(ctx, tx, p.jobs, params)
}

// ResendExhausted delivers again what was given up since a time and not sent again since, the oldest first, at most a
// thousand at once.
func (p *Payments) ResendExhausted(ctx context.Context, endpoint int64, since time.Time) (n int, err error) {
	err = p.transaction(ctx, "deliveries", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectExhausted, endpoint, since)
		if err != nil {
			return err
		}
		var events []string
		var endpoints []int64
		if err := visitRows(rows, func(r *row) { events, endpoints = append(events, r.text()), append(endpoints, r.int8()) }); err != nil {
			return err
		}
		n = len(events)
		_, err = p.deliverAll(ctx, tx, events, endpoints, payment.TriggerReplay)
		return err
	})
	return n, err
}

// Replay delivers events behind a cursor again, in their order, to every endpoint that is on; at most limit deliveries.
// It gives the cursor to go on from, and how many deliveries were made.
func (p *Payments) Replay(ctx context.Context, merchant, after int64, limit int) (cursor int64, n int, err error) {
	cursor = after
	err = p.transaction(ctx, "replay", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectReplay, merchant, after, limit)
		if err != nil {
			return err
		}
		var events []string
		var endpoints []int64
		err = visitRows(rows, func(r *row) {
			cursor = r.int8()
			events, endpoints = append(events, r.text()), append(endpoints, r.int8())
		})
		if err != nil {
			return err
		}
		n = len(events)
		_, err = p.deliverAll(ctx, tx, events, endpoints, payment.TriggerReplay)
		return err
	})
	return cursor, n, err
}

// SendTest makes a sample event for one endpoint and its delivery.
func (p *Payments) SendTest(ctx context.Context, e *payment.Endpoint, i *payment.Info) (id int64, err error) {
	now := time.Now()
	sample := event{
		id: payment.EventID(i.Reference, i.Status), merchant: e.Merchant, reference: i.Reference, status: i.Status, test: true,
		body: payment.Event(now, i), at: now,
	}
	err = p.transaction(ctx, "test", func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, insertEvent, sample.id, sample.merchant, sample.reference, statusNumber(sample.status), true, sample.body, sample.at)
		if err != nil {
			return err
		}
		id, err = p.deliverAgain(ctx, tx, sample.id, e.ID, payment.TriggerTest)
		return err
	})
	return id, err
}

// Backlog counts the deliveries that are not ended, and tells the age of the oldest.
func (p *Payments) Backlog(ctx context.Context) (open int64, oldest time.Duration, err error) {
	var seconds float64
	err = p.pool.QueryRow(ctx, selectBacklog).Scan(&open, &seconds)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, nil
	}
	return open, time.Duration(seconds * float64(time.Second)), fault(ctx, "backlog", err)
}
