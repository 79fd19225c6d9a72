package dashboard_test

import (
	"context"
	"errors"
	"html"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/rest/dashboard"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// visit is a browser at the pages of a fresh database.
type visit struct {
	t        *testing.T
	payments *store.Payments
	base     string
	client   *http.Client
	merchant *payment.Merchant
	later    atomic.Int64 // how far the pages' clock is ahead
}

func newVisit(t *testing.T) *visit {
	t.Helper()
	vault, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	v := &visit{t: t, payments: testdb.New(t).Payments(), merchant: &payment.Merchant{Name: "shop", Network: "devnet"}}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), v.merchant))
	pages, err := dashboard.New(dashboard.Options{
		Payments: v.payments, Vault: vault, Network: "devnet", Local: true, TestOnly: true, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(time.Duration(v.later.Load())) },
		CheckURL: func(u string) error {
			if !strings.HasPrefix(u, "https://") {
				return errors.New("only https")
			}
			return nil
		},
	})
	require.NoError(t, err)
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	v.base = server.URL + dashboard.Prefix
	v.fresh()
	return v
}

// fresh is another browser.
func (v *visit) fresh() {
	jar, err := cookiejar.New(nil)
	require.NoError(v.t, err)
	transport := &http.Transport{}
	v.t.Cleanup(transport.CloseIdleConnections)
	v.client = &http.Client{Jar: jar, Transport: transport}
}

func (v *visit) do(r *http.Request) (int, string) {
	v.t.Helper()
	answer, err := v.client.Do(r)
	require.NoError(v.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(v.t, err)
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		require.Contains(v.t, answer.Header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Equal(v.t, "no-store", answer.Header.Get("Cache-Control"))
	}
	return answer.StatusCode, string(body)
}

func (v *visit) get(path string) (int, string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, v.base+path, nil)
	require.NoError(v.t, err)
	return v.do(r)
}

func (v *visit) post(path string, form url.Values, headers ...string) (int, string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, v.base+path, strings.NewReader(form.Encode()))
	require.NoError(v.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return v.do(r)
}

var token = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// form posts with the session's token.
func (v *visit) form(path string, pairs ...string) (int, string) {
	v.t.Helper()
	_, page := v.get("/account")
	m := token.FindStringSubmatch(page)
	require.NotNil(v.t, m, page)
	values := url.Values{"csrf": {html.UnescapeString(m[1])}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return v.post(path, values)
}

func (v *visit) signIn() {
	v.t.Helper()
	link := payment.NewToken()
	require.NoError(v.t, v.payments.OpenSession(v.t.Context(), payment.HashOf(link), v.merchant.ID, true, time.Minute))
	status, page := v.get("/link?token=" + link)
	require.Equal(v.t, 200, status)
	require.Contains(v.t, page, "signs you in once")
	status, page = v.post("/link", url.Values{"token": {link}})
	require.Equal(v.t, 200, status)
	require.Contains(v.t, page, "Choose a password")
	status, _ = v.post("/link", url.Values{"token": {link}})
	require.Equal(v.t, 400, status, "a link is good once")
}

func (v *visit) cookie() string {
	u, err := url.Parse(v.base)
	require.NoError(v.t, err)
	for _, c := range v.client.Jar.Cookies(u) {
		return c.Value
	}
	return ""
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	for _, path := range []string{"/", "/payments", "/webhooks", "/deliveries", "/keys", "/account", "/payments.csv"} {
		_, page := v.get(path)
		require.Contains(t, page, "<title>Sign in", path)
	}
	v.signIn()
	before := v.cookie()
	status, page := v.form("/account/password", "password", "short")
	require.Equal(t, 400, status)
	require.Contains(t, page, "at least 10 characters")
	status, _ = v.form("/account/password", "password", "a long password")
	require.Equal(t, 200, status)
	require.NotEqual(t, before, v.cookie(), "a new session")
	who, _, err := v.payments.Session(t.Context(), payment.HashOf(before))
	require.NoError(t, err)
	require.Zero(t, who, "the old one ended")

	// Signing in with the password, under a token of the attacker's choice.
	v.fresh()
	u, err := url.Parse(v.base)
	require.NoError(t, err)
	v.client.Jar.SetCookies(u, []*http.Cookie{{Name: "tonql_session", Value: "chosen", Path: "/"}})
	status, page = v.post("/signin", url.Values{"name": {"shop"}, "password": {"a long password"}})
	require.Equal(t, 200, status)
	require.Contains(t, page, "<h1>Payments")
	require.NotEqual(t, "chosen", v.cookie(), "the session's token is drawn here")
	_, _ = v.form("/signout")
	_, page = v.get("/payments")
	require.Contains(t, page, "<title>Sign in")

	for range 5 {
		status, page = v.post("/signin", url.Values{"name": {"shop"}, "password": {"wrong password"}})
		require.Equal(t, 401, status, page)
	}
	status, _ = v.post("/signin", url.Values{"name": {"shop"}, "password": {"a long password"}})
	require.Equal(t, 429, status, "guessing is slowed down")
	status, _ = v.post("/signin", url.Values{"name": {"nobody"}, "password": {"a long password"}})
	require.Equal(t, 401, status)
}

func TestForgedForms(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	for _, form := range []url.Values{{"label": {"x"}}, {"label": {"x"}, "csrf": {"wrong"}}} {
		status, page := v.post("/keys", form)
		require.Equal(t, 403, status)
		require.Contains(t, page, "not of your session")
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
		status, _ := v.post("/signin", url.Values{"name": {"shop"}}, headers...)
		require.Equal(t, 403, status, "another site's form")
	}
	keys, err := v.payments.MerchantKeys(t.Context(), v.merchant.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
	// One merchant's session sees nothing of another's.
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))
	tr := &payment.Transfer{
		Asset: payment.NativeAsset(), Amount: big.NewInt(5), Sender: testdb.Address(), Recipient: testdb.Address(), CreatedAt: time.Now(), ExpiresAt: time.Now(),
	}
	_, err = payment.Prepare(tr)
	require.NoError(t, err)
	require.NoError(t, v.payments.RegisterPayment(t.Context(), other.ID, tr))
	status, _ := v.get("/payments/" + tr.Reference)
	require.Equal(t, 404, status)
	status, _ = v.get("/deliveries/1")
	require.Equal(t, 404, status)
	status, _ = v.get("/nothing")
	require.Equal(t, 404, status)
}

func TestWebhookPages(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	status, page := v.form("/webhooks/url", "url", "http://shop.example/", "enabled", "1")
	require.Equal(t, 400, status)
	require.Contains(t, page, "only https")
	status, page = v.form("/webhooks/url", "url", "https://shop.example/<hook>", "enabled", "1")
	require.Equal(t, 200, status)
	require.Contains(t, page, "https://shop.example/&lt;hook&gt;")
	require.NotContains(t, page, "whsec_")

	secret := func(page string) string {
		m := regexp.MustCompile(`id="secret" readonly value="([^"]+)"`).FindStringSubmatch(page)
		require.NotNil(t, m, page)
		return html.UnescapeString(m[1])
	}
	_, page = v.form("/webhooks/reveal")
	first := secret(page)
	require.True(t, strings.HasPrefix(first, "whsec_"))
	_, page = v.form("/webhooks/rotate")
	second := secret(page)
	require.NotEqual(t, first, second)
	_, page = v.form("/webhooks/stage")
	require.Equal(t, second, secret(page))
	staged := html.UnescapeString(regexp.MustCompile(`id="staged" readonly value="([^"]+)"`).FindStringSubmatch(page)[1])
	_, page = v.form("/webhooks/activate")
	require.Equal(t, staged, secret(page))
	_, page = v.get("/webhooks")
	require.NotContains(t, page, "whsec_")

	for sample, word := range map[string]string{"success": `&#34;status&#34;:&#34;success&#34;`, "failed": `&#34;errorCode&#34;:37`} {
		status, page = v.form("/webhooks/test", "sample", sample)
		require.Equal(t, 200, status)
		require.Contains(t, page, word)
		require.Contains(t, page, "pending")
	}
	_, page = v.get("/deliveries?state=pending")
	require.Contains(t, page, "test_")
	_, page = v.get("/deliveries?state=exhausted")
	require.NotContains(t, page, "test_")
	status, _ = v.form("/deliveries/1/resend")
	require.Equal(t, 200, status)

	// Without a recent proof, secrets stay hidden; deliveries and keys do not need it.
	v.later.Store(int64(11 * time.Minute))
	for _, path := range []string{"/webhooks/reveal", "/webhooks/rotate", "/webhooks/stage", "/account/password"} {
		status, page = v.form(path, "password", "a long password")
		require.Equal(t, 403, status, path)
		require.NotContains(t, page, "whsec_")
		require.Contains(t, page, "Confirm")
	}
	status, _ = v.form("/account/prove", "password", "wrong password")
	require.Equal(t, 401, status)
}

func TestPaymentPages(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	_, page := v.get("/payments")
	require.Contains(t, page, "no payments here yet")
	tr := &payment.Transfer{
		Asset: payment.NativeAsset(), Amount: big.NewInt(1_500_000_000), Sender: testdb.Address(), Recipient: testdb.Address(),
		CommentToRecipient: "=1+1 <script>", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour), AssetText: "TON",
	}
	_, err := payment.Prepare(tr)
	require.NoError(t, err)
	require.NoError(t, v.payments.RegisterPayment(t.Context(), v.merchant.ID, tr))
	_, page = v.get("/payments?q=" + tr.Reference[:8])
	require.Contains(t, page, tr.Reference)
	require.Contains(t, page, "1.5 TON")
	require.Contains(t, page, "=1&#43;1 &lt;script&gt;")
	require.NotContains(t, page, "<script>")
	_, page = v.get("/payments?status=failed")
	require.NotContains(t, page, tr.Reference)
	status, page := v.get("/payments/" + tr.Reference)
	require.Equal(t, 200, status)
	require.Contains(t, page, "pending")
	_, page = v.get("/payments.csv")
	require.Contains(t, page, tr.Reference+",pending,1.5,TON,TON")
	require.Contains(t, page, "'=1+1", "no formula")
	_, page = v.form("/keys", "label", "web")
	require.Regexp(t, `tqpay_[A-Za-z0-9_-]{43}`, page)
	_, page = v.get("/keys")
	require.NotRegexp(t, `tqpay_[A-Za-z0-9_-]{43}`, page, "shown once")
	_, page = v.form("/keys/revoke", "id", "1")
	require.Contains(t, page, "revoked")
}
