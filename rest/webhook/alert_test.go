package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/rest/webhook"
)

// postbox is a Mailer that records the messages, or fails.
type postbox struct {
	err error

	mu       sync.Mutex
	messages [][3]string // recipient, subject, body
}

func (p *postbox) Send(_ context.Context, to, subject, body string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages = append(p.messages, [3]string{to, subject, body})
	return p.err
}

// sent returns the messages.
func (p *postbox) sent() [][3]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.messages)
}

// logged waits until the log of a merchant has lines.
func (b *bench) logged(merchant int64, lines ...string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		list, err := b.payments.MerchantLog(b.t.Context(), merchant)
		require.NoError(b.t, err)
		var have []string
		for _, l := range list {
			have = append(have, l.What)
		}
		return !slices.ContainsFunc(lines, func(line string) bool { return !slices.Contains(have, line) })
	}, time.Minute, 20*time.Millisecond, "%q", lines)
}

// A failing endpoint is reported by e-mail and by a webhook with the signature of the endpoint, once.
func TestAlert_FailingEndpointIsReported(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	mail := &postbox{}
	b := newBench(t, func(o *webhook.Options) {
		o.Mailer, o.Dashboard = mail, "https://pay.example/dashboard"
		o.Breaker = payments.Breaker{Failures: 2, Pause: time.Hour} // no third attempt
	})
	well, ill := &receiver{handler: status(204)}, httptest.NewServer(status(503))
	chat := httptest.NewServer(well)
	t.Cleanup(chat.Close)
	t.Cleanup(ill.Close)
	e := b.endpoint(ill.URL)
	m, err := b.payments.Merchant(t.Context(), e.Merchant)
	require.NoError(t, err)
	require.NoError(t, b.payments.SetAlerts(t.Context(), e.Merchant, payment.Alerts{Email: "shop@mail.example", URL: chat.URL}))
	id := b.send(e)
	require.Eventually(t, func() bool {
		e, err = b.payments.Endpoint(t.Context(), e.ID)
		require.NoError(t, err)
		return e.Failures == 2
	}, time.Minute, 20*time.Millisecond)
	d, err := b.payments.Delivery(t.Context(), id)
	require.NoError(t, err)
	require.Contains(t, d.Reason, "503")
	for range 2 {
		require.NoError(t, b.payments.RaiseAlert(t.Context(), d))
	}
	b.logged(e.Merchant, "alert sent by email", "alert sent by url")

	number := strconv.FormatInt(id, 10)
	page := "https://pay.example/dashboard/deliveries/" + number
	text := "Deliveries of " + m.Name + " on devnet to " + ill.URL + " fail: " + d.Reason + ". All attempts of delivery " + number +
		" failed. It can be sent again on the page Deliveries of the dashboard."
	require.Equal(t, [][3]string{{
		"shop@mail.example", "Webhook endpoint of " + m.Name + " fails",
		text + "\n\n" + page + "\n\nThe alerts of this merchant are set on the page Alerts of the dashboard.\n",
	}}, mail.sent())
	well.mu.Lock()
	defer well.mu.Unlock()
	require.Len(t, well.bodies, 1)
	want, err := json.Marshal(map[string]any{
		"event": "endpoint.failing", "text": text, "merchant": m.Name, "network": "devnet", "url": ill.URL, "failures": e.Failures,
		"reason": d.Reason, "delivery": id, "page": page,
	})
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(well.bodies[0]))
	require.Equal(t, payment.Sign(secret, well.bodies[0]), well.headers[0].Get("X-Pay-Signature"))
	require.Equal(t, "application/json", well.headers[0].Get("Content-Type"))
}

// A test is of no endpoint, so it has neither a signature nor a page.
func TestAlert_TestNamesTheMerchant(t *testing.T) {
	t.Parallel()
	mail := &postbox{}
	b := newBench(t, func(o *webhook.Options) { o.Mailer, o.Dashboard = mail, "https://pay.example/dashboard" })
	well := &receiver{handler: status(200)}
	chat := httptest.NewServer(well)
	t.Cleanup(chat.Close)
	m := &payment.Merchant{Name: "Tea & Co", Network: "devnet"}
	require.NoError(t, b.payments.CreateMerchant(t.Context(), m))
	alerts := payment.Alerts{Email: "shop@mail.example", URL: chat.URL}
	require.NoError(t, b.payments.SetAlerts(t.Context(), m.ID, alerts))
	require.NoError(t, b.payments.TestAlert(t.Context(), m.ID, alerts))
	b.logged(m.ID, "alert sent by email", "alert sent by url")
	const text = "This is a test of the alerts of Tea & Co on devnet."
	require.Equal(t, [][3]string{{
		"shop@mail.example", "Test of the alerts of Tea & Co", text + "\n\nThe alerts of this merchant are set on the page Alerts of the dashboard.\n",
	}}, mail.sent())
	well.mu.Lock()
	defer well.mu.Unlock()
	require.Len(t, well.bodies, 1)
	require.JSONEq(t, `{"event":"alert.test","text":"`+text+`","merchant":"Tea & Co","network":"devnet","failures":0}`, string(well.bodies[0]))
	require.NotContains(t, well.headers[0], "X-Pay-Signature")
}

// The last attempt that fails is in the log of the merchant: no mail server, one that refuses, a status, an address that is not allowed.
func TestAlert_FailureIsLogged(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ill := httptest.NewServer(status(http.StatusInternalServerError))
	t.Cleanup(ill.Close)
	for name, change := range map[string]func(*webhook.Options){
		"no mail server": nil, "mail is refused": func(o *webhook.Options) { o.Mailer = &postbox{err: errors.New("mailbox full")} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, change)
			for _, url := range []string{ill.URL, "http://10.0.0.1/hook"} {
				m := &payment.Merchant{Name: url, Network: "devnet"}
				require.NoError(t, b.payments.CreateMerchant(t.Context(), m))
				alerts := payment.Alerts{Email: "shop@mail.example", URL: url}
				require.NoError(t, b.payments.SetAlerts(t.Context(), m.ID, alerts))
				require.NoError(t, b.payments.TestAlert(t.Context(), m.ID, alerts))
				b.logged(m.ID, "alert by email was not sent", "alert by url was not sent")
			}
		})
	}
}

// Where a merchant is alerted may be removed before an alert is sent. It is then sent nowhere.
func TestAlert_RemovedAddressesReceiveNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b, mail, chat := idleBench(t), &postbox{}, &receiver{handler: status(200)}
	server := httptest.NewServer(chat)
	t.Cleanup(server.Close)
	e := b.endpoint(server.URL)
	require.NoError(t, b.payments.TestAlert(t.Context(), e.Merchant, payment.Alerts{Email: "shop@mail.example", URL: server.URL}))
	b.run(func(o *webhook.Options) { o.Mailer = mail })
	handle := b.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	require.Eventually(t, func() bool {
		var n int
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM river.river_job WHERE queue = 'alerts' AND state = 'completed'`).Scan(&n))
		return n == 2
	}, time.Minute, 20*time.Millisecond)
	require.Empty(t, mail.sent())
	chat.mu.Lock()
	defer chat.mu.Unlock()
	require.Empty(t, chat.bodies)
	b.logged(e.Merchant)
}
