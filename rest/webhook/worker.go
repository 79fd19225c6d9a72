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
	"tonql/internal/store/payments"
)

const (
	// early is the time by which an attempt may precede its schedule.
	early = 10 * time.Millisecond
	// maxAhead is the time by which an attempt waits longer because clocks differ.
	maxAhead = 10 * time.Second
	// maxSnooze bounds how long a job is snoozed: River polls jobs further ahead only every five seconds.
	maxSnooze = 4 * time.Second
	// blockedPoll is the shortest interval in which a delivery checks whether the earlier events of its payment are delivered.
	blockedPoll = 250 * time.Millisecond
	// blockedShare is the part of its age after which it checks again, so that many deliveries that wait long do not occupy the database.
	blockedShare = 4
)

func isNotFound(err error) bool { return errors.Is(err, rivertype.ErrNotFound) }

// worker executes the next attempt of a delivery.
type worker struct {
	river.WorkerDefaults[payments.DeliveryJob]

	dispatcher *Dispatcher
}

// NextRetry returns the time at which a job that failed with an internal error is retried. Snoozing implements the schedule
// of attempts.
func (*worker) NextRetry(*river.Job[payments.DeliveryJob]) time.Time {
	return time.Now().Add(time.Second)
}

// Work implements river.Worker.
func (w *worker) Work(ctx context.Context, job *river.Job[payments.DeliveryJob]) error {
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
		// A time that is later than any that this attempt may wait for is of another clock, or of this one before it was set back.
		delay, _ := payment.RetryDelay(d.Attempts)
		if wait := time.Until(*d.NextAt); wait > early && wait <= delay+maxAhead {
			return river.JobSnooze(min(wait, maxSnooze))
		}
	}
	if d.Blocked {
		return river.JobSnooze(blockedFor(time.Since(d.CreatedAt)))
	}
	return w.deliver(ctx, d)
}

// blockedFor returns the time after which a blocked delivery of an age checks again.
func blockedFor(age time.Duration) time.Duration {
	return min(max(age/blockedShare, blockedPoll), maxSnooze)
}

// deliver executes one attempt and records it. The result schedules the next attempt.
func (w *worker) deliver(ctx context.Context, p *payments.PendingDelivery) error {
	o, d, e := w.dispatcher.options, &p.Delivery, &p.To
	if reason := w.dispatcher.reasonToSkip(e, d); reason != "" {
		o.Logger.Warn("webhook delivery skipped", "endpoint", e.ID, "delivery", d.ID, "reason", reason)
		w.dispatcher.metrics.ended.WithLabelValues("skipped").Inc()
		return o.Payments.SkipDelivery(ctx, d, reason)
	}
	request, err := w.dispatcher.request(e, d, time.Now())
	if err != nil {
		return err
	}
	a := payment.Attempt{Number: d.Attempts + 1, StartedAt: time.Now(), Headers: lines(request.Header)}
	if d.Attempts == 0 {
		w.dispatcher.metrics.lag.Observe(max(0, a.StartedAt.Sub(d.CreatedAt)).Seconds()) // the database's clock may be ahead
	}
	response, err := w.dispatcher.clients.of(e.Merchant).Do(ctx, request)
	if ctx.Err() != nil {
		return fmt.Errorf("delivery %d: %w", d.ID, ctx.Err()) // the dispatcher stops; this is not an attempt
	}
	a.Duration = time.Since(a.StartedAt)
	a.Status, a.Excerpt, a.Error = response.Code, shown(response.Body), failure(response, err)
	return w.record(ctx, d, &a)
}

// reasonToSkip returns the reason for not sending a delivery, "" for none.
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

// failure returns the reason of a failed attempt, "" when the response has status 2xx, whether or not its body was read.
func failure(r outbound.Response, err error) string {
	if r.Code >= 200 && r.Code <= 299 {
		return ""
	}
	if err == nil {
		return fmt.Sprintf("status %d", r.Code)
	}
	return err.Error()
}

// lines formats headers in wire format, sorted by name.
func lines(h http.Header) string {
	var b strings.Builder
	_ = h.Write(&b) // a strings.Builder never fails
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// shown returns the beginning of a response body as valid text.
func shown(body []byte) string {
	if len(body) > maxExcerpt {
		body = body[:maxExcerpt]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(body), "\ufffd"), "\x00", "\ufffd")
}

// record stores an attempt and completes the job, or snoozes it until the next attempt.
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
		return river.JobSnooze(max(0, min(time.Until(*d.NextAt), maxSnooze)))
	}
	m.ended.WithLabelValues(d.State.String()).Inc()
	if d.State == payment.DeliveryExhausted {
		o.Logger.Warn("webhook delivery given up", "endpoint", d.Endpoint, "delivery", d.ID, "reason", d.Reason)
		if err := o.Payments.RaiseAlert(ctx, d); err != nil {
			o.Logger.Warn("webhook alert not raised", "endpoint", d.Endpoint, "err", err) // the delivery is recorded; the next one raises it
		}
	}
	return nil
}

func outcome(a *payment.Attempt) string {
	if a.Error == "" {
		return "delivered"
	}
	return "failed"
}
