package payments

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

const (
	endpointColumns = `n.id, n.merchant_id, n.url, n.enabled, n.secret, n.staged, n.former, n.former_until, n.rotated_at, n.failures,
		n.paused_until, n.created_at, n.removed_at, n.events`
	selectEndpoints = `SELECT ` + endpointColumns + ` FROM webhook_endpoints n WHERE n.merchant_id = $1 AND (n.removed_at IS NULL OR n.id IN (
		SELECT o.id FROM webhook_endpoints o WHERE o.merchant_id = $1 AND o.removed_at IS NOT NULL ORDER BY o.removed_at DESC, o.id DESC LIMIT $2))
		ORDER BY n.removed_at IS NOT NULL, n.id`
	selectEndpoint = `SELECT ` + endpointColumns + ` FROM webhook_endpoints n WHERE n.id = $1`
	selectBusy     = `SELECT id, paused_until > now() FROM webhook_endpoints n
		WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = n.id AND d.state < 2) ORDER BY id`
	insertEndpoint = `INSERT INTO webhook_endpoints (merchant_id, url, secret) VALUES ($1, $2, $3) RETURNING id`
	setEventTypes  = `UPDATE webhook_endpoints SET events = $3 WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL`
	updateEndpoint = `UPDATE webhook_endpoints SET url = $3, enabled = $4, failures = 0, paused_until = NULL
		WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL`
	removeEndpoint = `UPDATE webhook_endpoints SET removed_at = now(), enabled = false, paused_until = NULL
		WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL`
	skipDeliveriesOf = `UPDATE webhook_deliveries SET state = 4, next_at = NULL, finished_at = now(), reason = $2
		WHERE endpoint_id = $1 AND state < 2`
	rotateSecret = `UPDATE webhook_endpoints SET secret = $3, staged = NULL, former = secret,
		former_until = now() + $4 * interval '1 second', rotated_at = now() WHERE merchant_id = $1 AND id = $2`
	updateNextSecret = `UPDATE webhook_endpoints SET staged = $3 WHERE merchant_id = $1 AND id = $2`
	activateSecret   = `UPDATE webhook_endpoints SET secret = staged, staged = NULL, former = secret,
		former_until = now() + $3 * interval '1 second', rotated_at = now() WHERE merchant_id = $1 AND id = $2 AND staged IS NOT NULL`
)

// CreateEndpoint adds an endpoint with its sealed secret. A [payment.FullError] when the merchant has as many as it may
// have, Invalid when there is one with this URL.
func (s *Store) CreateEndpoint(ctx context.Context, merchant int64, url string, secret []byte) (id int64, err error) {
	err = s.transaction(ctx, "endpoint", func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, insertEndpoint, merchant, url, secret).Scan(&id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, insertLogLine, merchant, "webhook endpoint added", actorOf(ctx))
		return err
	})
	return id, endpointFault(err)
}

// endpointFault translates errors of triggers.
func endpointFault(err error) error {
	if limit, full := sqlbuild.LimitOf(err); full {
		return &payment.FullError{Limit: limit, Of: "webhook endpoints", Remedy: "remove one first"}
	}
	if sqlbuild.IsDuplicate(err) {
		return chain.Invalidf("there is an endpoint with this URL already")
	}
	return err
}

// maxEnded bounds the removed endpoints, and the revoked keys, that are listed of a merchant, who makes and ends any number.
const maxEnded = 100

// Endpoints lists a merchant's endpoints, and behind them the newest of those that were removed.
func (s *Store) Endpoints(ctx context.Context, merchant int64) ([]payment.Endpoint, error) {
	return listOf(ctx, s, "endpoints", scanEndpoint, selectEndpoints, merchant, maxEnded)
}

// Endpoint finds an endpoint. NotFound when there is none.
func (s *Store) Endpoint(ctx context.Context, id int64) (*payment.Endpoint, error) {
	list, err := listOf(ctx, s, "endpoint", scanEndpoint, selectEndpoint, id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, chain.NotFoundf("there is no endpoint %d", id)
	}
	return &list[0], nil
}

func scanEndpoint(r pgx.CollectableRow) (e payment.Endpoint, err error) {
	err = r.Scan(endpointFields(&e)...)
	return e, err
}

// endpointFields are what [endpointColumns] are read into.
func endpointFields(e *payment.Endpoint) []any {
	return []any{
		&e.ID, &e.Merchant, &e.URL, &e.Enabled, &e.Secret, &e.NextSecret, &e.Former, &e.FormerUntil, &e.RotatedAt, &e.Failures,
		&e.PausedUntil, &e.CreatedAt, &e.RemovedAt, &e.Events,
	}
}

// BusyEndpoints lists the endpoints with open deliveries, and whether the breaker of each is open.
func (s *Store) BusyEndpoints(ctx context.Context) (map[int64]bool, error) {
	rows, err := s.pool.Query(ctx, selectBusy)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "endpoints", err)
	}
	defer rows.Close()
	found := map[int64]bool{}
	for rows.Next() {
		var id int64
		var paused *bool
		if err := rows.Scan(&id, &paused); err != nil {
			return nil, sqlbuild.Fault(ctx, "endpoints", err)
		}
		found[id] = paused != nil && *paused
	}
	return found, sqlbuild.Fault(ctx, "endpoints", rows.Err())
}

// UpdateEndpoint changes where an endpoint is and whether it is on; its breaker closes. Invalid when the merchant has
// another endpoint with this URL.
func (s *Store) UpdateEndpoint(ctx context.Context, merchant, id int64, url string, enabled bool) error {
	return endpointFault(s.changeEndpoint(ctx, merchant, id, "webhook endpoint changed", updateEndpoint, merchant, id, url, enabled))
}

// SetEventTypes sets the types of events that an endpoint receives.
func (s *Store) SetEventTypes(ctx context.Context, merchant, id int64, types []payment.Status) error {
	return s.changeEndpoint(ctx, merchant, id, "event types of a webhook endpoint changed", setEventTypes, merchant, id, typeTexts(types))
}

func typeTexts(types []payment.Status) []string {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = string(t)
	}
	return texts
}

// RemoveEndpoint ends an endpoint: its open deliveries are skipped, its log stays.
func (s *Store) RemoveEndpoint(ctx context.Context, merchant, id int64) error {
	return s.transaction(ctx, "endpoint", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, removeEndpoint, merchant, id)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return chain.NotFoundf("there is no such endpoint %d", id)
		}
		if _, err := tx.Exec(ctx, skipDeliveriesOf, id, payment.ReasonRemoved); err != nil {
			return err
		}
		if err := s.dropJobs(ctx, tx, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, insertLogLine, merchant, "webhook endpoint removed", actorOf(ctx))
		return err
	})
}

// dropJobs deletes the jobs that wait in an endpoint's queue. A running job ends by itself.
func (s *Store) dropJobs(ctx context.Context, tx pgx.Tx, endpoint int64) error {
	const maxJobs = 10_000 // at once, by River's own limit
	waiting := river.NewJobDeleteManyParams().First(maxJobs).Queues(DeliveryQueue(endpoint)).
		States(rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStateRetryable, rivertype.JobStatePending)
	for {
		gone, err := s.jobs.JobDeleteManyTx(ctx, tx, waiting)
		if err != nil {
			return fmt.Errorf("jobs of endpoint %d: %w", endpoint, err)
		}
		if len(gone.Jobs) < maxJobs {
			return nil
		}
	}
}

// RotateSecret lets a new sealed secret sign at once. The former stays among the Standard Webhooks signatures for a while.
func (s *Store) RotateSecret(ctx context.Context, merchant, id int64, secret []byte) error {
	return s.changeEndpoint(ctx, merchant, id, "webhook secret rotated", rotateSecret, merchant, id, secret, payment.SecretOverlap.Seconds())
}

// AddNextSecret stores a new sealed secret until [Store.ActivateSecret] lets it sign.
func (s *Store) AddNextSecret(ctx context.Context, merchant, id int64, secret []byte) error {
	return s.changeEndpoint(ctx, merchant, id, "next webhook secret added", updateNextSecret, merchant, id, secret)
}

// ActivateSecret makes the next secret the current one. NotFound when there is none.
func (s *Store) ActivateSecret(ctx context.Context, merchant, id int64) error {
	return s.changeEndpoint(ctx, merchant, id, "next webhook secret activated", activateSecret, merchant, id, payment.SecretOverlap.Seconds())
}

func (s *Store) changeEndpoint(ctx context.Context, merchant, id int64, line, query string, args ...any) error {
	return s.transaction(ctx, "endpoint", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, query, args...)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return chain.NotFoundf("there is no such endpoint %d, or no secret waits there", id)
		}
		_, err = tx.Exec(ctx, insertLogLine, merchant, line, actorOf(ctx))
		return err
	})
}
