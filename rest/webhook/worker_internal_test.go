package webhook

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"tonql/internal/outbound"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

// Status 2xx is a delivery, whether or not the body could be read; all else is a failed attempt with its reason.
func TestFailure_StatusDecides(t *testing.T) {
	t.Parallel()
	cut := errors.New("the body ended early")
	for _, c := range []struct {
		code int
		err  error
		want string
	}{
		{200, nil, ""}, {299, nil, ""}, {200, cut, ""}, {299, cut, ""}, {199, nil, "status 199"}, {300, nil, "status 300"}, {0, cut, cut.Error()}, {500, cut, cut.Error()}, {302, cut, cut.Error()},
	} {
		require.Equal(t, c.want, failure(outbound.Response{Code: c.code}, c.err), c)
	}
	require.Equal(t, "delivered", outcome(&payment.Attempt{}))
	require.Equal(t, "failed", outcome(&payment.Attempt{Error: "x"}))
}

// What a receiver responds is stored and shown as text that a database can hold.
func TestShown_ResponsesAreBoundedText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ok", shown([]byte("ok")))
	require.Empty(t, shown(nil))
	require.Equal(t, "a\ufffdb\ufffdc", shown([]byte("a\x00b\xffc")))
	require.Len(t, shown([]byte(strings.Repeat("x", maxExcerpt))), maxExcerpt)
	require.Len(t, shown([]byte(strings.Repeat("x", maxExcerpt+1))), maxExcerpt)
	require.Equal(t, "A: 1\nA: 2\nB: 3\n", lines(http.Header{"B": {"3"}, "A": {"1", "2"}}))
}

func TestAlerter_TimeToTheNextAttemptDoubles(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]time.Duration{
		0: 15 * time.Second, 1: 15 * time.Second, 2: 30 * time.Second, 3: time.Minute, 9: 64 * time.Minute, 10: 64 * time.Minute, 1000: 64 * time.Minute,
	} {
		next := (&alerter{}).NextRetry(&river.Job[payments.AlertJob]{JobRow: &rivertype.JobRow{Attempt: attempt}})
		require.WithinDuration(t, time.Now().Add(want), next, 5*time.Second, attempt)
	}
	require.WithinDuration(t, time.Now().Add(time.Second), (&worker{}).NextRetry(nil), 500*time.Millisecond)
}

// During a rotation, the headers of one secret have the current one, and the header of several also the replaced one.
func TestRequest_HeadersOfAnAttempt(t *testing.T) {
	t.Parallel()
	vault, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	now := time.Unix(1_767_323_045, 0)
	current, former, until := payment.NewSecret(), payment.NewSecret(), now.Add(time.Minute)
	e := &payment.Endpoint{ID: 1, Merchant: 7, URL: "https://shop.example/hook"}
	e.Secret, e.Former, e.FormerUntil = vault.Seal(current, e.Owner()), vault.Seal(former, e.Owner()), &until
	delivery := &payment.Delivery{EventID: "evt_1", Body: []byte(`{"event":"transfer.completed"}`), Attempts: 2}
	d := &Dispatcher{options: Options{Vault: vault}}
	r, err := d.request(e, delivery, now)
	require.NoError(t, err)
	require.Equal(t, http.MethodPost, r.Method)
	require.Equal(t, e.URL, r.URL)
	require.Equal(t, delivery.Body, r.Body, "unchanged, also when it is sent again")
	standard, err := payment.SignStandard([]string{current, former}, "evt_1", now, delivery.Body)
	require.NoError(t, err)
	require.Equal(t, http.Header{
		"Content-Type": {"application/json"}, "X-Pay-Signature": {payment.Sign(current, delivery.Body)}, "X-Tonpay-Signature": {payment.Sign(current, delivery.Body)},
		"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {"1767323045"}, "Webhook-Signature": {standard}, "X-Tonpay-Attempt": {"3"},
	}, r.Header)
	delivery.Test = true
	r, err = d.request(e, delivery, until)
	require.NoError(t, err)
	require.Equal(t, "1", r.Header.Get("X-Tonpay-Test"))
	require.Len(t, strings.Fields(r.Header.Get("Webhook-Signature")), 1, "the time of the replaced one is over")
	e.Merchant = 8
	_, err = d.request(e, delivery, now)
	require.Error(t, err, "secrets of another merchant")
}
