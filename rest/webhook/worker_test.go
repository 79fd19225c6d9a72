package webhook_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/rest/webhook"
)

// dispatcher returns a dispatcher that does not run: tests execute its jobs one by one.
func (b *bench) dispatcher(change func(*webhook.Options)) *webhook.Dispatcher {
	b.t.Helper()
	o := webhook.Options{Payments: b.payments, Vault: b.vault, Local: true, Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	return webhook.New(o)
}

// exec changes rows.
func (b *bench) exec(query string, args ...any) {
	b.t.Helper()
	handle := b.db.SQLDB()
	defer func() { require.NoError(b.t, handle.Close()) }()
	_, err := handle.ExecContext(b.t.Context(), query, args...)
	require.NoError(b.t, err)
}

// serve starts a receiver.
func serve(t *testing.T, handler http.HandlerFunc) (url string, requests func() int) {
	t.Helper()
	r := &receiver{handler: handler}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	return server.URL, func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.bodies)
	}
}

// requireSnooze requires that a job waits for at most some time.
func requireSnooze(t *testing.T, err error, limit time.Duration) {
	t.Helper()
	snooze, ok := errors.AsType[*river.JobSnoozeError](err)
	require.True(t, ok, "%v", err)
	require.Positive(t, snooze.Duration)
	require.LessOrEqual(t, snooze.Duration, limit)
}

// delivery reads a delivery with its attempts.
func (b *bench) delivery(id int64) (*payment.Delivery, []payment.Attempt) {
	b.t.Helper()
	d, err := b.payments.Delivery(b.t.Context(), id)
	require.NoError(b.t, err)
	attempts, err := b.payments.Attempts(b.t.Context(), id)
	require.NoError(b.t, err)
	return d, attempts
}

// A job may be executed again, after a crash or because a lost one was restored. An event that was delivered is not sent again.
func TestWork_EndedDeliveryIsNotSentAgain(t *testing.T) {
	t.Parallel()
	b := idleBench(t)
	url, requests := serve(t, status(200))
	d, id := b.dispatcher(nil), b.send(b.endpoint(url))
	for range 3 {
		require.NoError(t, d.Work(t.Context(), id))
	}
	require.Equal(t, 1, requests())
	delivery, attempts := b.delivery(id)
	require.Equal(t, payment.DeliveryDelivered, delivery.State)
	require.Len(t, attempts, 1)
	require.Equal(t, "says 200", attempts[0].Excerpt)
	require.NotNil(t, delivery.FinishedAt)

	_, canceled := errors.AsType[*river.JobCancelError](d.Work(t.Context(), id+1))
	require.True(t, canceled, "a delivery that does not exist")
}

// A further attempt waits for its time, in steps that the queue can measure.
func TestWork_FurtherAttemptsWaitForTheirTime(t *testing.T) {
	t.Parallel()
	b := idleBench(t)
	url, requests := serve(t, status(500))
	registry := prometheus.NewRegistry()
	d, id := b.dispatcher(func(o *webhook.Options) { o.Metrics = registry }), b.send(b.endpoint(url))
	for attempt, delay := range []time.Duration{time.Second, 5 * time.Second, 15 * time.Second} {
		requireSnooze(t, d.Work(t.Context(), id), min(delay, 4*time.Second))
		delivery, attempts := b.delivery(id)
		require.Equal(t, payment.DeliveryRetrying, delivery.State)
		require.Len(t, attempts, attempt+1)
		last := attempts[attempt]
		require.WithinDuration(t, last.StartedAt.Add(last.Duration+delay), *delivery.NextAt, 10*time.Millisecond, "from the end of the attempt")
		requireSnooze(t, d.Work(t.Context(), id), min(delay, 4*time.Second))
		require.Equal(t, attempt+1, requests(), "before its time")
		b.exec(`UPDATE webhook_deliveries SET next_at = now()`)
	}
	require.NoError(t, d.Work(t.Context(), id))
	delivery, attempts := b.delivery(id)
	require.Equal(t, payment.DeliveryExhausted, delivery.State)
	require.Len(t, attempts, payment.MaxAttempts)
	require.Equal(t, 500, attempts[3].Status)
	require.Nil(t, delivery.NextAt)
	require.InDelta(t, 1, measured(t, registry, "tonql_webhook_lag_seconds", ""), 0, "the lag is that of the first attempt")
	require.InDelta(t, payment.MaxAttempts, measured(t, registry, "tonql_webhook_attempts_total", "failed"), 0)
}

// An attempt does not wait until the clock of the process that scheduled it, or of this one before it was set back.
func TestWork_OtherClockDelaysNoAttempt(t *testing.T) {
	t.Parallel()
	b := idleBench(t)
	url, requests := serve(t, status(500))
	d, id := b.dispatcher(nil), b.send(b.endpoint(url))
	requireSnooze(t, d.Work(t.Context(), id), time.Second)
	b.exec(`UPDATE webhook_deliveries SET next_at = now() + interval '9 seconds'`)
	requireSnooze(t, d.Work(t.Context(), id), 4*time.Second)
	require.Equal(t, 1, requests())
	for attempt, ahead := range []string{"20 seconds", "3 days"} {
		b.exec(`UPDATE webhook_deliveries SET next_at = now() + $1::interval`, ahead)
		requireSnooze(t, d.Work(t.Context(), id), 4*time.Second)
		require.Equal(t, attempt+2, requests(), ahead)
	}
}

// An event waits for the one before it of the same payment.
func TestWork_EventWaitsForTheOneBefore(t *testing.T) {
	t.Parallel()
	b := idleBench(t)
	url, requests := serve(t, status(200))
	e := b.endpoint(url)
	b.exec(`INSERT INTO webhook_events (id, merchant_id, reference, status, body) VALUES ('first', $1, 'a', 2, '{}'), ('then', $1, 'a', 1, '{}')`, e.Merchant)
	b.exec(`INSERT INTO webhook_deliveries (id, event_id, endpoint_id, trigger) OVERRIDING SYSTEM VALUE VALUES (101, 'first', $1, 0), (102, 'then', $1, 0)`, e.ID)
	d := b.dispatcher(nil)
	requireSnooze(t, d.Work(t.Context(), 102), 4*time.Second)
	require.Zero(t, requests())
	require.NoError(t, d.Work(t.Context(), 101))
	require.NoError(t, d.Work(t.Context(), 102))
	require.Equal(t, 2, requests())
}

// An endpoint that is off receives samples alone, a removed one nothing, whenever the delivery was made.
func TestWork_EndpointThatIsOffReceivesSamplesAlone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	url, requests := serve(t, status(200))
	e, d := b.endpoint(url), b.dispatcher(nil)
	require.NoError(t, b.payments.UpdateEndpoint(t.Context(), e.Merchant, e.ID, url, false))
	sample := b.send(e)
	again, err := b.payments.Resend(t.Context(), &payment.Delivery{EventID: b.eventOf(sample), Endpoint: e.ID})
	require.NoError(t, err)
	require.NoError(t, d.Work(t.Context(), again))
	skipped, attempts := b.delivery(again)
	require.Equal(t, payment.DeliverySkipped, skipped.State)
	require.Contains(t, skipped.Reason, "switched off")
	require.Empty(t, attempts)
	require.Zero(t, requests())
	require.NoError(t, d.Work(t.Context(), sample))
	require.Equal(t, 1, requests())

	late := b.send(e)
	b.exec(`UPDATE webhook_endpoints SET removed_at = now(), enabled = true WHERE id = $1`, e.ID)
	require.NoError(t, d.Work(t.Context(), late))
	skipped, _ = b.delivery(late)
	require.Equal(t, payment.DeliverySkipped, skipped.State)
	require.Equal(t, payment.ReasonRemoved, skipped.Reason)
	require.Equal(t, 1, requests())
}

// eventOf returns the event of a delivery.
func (b *bench) eventOf(id int64) string {
	b.t.Helper()
	d, _ := b.delivery(id)
	return d.EventID
}

// The endpoint may change between the attempts: the next one goes to its new URL, with its new secret.
func TestWork_ChangedEndpointReceivesTheNextAttempt(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	before, requestsBefore := serve(t, status(500))
	r := &receiver{handler: status(200)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	e, d := b.endpoint(before), b.dispatcher(nil)
	id := b.send(e)
	requireSnooze(t, d.Work(t.Context(), id), time.Second)
	fresh := payment.NewSecret()
	require.NoError(t, b.payments.UpdateEndpoint(t.Context(), e.Merchant, e.ID, server.URL, true))
	require.NoError(t, b.payments.RotateSecret(t.Context(), e.Merchant, e.ID, b.vault.Seal(fresh, e.Owner())))
	b.exec(`UPDATE webhook_deliveries SET next_at = now()`)
	require.NoError(t, d.Work(t.Context(), id))
	require.Equal(t, 1, requestsBefore())
	delivery, _ := b.delivery(id)
	require.Equal(t, payment.DeliveryDelivered, delivery.State)
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Len(t, r.headers, 1)
	require.Equal(t, payment.Sign(fresh, r.bodies[0]), r.headers[0].Get("X-Pay-Signature"))
	require.Equal(t, delivery.EventID, r.headers[0].Get("Webhook-Id"))
}

// A dispatcher that stops during an attempt has made none: the next one sends the event, as its first attempt.
func TestWork_StopIsNoAttempt(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	arrived, over := make(chan struct{}, 1), make(chan struct{})
	url, _ := serve(t, hijack(func(net.Conn) {
		arrived <- struct{}{}
		<-over
	}))
	t.Cleanup(func() { close(over) })
	d, id := b.dispatcher(nil), b.send(b.endpoint(url))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Work(ctx, id) }()
	<-arrived
	stop()
	require.ErrorIs(t, <-done, context.Canceled)
	delivery, attempts := b.delivery(id)
	require.Equal(t, payment.DeliveryPending, delivery.State)
	require.Empty(t, attempts)
	require.Zero(t, delivery.Attempts)
}

// An alert that is being sent when the dispatcher stops is sent by the next one; its merchant does not read that it failed.
func TestAlert_StopIsNoAttempt(t *testing.T) {
	t.Parallel()
	b := idleBench(t)
	arrived, over := make(chan struct{}, 1), make(chan struct{})
	url, _ := serve(t, hijack(func(net.Conn) {
		arrived <- struct{}{}
		<-over
	}))
	t.Cleanup(func() { close(over) })
	e := b.endpoint("http://127.0.0.1:1/")
	require.NoError(t, b.payments.SetAlerts(t.Context(), e.Merchant, payment.Alerts{URL: url}))
	before, err := b.payments.MerchantLog(t.Context(), e.Merchant)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- b.dispatcher(nil).Alert(ctx, payments.AlertJob{Merchant: e.Merchant, Channel: payments.AlertByURL}, 2)
	}()
	<-arrived
	stop()
	require.ErrorIs(t, <-done, context.Canceled)
	after, err := b.payments.MerchantLog(t.Context(), e.Merchant)
	require.NoError(t, err)
	require.Len(t, after, len(before))
}

// An attempt whose secret cannot be read, as with another key of the vault, or that cannot be recorded, is tried again.
func TestWork_InternalErrorsAreTriedAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	url, requests := serve(t, status(200))
	id := b.send(b.endpoint(url))
	other, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	require.Error(t, b.dispatcher(func(o *webhook.Options) { o.Vault = other }).Work(t.Context(), id))
	require.Zero(t, requests(), "nothing is sent without a signature")

	b.exec(`ALTER TABLE webhook_attempts RENAME TO attempts_away`)
	require.Error(t, b.dispatcher(nil).Work(t.Context(), id))
	b.exec(`ALTER TABLE attempts_away RENAME TO webhook_attempts`)
	delivery, attempts := b.delivery(id)
	require.Equal(t, payment.DeliveryPending, delivery.State)
	require.Empty(t, attempts)

	b.exec(`ALTER TABLE webhook_deliveries RENAME TO deliveries_away`)
	err = b.dispatcher(nil).Work(t.Context(), id)
	_, canceled := errors.AsType[*river.JobCancelError](err)
	require.True(t, err != nil && !canceled, "%v", err)
}

// The last attempt that fails raises the alert, and no earlier one.
func TestWork_LastFailureAlertsTheMerchant(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	url, _ := serve(t, status(500))
	e, d := b.endpoint(url), b.dispatcher(nil)
	require.NoError(t, b.payments.SetAlerts(t.Context(), e.Merchant, payment.Alerts{Email: "shop@mail.example"}))
	alerts := func() (n int) {
		handle := b.db.SQLDB()
		defer func() { require.NoError(t, handle.Close()) }()
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM river.river_job WHERE queue = 'alerts'`).Scan(&n))
		return n
	}
	well, _ := serve(t, status(200))
	require.NoError(t, b.payments.UpdateEndpoint(t.Context(), e.Merchant, e.ID, well, true))
	require.NoError(t, d.Work(t.Context(), b.send(e)))
	require.Zero(t, alerts(), "of an event that was delivered")
	require.NoError(t, b.payments.UpdateEndpoint(t.Context(), e.Merchant, e.ID, url, true))
	id := b.send(e)
	for range payment.MaxAttempts - 1 {
		requireSnooze(t, d.Work(t.Context(), id), 4*time.Second)
		b.exec(`UPDATE webhook_deliveries SET next_at = now()`)
	}
	require.Zero(t, alerts())
	require.NoError(t, d.Work(t.Context(), id))
	require.Equal(t, 1, alerts())
}

// Alerts are about endpoints of the merchant who receives them, and each failure but the last is silent.
func TestAlert_RefusesWhatCannotBeSent(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	mail := &postbox{err: errors.New("mailbox full")}
	d := b.dispatcher(func(o *webhook.Options) { o.Mailer = mail })
	mine, others := b.endpoint("http://127.0.0.1:1/a"), b.endpoint("http://127.0.0.1:1/b")
	require.NoError(t, b.payments.SetAlerts(t.Context(), mine.Merchant, payment.Alerts{Email: "shop@mail.example", URL: "http://127.0.0.1:1/"}))
	for name, job := range map[string]payments.AlertJob{
		"another merchant's endpoint": {Merchant: mine.Merchant, Endpoint: others.ID, Channel: payments.AlertByEmail},
		"no endpoint":                 {Merchant: mine.Merchant, Endpoint: others.ID + 1, Channel: payments.AlertByEmail},
		"no merchant":                 {Merchant: others.Merchant + 1, Channel: payments.AlertByEmail},
		"another channel":             {Merchant: mine.Merchant, Channel: "pigeon"},
	} {
		_, canceled := errors.AsType[*river.JobCancelError](d.Alert(t.Context(), job, 1))
		require.True(t, canceled, name)
	}
	require.Empty(t, mail.sent())

	job := payments.AlertJob{Merchant: mine.Merchant, Endpoint: mine.ID, Channel: payments.AlertByEmail, Delivery: 7, Reason: "status 500"}
	lines := func() int {
		list, err := b.payments.MerchantLog(t.Context(), mine.Merchant)
		require.NoError(t, err)
		return len(list)
	}
	before := lines()
	require.ErrorContains(t, d.Alert(t.Context(), job, 1), "mailbox full")
	require.Equal(t, before, lines(), "there is another attempt")
	require.ErrorContains(t, d.Alert(t.Context(), job, 2), "mailbox full")
	require.Equal(t, before+1, lines())
	require.NotContains(t, mail.sent()[0][2], "/deliveries/", "a dashboard without an address has no links")
	mail.err = nil
	require.NoError(t, d.Alert(t.Context(), job, 1))
	require.Equal(t, before+2, lines())

	other, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	job.Channel = payments.AlertByURL
	err = b.dispatcher(func(o *webhook.Options) { o.Vault = other }).Alert(t.Context(), job, 1)
	require.ErrorContains(t, err, "another key")
	_, canceled := errors.AsType[*river.JobCancelError](err)
	require.False(t, canceled, "it may be read later")
	ended, stop := context.WithCancel(t.Context())
	stop()
	require.Error(t, d.Alert(ended, job, 2))
	require.Equal(t, before+2, lines(), "a dispatcher that stops has not failed to send")
}
