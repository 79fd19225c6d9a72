package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"tonql/internal/chain"
	"tonql/internal/outbound"
	"tonql/internal/payment"
	"tonql/internal/store"
)

const (
	// early is how long before its time an attempt may begin.
	early = 10 * time.Millisecond
	// step bounds how far ahead a job is put: beyond five seconds River would only look every five seconds.
	step = 4 * time.Second
	// turn is how often an event looks whether an earlier one of its payment is told.
	turn = 250 * time.Millisecond
)

func isNotFound(err error) bool { return errors.Is(err, rivertype.ErrNotFound) }

// worker makes the next attempt of a delivery.
type worker struct {
	river.WorkerDefaults[store.DeliveryJob]

	dispatcher *Dispatcher
}

// NextRetry is when a job is tried again that failed for a reason of ours. The schedule of attempts is kept by snoozing.
func (*worker) NextRetry(*river.Job[store.DeliveryJob]) time.Time { return time.Now().Add(time.Second) }

// Work implements river.Worker.
func (w *worker) Work(ctx context.Context, job *river.Job[store.DeliveryJob]) error {
	d, err := w.dispatcher.options.Payments.PendingDelivery(ctx, job.Args.Delivery)
	if chain.KindOf(err) == chain.NotFound {
		return river.JobCancel(err)
	}
	if err != nil {
		return err
	}
	if !d.State.Open() {
		return nil
	}
	if d.NextAt != nil {
		if wait := time.Until(*d.NextAt); wait > early {
			return river.JobSnooze(min(wait, step))
		}
	}
	if d.Blocked {
		return river.JobSnooze(turn)
	}
	return w.deliver(ctx, d)
}

// deliver makes one attempt, writes it down and says when the next is.
func (w *worker) deliver(ctx context.Context, errand *store.PendingDelivery) error {
	o, d, e := w.dispatcher.options, &errand.Delivery, &errand.To
	if reason := w.dispatcher.reasonToSkip(e, d); reason != "" {
		o.Logger.Warn("webhook skipped", "endpoint", e.ID, "delivery", d.ID, "reason", reason)
		w.dispatcher.metrics.ended.WithLabelValues("skipped").Inc()
		return o.Payments.SkipDelivery(ctx, d, reason)
	}
	request, err := w.dispatcher.request(e, d, time.Now())
	if err != nil {
		return err
	}
	a := payment.Attempt{Number: d.Attempts + 1, StartedAt: time.Now(), Headers: lines(request.Header)}
	if d.Attempts == 0 {
		w.dispatcher.metrics.lag.Observe(a.StartedAt.Sub(d.CreatedAt).Seconds())
	}
	response, err := w.dispatcher.clients.of(e.Merchant).Do(ctx, request)
	if ctx.Err() != nil {
		return fmt.Errorf("delivery %d: %w", d.ID, ctx.Err()) // we are stopping: it is no attempt
	}
	a.Duration = time.Since(a.StartedAt)
	a.Status, a.Excerpt, a.Error = response.Code, shown(response.Body), failure(response, err)
	return w.record(ctx, d, &a)
}

// reasonToSkip says why a delivery is not to be sent at all; "" when it is.
func (d *Dispatcher) reasonToSkip(e *payment.Endpoint, delivery *payment.Delivery) string {
	if e.RemovedAt != nil {
		return payment.ReasonRemoved
	}
	if !e.Enabled && delivery.Trigger != payment.TriggerTest {
		return "the endpoint is switched off"
	}
	if err := d.clients.of(e.Merchant).Check(e.URL); err != nil {
		return "the endpoint's URL is not allowed here: " + err.Error()
	}
	return ""
}

// failure says why an attempt failed; "" when the receiver answered 2xx, whatever became of its answer's body.
func failure(r outbound.Response, err error) string {
	if r.Code >= 200 && r.Code <= 299 {
		return ""
	}
	if err == nil {
		return fmt.Sprintf("status %d", r.Code)
	}
	return err.Error()
}

// lines prints headers as they are sent, in the order of their names.
func lines(h http.Header) string {
	var b strings.Builder
	_ = h.Write(&b) // a strings.Builder takes everything
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// shown is the beginning of an answer as text for people.
func shown(body []byte) string {
	if len(body) > excerpt {
		body = body[:excerpt]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(body), "\ufffd"), "\x00", "\ufffd")
}

// record writes an attempt and gives the job its end, or the time of the next attempt.
func (w *worker) record(ctx context.Context, d *payment.Delivery, a *payment.Attempt) error {
	o, m := w.dispatcher.options, w.dispatcher.metrics
	d.Attempts, d.NextAt, d.Reason = a.Number, nil, a.Error
	delay, again := payment.RetryDelay(a.Number)
	switch {
	case a.Error == "":
		d.State = payment.DeliveryDelivered
	case again:
		d.State, d.NextAt = payment.DeliveryRetrying, new(a.StartedAt.Add(a.Duration).Add(delay))
	default:
		d.State = payment.DeliveryExhausted
	}
	paused, err := o.Payments.RecordAttempt(ctx, d, a, o.Breaker)
	if err != nil {
		return err
	}
	m.attempts.WithLabelValues(outcome(a)).Inc()
	if paused {
		select {
		case w.dispatcher.wake <- struct{}{}:
		default:
		}
	}
	if d.State == payment.DeliveryRetrying {
		return river.JobSnooze(max(0, min(time.Until(*d.NextAt), step)))
	}
	m.ended.WithLabelValues(d.State.String()).Inc()
	if d.State == payment.DeliveryExhausted {
		o.Logger.Warn("webhook given up", "endpoint", d.Endpoint, "delivery", d.ID, "reason", d.Reason)
	}
	return nil
}

func outcome(a *payment.Attempt) string {
	if a.Error == "" {
		return "delivered"
	}
	return "failed"
}
