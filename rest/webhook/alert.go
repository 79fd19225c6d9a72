package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"tonql/internal/chain"
	"tonql/internal/outbound"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

const (
	// alertWorkers bounds the alerts that are sent at once, alertPoll the delay of one.
	alertWorkers = 2
	alertPoll    = 5 * time.Second
	maxReason    = 300
)

// Mailer sends alerts by e-mail.
type Mailer interface {
	// Send sends a message in plain text to one address.
	Send(ctx context.Context, to, subject, body string) error
}

// alerter sends alerts about failing endpoints.
type alerter struct {
	river.WorkerDefaults[payments.AlertJob]

	dispatcher *Dispatcher
}

// Work implements river.Worker.
func (w *alerter) Work(ctx context.Context, job *river.Job[payments.AlertJob]) error {
	o := w.dispatcher.options
	a, err := o.Payments.Alerts(ctx, job.Args.Merchant)
	if err != nil {
		return err
	}
	message, err := w.message(ctx, &job.Args)
	if chain.KindOf(err) == chain.NotFound && err != nil {
		return river.JobCancel(err)
	}
	if err != nil {
		return err
	}
	to := a.Email
	switch job.Args.Channel {
	case payments.AlertByEmail:
		if to == "" {
			return nil // removed meanwhile
		}
		if o.Mailer == nil {
			err = errors.New("no mail server is configured")
			break
		}
		err = o.Mailer.Send(ctx, to, message.subject, message.body())
	case payments.AlertByURL:
		if to = a.URL; to == "" {
			return nil
		}
		err = w.post(ctx, to, message)
	default:
		return river.JobCancel(fmt.Errorf("an alert by %q", job.Args.Channel))
	}
	if ctx.Err() != nil {
		return ctx.Err() // the dispatcher stops, or the job has to be repeated
	}
	if err != nil {
		o.Logger.Warn("webhook alert not sent", "endpoint", job.Args.Endpoint, "delivery", job.Args.Delivery, "err", err)
		if job.Attempt >= job.MaxAttempts {
			return errors.Join(err, o.Payments.NoteMerchant(ctx, job.Args.Merchant, "alert by "+job.Args.Channel+" was not sent"))
		}
		return err
	}
	return o.Payments.NoteMerchant(ctx, job.Args.Merchant, "alert sent by "+job.Args.Channel)
}

// NextRetry doubles the time to the next attempt, from 15 seconds on.
func (*alerter) NextRetry(job *river.Job[payments.AlertJob]) time.Time {
	return time.Now().Add(payments.AlertDelay(job.Attempt))
}

// alert is a message about a failing endpoint.
type alert struct {
	Event    string `json:"event"`
	Text     string `json:"text"` // for people; chat programs show it
	Merchant string `json:"merchant"`
	Network  string `json:"network"`
	URL      string `json:"url,omitempty"`
	Failures int    `json:"failures"` // attempts in a row
	Reason   string `json:"reason,omitempty"`
	Delivery int64  `json:"delivery,omitempty"`
	Page     string `json:"page,omitempty"` // of the delivery in the dashboard

	subject string
	secrets []string
}

func (a *alert) body() string {
	text := a.Text + "\n"
	if a.Page != "" {
		text += "\n" + a.Page + "\n"
	}
	return text + "\nThe alerts of this merchant are set on the page Alerts of the dashboard.\n"
}

// message describes a job.
func (w *alerter) message(ctx context.Context, job *payments.AlertJob) (*alert, error) {
	o := w.dispatcher.options
	m, err := o.Payments.Merchant(ctx, job.Merchant)
	if err != nil {
		return nil, err
	}
	a := &alert{Event: "alert.test", Merchant: m.Name, Network: m.Network, subject: "Test of the alerts of " + m.Name}
	if job.Endpoint == 0 {
		a.Text = "This is a test of the alerts of " + m.Name + " on " + m.Network + "."
		return a, nil
	}
	e, err := o.Payments.Endpoint(ctx, job.Endpoint)
	if err != nil {
		return nil, err
	}
	if e.Merchant != job.Merchant {
		return nil, chain.NotFoundf("there is no endpoint %d of merchant %d", job.Endpoint, job.Merchant)
	}
	if a.secrets, err = e.Secrets(o.Vault, time.Now()); err != nil {
		return nil, err
	}
	reason := job.Reason[:min(len(job.Reason), maxReason)]
	a.Event, a.URL, a.Failures, a.Reason, a.Delivery = "endpoint.failing", e.URL, e.Failures, strings.ToValidUTF8(reason, ""), job.Delivery
	a.subject = "Webhook endpoint of " + m.Name + " fails"
	a.Text = "Deliveries of " + m.Name + " on " + m.Network + " to " + e.URL + " fail: " + a.Reason + ". All attempts of delivery " +
		strconv.FormatInt(job.Delivery, 10) + " failed. It can be sent again on the page Deliveries of the dashboard."
	if o.Dashboard != "" {
		a.Page = o.Dashboard + "/deliveries/" + strconv.FormatInt(job.Delivery, 10)
	}
	return a, nil
}

// post sends an alert to a URL, signed with the secrets of the endpoint that fails.
func (w *alerter) post(ctx context.Context, url string, a *alert) error {
	body, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("alert: %w", err)
	}
	h := http.Header{"Content-Type": {"application/json"}}
	if len(a.secrets) > 0 {
		h.Set("X-Pay-Signature", payment.Sign(a.secrets[0], body))
	}
	client := NewClient(w.dispatcher.options) // none is shared between merchants
	defer client.Close()
	response, err := client.Do(ctx, outbound.Request{Method: http.MethodPost, URL: url, Header: h, Body: body})
	if reason := failure(response, err); reason != "" {
		return errors.New(reason)
	}
	return nil
}
