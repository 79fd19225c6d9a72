package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

const (
	// AlertQueue is the queue of alerts.
	AlertQueue = "alerts"
	// alertPause is the time between two alerts about one endpoint.
	alertPause = time.Hour
	// maxAlerts bounds the alerts about all endpoints of a merchant, also removed ones, in that time: endpoints that are made and removed
	// again send no more.
	maxAlerts = 10
	// alertAttempts bounds the attempts to send an alert. A test has one, because its user can repeat it.
	alertAttempts     = 6
	testAlertAttempts = 1
)

const (
	selectAlerts = `SELECT email, url FROM merchant_alerts WHERE merchant_id = $1`
	upsertAlerts = `INSERT INTO merchant_alerts (merchant_id, email, url) VALUES ($1, $2, $3)
		ON CONFLICT (merchant_id) DO UPDATE SET email = excluded.email, url = excluded.url`
	// An alert in the future was sent before the clock was set back; one of a transaction that began a moment later was not.
	claimAlert = `UPDATE webhook_endpoints n SET alerted_at = now() FROM merchant_alerts a
		WHERE n.id = $1 AND a.merchant_id = n.merchant_id AND (a.email <> '' OR a.url <> '') AND n.removed_at IS NULL
			AND (n.alerted_at IS NULL OR n.alerted_at NOT BETWEEN now() - $2 * interval '1 second' AND now() + interval '1 minute')
			AND (SELECT count(*) FROM webhook_endpoints o WHERE o.merchant_id = n.merchant_id AND o.alerted_at BETWEEN now() - $2 * interval '1 second' AND now() + interval '1 minute') < $3
		RETURNING n.merchant_id, a.email, a.url`
	// Alerts of one merchant wait for one another, so that the count is exact.
	lockAlerts = `SELECT FROM merchants m JOIN webhook_endpoints n ON n.merchant_id = m.id WHERE n.id = $1 FOR NO KEY UPDATE OF m`
)

// AlertJob requests one message about a failing endpoint.
type AlertJob struct {
	Merchant int64  `json:"merchant"`
	Endpoint int64  `json:"endpoint"`         // 0 for a test
	Channel  string `json:"channel"`          // email or url
	Delivery int64  `json:"delivery"`         // that was exhausted
	Reason   string `json:"reason,omitempty"` // of its last failure
}

// Kind implements river.JobArgs. It is on disk: never rename.
func (AlertJob) Kind() string { return "webhook_alert" }

// maxAlertDoublings bounds the times for which [AlertDelay] doubles.
const maxAlertDoublings = 8

// AlertDelay returns the time between a failed attempt at an alert, of a number from 1, and the next one.
func AlertDelay(attempt int) time.Duration {
	return 15 * time.Second << min(max(attempt-1, 0), maxAlertDoublings)
}

// alertDelays are the times in seconds before the first attempt and the next ones.
func alertDelays() []float64 {
	delays := []float64{0}
	for attempt := range maxAlertDoublings + 1 {
		delays = append(delays, AlertDelay(attempt+1).Seconds())
	}
	return delays
}

// Channels of alerts.
const (
	AlertByEmail = "email"
	AlertByURL   = "url"
)

// Alerts returns where a merchant is alerted.
func (s *Store) Alerts(ctx context.Context, merchant int64) (a payment.Alerts, err error) {
	err = s.pool.QueryRow(ctx, selectAlerts, merchant).Scan(&a.Email, &a.URL)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, nil
	}
	return a, sqlbuild.Fault(ctx, "alerts", err)
}

// SetAlerts sets where a merchant is alerted.
func (s *Store) SetAlerts(ctx context.Context, merchant int64, a payment.Alerts) error {
	return s.transaction(ctx, "alerts", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, upsertAlerts, merchant, a.Email, a.URL); err != nil {
			return err
		}
		return s.note(ctx, tx, merchant, "alerts changed")
	})
}

// RaiseAlert alerts the merchant of an endpoint whose delivery was exhausted. It does nothing when the merchant wants no alerts, or when the last
// hour had one about the endpoint or maxAlerts about others.
func (s *Store) RaiseAlert(ctx context.Context, d *payment.Delivery) error {
	return s.transaction(ctx, "alert", func(tx pgx.Tx) error {
		var merchant int64
		var a payment.Alerts
		if _, err := tx.Exec(ctx, lockAlerts, d.Endpoint); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, claimAlert, d.Endpoint, alertPause.Seconds(), maxAlerts).Scan(&merchant, &a.Email, &a.URL)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.insertAlerts(ctx, tx, a, AlertJob{Merchant: merchant, Endpoint: d.Endpoint, Delivery: d.ID, Reason: d.Reason})
	})
}

// TestAlert sends a test message wherever the merchant is alerted.
func (s *Store) TestAlert(ctx context.Context, merchant int64, a payment.Alerts) error {
	return s.transaction(ctx, "alert", func(tx pgx.Tx) error {
		return s.insertAlerts(ctx, tx, a, AlertJob{Merchant: merchant})
	})
}

func (s *Store) insertAlerts(ctx context.Context, tx pgx.Tx, a payment.Alerts, job AlertJob) error {
	for channel, to := range map[string]string{AlertByEmail: a.Email, AlertByURL: a.URL} {
		if to == "" {
			continue
		}
		job.Channel = channel
		attempts := alertAttempts
		if job.Endpoint == 0 {
			attempts = testAlertAttempts
		}
		if _, err := s.jobs.InsertTx(ctx, tx, job, &river.InsertOpts{Queue: AlertQueue, Priority: priorityBacklog, MaxAttempts: attempts}); err != nil {
			return fmt.Errorf("job of an alert: %w", err)
		}
	}
	return nil
}
