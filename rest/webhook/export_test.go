package webhook

import (
	"context"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tonql/internal/store/payments"
)

// Work executes the job of a delivery once.
func (d *Dispatcher) Work(ctx context.Context, delivery int64) error {
	return (&worker{dispatcher: d}).Work(ctx, &river.Job[payments.DeliveryJob]{Args: payments.DeliveryJob{Delivery: delivery}})
}

// Alert executes the job of an alert, which is one of two attempts.
func (d *Dispatcher) Alert(ctx context.Context, job payments.AlertJob, attempt int) error {
	return (&alerter{dispatcher: d}).Work(ctx, &river.Job[payments.AlertJob]{Args: job, JobRow: &rivertype.JobRow{Attempt: attempt, MaxAttempts: 2}})
}
