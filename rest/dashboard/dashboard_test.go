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
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
	"tonql/rest/dashboard"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// visit is a browser on the pages of a new database.
type visit struct {
	t        *testing.T
	db       *store.DB
	payments *payments.Store
	base     string
	pages    http.Handler
	client   *http.Client
	merchant *payment.Merchant
	later    atomic.Int64 // how far the pages' clock is ahead
}

// atFullCost hashes passwords as in production, for tests that measure or load it.
func atFullCost(o *dashboard.Options) { o.PasswordCost = dashboard.PasswordCost{} }

func newVisit(t *testing.T, changes ...func(*dashboard.Options)) *visit {
	t.Helper()
	vault, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	db := testdb.New(t)
	v := &visit{t: t, db: db, payments: db.Payments(), merchant: &payment.Merchant{Name: "shop", Network: "devnet"}}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), v.merchant))
	o := dashboard.Options{
		Payments: v.payments, Vault: vault, Network: "devnet", Local: true, TestOnly: true, Logger: slog.New(slog.DiscardHandler),
		Proxies:      []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Now:          func() time.Time { return time.Now().Add(time.Duration(v.later.Load())) },
		PasswordCost: dashboard.PasswordCost{Time: 1, Memory: 64, Threads: 1},
		CheckURL: func(u string) error {
			if !strings.HasPrefix(u, "https://") {
				return errors.New("only https")
			}
			return nil
		},
	}
	for _, change := range changes {
		change(&o)
	}
	pages, err := dashboard.New(o)
	require.NoError(t, err)
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	v.pages = pages
	v.base = server.URL + dashboard.Prefix
	v.fresh()
	return v
}

// fresh replaces the browser by a new one.
func (v *visit) fresh() {
	jar, err := cookiejar.New(nil)
	require.NoError(v.t, err)
	transport := &http.Transport{}
	v.t.Cleanup(transport.CloseIdleConnections)
	v.client = &http.Client{Jar: jar, Transport: transport}
}

func (v *visit) do(r *http.Request) (int, string) {
	v.t.Helper()
	resp, err := v.client.Do(r)
	require.NoError(v.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(v.t, err)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		require.Contains(v.t, resp.Header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Equal(v.t, "no-store", resp.Header.Get("Cache-Control"))
	}
	return resp.StatusCode, string(body)
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

func TestSignIn_LinkAndPasswordOpenSessions(t *testing.T) {
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
	require.Zero(t, who, "the earlier session has ended")

	// Signing in with the password, with a session token that an attacker has chosen.
	v.fresh()
	u, err := url.Parse(v.base)
	require.NoError(t, err)
	v.client.Jar.SetCookies(u, []*http.Cookie{{Name: "tonql_session", Value: "chosen", Path: "/"}})
	status, page = v.post("/signin", url.Values{"name": {"shop"}, "password": {"a long password"}})
	require.Equal(t, 200, status)
	require.Contains(t, page, "<h1>Overview")
	require.NotEqual(t, "chosen", v.cookie(), "the server generates the session's token")
	_, _ = v.form("/signout")
	_, page = v.get("/payments")
	require.Contains(t, page, "<title>Sign in")

	for range 5 {
		status, page = v.post("/signin", url.Values{"name": {"shop"}, "password": {"wrong password"}})
		require.Equal(t, 401, status, page)
	}
	status, _ = v.post("/signin", url.Values{"name": {"shop"}, "password": {"a long password"}})
	require.Equal(t, 429, status, "guesses are limited")
	status, _ = v.post("/signin", url.Values{"name": {"nobody"}, "password": {"a long password"}})
	require.Equal(t, 401, status)
}

func TestForms_ForgedOnesAreRefused(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	for _, form := range []url.Values{{"label": {"x"}}, {"label": {"x"}, "csrf": {"wrong"}}} {
		status, page := v.post("/keys", form)
		require.Equal(t, 403, status)
		require.Contains(t, page, "belongs to another session")
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
		status, _ := v.post("/signin", url.Values{"name": {"shop"}}, headers...)
		require.Equal(t, 403, status, "another site's form")
	}
	keys, err := v.payments.MerchantKeys(t.Context(), v.merchant.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
	// The session of one merchant has no access to another merchant.
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

// shownSecret returns the secret of an endpoint on a page.
func shownSecret(t *testing.T, page, id string) string {
	t.Helper()
	m := regexp.MustCompile(`id="` + id + `" readonly value="([^"]+)"`).FindStringSubmatch(page)
	require.NotNil(t, m, page)
	return html.UnescapeString(m[1])
}

func TestWebhookPages_ManageEndpointsAndSecrets(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	status, page := v.form("/webhooks", "url", "http://shop.example/")
	require.Equal(t, 400, status)
	require.Contains(t, page, "only https")
	status, page = v.form("/webhooks", "url", "https://shop.example/<hook>")
	require.Equal(t, 200, status)
	require.Contains(t, page, "https://shop.example/&lt;hook&gt;")
	require.NotContains(t, page, "whsec_")

	_, page = v.form("/webhooks/1/reveal")
	first := shownSecret(t, page, "secret")
	require.True(t, strings.HasPrefix(first, "whsec_"))
	for _, confirm := range []string{"", "yes"} {
		status, page = v.form("/webhooks/1/rotate", "confirm", confirm)
		require.Equal(t, 400, status, "a rotation is confirmed")
		require.Contains(t, page, "Confirm the rotation")
	}
	_, page = v.form("/webhooks/1/reveal")
	require.Equal(t, first, shownSecret(t, page, "secret"))
	_, page = v.form("/webhooks/1/rotate", "confirm", "rotate")
	second := shownSecret(t, page, "secret")
	require.NotEqual(t, first, second)
	_, page = v.form("/webhooks/1/prepare")
	require.Equal(t, second, shownSecret(t, page, "secret"))
	next := shownSecret(t, page, "next")
	_, page = v.form("/webhooks/1/activate")
	require.Equal(t, next, shownSecret(t, page, "secret"))
	for _, path := range []string{"/webhooks", "/webhooks/1", "/account"} {
		_, page = v.get(path)
		require.NotContains(t, page, "whsec_", path)
	}

	for sample, want := range map[string]string{"success": `&#34;status&#34;:&#34;success&#34;`, "failed": `&#34;errorCode&#34;:37`, "jetton": `&#34;assetTicker&#34;:&#34;SMPL&#34;`} {
		status, page = v.form("/webhooks/1/test", "sample", sample)
		require.Equal(t, 200, status)
		require.Contains(t, page, want)
		require.Contains(t, page, "pending")
	}
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for query, found := range map[string]bool{
		"state=pending": true, "state=exhausted": false, "endpoint=1": true, "endpoint=2": false,
		"from=" + today: true, "from=" + tomorrow: false, "to=" + today: true, "about=nothing": false,
	} {
		_, page = v.get("/deliveries?" + query)
		require.Equal(t, found, strings.Contains(page, ">test_"), query)
	}
	status, page = v.form("/deliveries/1/resend")
	require.Equal(t, 200, status)
	require.Contains(t, page, "manual")

	// Without a recent proof, secrets stay hidden; deliveries and keys do not need it.
	v.later.Store(int64(11 * time.Minute))
	for _, path := range []string{"/webhooks/1/reveal", "/webhooks/1/rotate", "/webhooks/1/prepare", "/webhooks/1/activate", "/account/password"} {
		status, page = v.form(path, "password", "a long password", "confirm", "rotate")
		require.Equal(t, 403, status, path)
		require.NotContains(t, page, "whsec_")
		require.Contains(t, page, "Confirm")
	}
	status, _ = v.form("/account/prove", "password", "wrong password")
	require.Equal(t, 401, status)
}

// The pages of a local chain, which may be without TLS, use https where a trusted proxy has it: for cookies and for the links of buyers.
func TestSession_ProxiesWithTLSHaveSecureCookies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*dashboard.Options)
		proto  string
		secure bool
	}{
		"no TLS":          {func(*dashboard.Options) {}, "", false},
		"a trusted proxy": {func(*dashboard.Options) {}, "https", true},
		"another client":  {func(o *dashboard.Options) { o.Proxies = nil }, "https", false},
		"the public URL":  {func(o *dashboard.Options) { o.Origin = "https://shop.example" }, "", true},
	} {
		v := newVisit(t, withWallets(t, c.change))
		do := func(method, path string, form url.Values) *http.Response {
			r := httptest.NewRequestWithContext(t.Context(), method, "http://shop.example"+path, strings.NewReader(form.Encode()))
			r.RemoteAddr = "127.0.0.1:1234"
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if c.proto != "" {
				r.Header.Set("X-Forwarded-Proto", c.proto)
			}
			w := httptest.NewRecorder()
			v.pages.ServeHTTP(w, r)
			return w.Result()
		}
		link := payment.NewToken()
		require.NoError(t, v.payments.OpenSession(t.Context(), payment.HashOf(link), v.merchant.ID, true, time.Minute))
		resp := do(http.MethodPost, dashboard.Prefix+"/link", url.Values{"token": {link}})
		require.NoError(t, resp.Body.Close())
		cookies := resp.Cookies()
		require.Len(t, cookies, 2, name)
		for _, cookie := range cookies {
			require.Equal(t, c.secure, cookie.Secure, name)
		}
		resp = do(http.MethodGet, dashboard.ManifestPath, nil)
		manifest, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.secure, strings.Contains(string(manifest), `"url":"https://shop.example`), name+": "+string(manifest))
	}
}

// Each endpoint of a merchant has a separate secret, is enabled separately and is removed separately.
func TestEndpoints_OfOneMerchantAreIndependent(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	for _, url := range []string{"https://a.example/", "https://b.example/"} {
		status, page := v.form("/webhooks", "url", url)
		require.Equal(t, 200, status)
		require.Contains(t, page, url)
	}
	status, page := v.form("/webhooks", "url", "https://a.example/")
	require.Equal(t, 400, status)
	require.Contains(t, page, "already")
	_, page = v.form("/webhooks/1/reveal")
	one := shownSecret(t, page, "secret")
	_, page = v.form("/webhooks/2/reveal")
	require.NotEqual(t, one, shownSecret(t, page, "secret"))

	// An event goes to each enabled endpoint; a replay starts after the number of an event.
	tr := &payment.Transfer{
		Asset: payment.NativeAsset(), Amount: big.NewInt(5), Sender: testdb.Address(), Recipient: testdb.Address(), CreatedAt: time.Now(), ExpiresAt: time.Now(),
	}
	_, err := payment.Prepare(tr)
	require.NoError(t, err)
	require.NoError(t, v.payments.RegisterPayment(t.Context(), v.merchant.ID, tr))
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err = handle.ExecContext(t.Context(), `INSERT INTO webhook_events (id, merchant_id, reference, status, body)
		SELECT 'evt_' || n, $1, $2, n, '{}' FROM generate_series(1, 2) n`, v.merchant.ID, tr.Reference)
	require.NoError(t, err)
	done, err := v.payments.Replay(t.Context(), v.merchant.ID, 0, 0, 1)
	require.NoError(t, err)
	require.Equal(t, 2, done.Deliveries, "the limit counts events, so that no endpoint misses one")
	_, page = v.get("/payments/" + tr.Reference)
	require.Equal(t, 2, strings.Count(page, `href="/dashboard/deliveries/`), "both are listed at the payment")
	_, page = v.get("/deliveries/1")
	require.Contains(t, page, "number 1,")

	_, page = v.form("/webhooks/2/replay", "after", "1")
	require.Contains(t, page, "1 events are resent.")
	for _, bad := range []string{"x", "-1", ""} {
		status, _ = v.form("/webhooks/2/replay", "after", bad)
		require.Equal(t, 400, status, bad)
	}
	_, page = v.form("/webhooks/2", "url", "https://b.example/new", "event", "success") // the checkbox is not set
	require.Contains(t, page, "Saved.")
	_, page = v.get("/webhooks")
	require.Contains(t, page, `class="badge off"`)
	status, _ = v.form("/webhooks/2/replay", "after", "0")
	require.Equal(t, 400, status, "the endpoint is disabled")

	// Exhausted deliveries cause a warning and can be resent.
	_, err = handle.ExecContext(t.Context(), `UPDATE webhook_deliveries SET state = 3 WHERE id = 1`)
	require.NoError(t, err)
	_, page = v.get("/payments")
	require.Contains(t, page, "did not receive after all attempts: 1.")
	status, _ = v.form("/deliveries/resend", "since", "long ago")
	require.Equal(t, 400, status)
	_, page = v.form("/deliveries/resend", "since", time.Now().UTC().Format(time.DateOnly))
	require.Contains(t, page, "1 deliveries are resent")
	_, page = v.get("/payments")
	require.NotContains(t, page, "after all attempts")

	// Removing an endpoint skips open deliveries and removes their jobs; the log remains.
	_, page = v.form("/webhooks/1/remove")
	require.Contains(t, page, "The endpoint is removed.")
	require.NotContains(t, page, "a.example")
	for _, path := range []string{"/webhooks/1", "/webhooks/1/test", "/webhooks/1/replay", "/webhooks/1/reveal", "/webhooks/1/remove"} {
		status, _ = v.form(path, "url", "https://a.example/", "after", "0")
		require.Equal(t, 404, status, path)
	}
	_, page = v.get("/deliveries?state=skipped")
	require.Contains(t, page, payment.ReasonRemoved)
	status, _ = v.form("/deliveries/1/resend")
	require.Equal(t, 400, status)
	var waiting int
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM river.river_job WHERE queue = 'endpoint_1'`).Scan(&waiting))
	require.Zero(t, waiting)
	// A third endpoint is unaffected by the removed one.
	status, _ = v.form("/webhooks", "url", "https://a.example/")
	require.Equal(t, 200, status)

	// Endpoints of other merchants are not accessible.
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))
	id, err := v.payments.CreateEndpoint(t.Context(), other.ID, "https://other.example/", []byte("sealed"))
	require.NoError(t, err)
	status, _ = v.get("/webhooks/" + strconv.FormatInt(id, 10))
	require.Equal(t, 404, status)
	for _, path := range []string{"", "/test", "/replay", "/reveal", "/rotate", "/prepare", "/activate", "/remove"} {
		status, _ = v.form("/webhooks/"+strconv.FormatInt(id, 10)+path, "url", "https://a.example/", "after", "0")
		require.Equal(t, 404, status, path)
	}
}

// Guesses are counted by merchant, and by the address of the client behind proxies that are trusted.
func TestSignIn_WrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	tooLong := strings.Repeat("x", 201) // refused without being hashed
	guess := func(name, forwarded string) int {
		status, _ := v.post("/signin", url.Values{"name": {name}, "password": {tooLong}}, "X-Forwarded-For", forwarded)
		return status
	}
	for i := range 50 {
		require.Equal(t, 401, guess("name "+strconv.Itoa(i), "203.0.113.9, 198.51.100.7"), "guess %d", i)
	}
	require.Equal(t, 429, guess("one more", "198.51.100.7"))
	require.Equal(t, 429, guess("one more", "203.0.113.1, 198.51.100.7"), "addresses further left are not trusted")
	require.Equal(t, 401, guess("one more", "198.51.100.8"), "another client of the same proxy")
	v.later.Store(int64(6 * time.Minute))
	require.Equal(t, 401, guess("one more", "198.51.100.7"), "after a while")
}

func TestAccount_ReceivingSettingsAreStored(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	wallet, master := testdb.Address().Friendly(false, true), testdb.Address()
	status, page := v.form("/account/receiving", "wallet", wallet, "assets", "TON\n"+master.Friendly(true, true))
	require.Equal(t, 200, status)
	require.Contains(t, page, wallet)
	require.Contains(t, page, "TON\n"+master.String())
	require.Contains(t, page, "Saved.")
	m, err := v.payments.Merchant(t.Context(), v.merchant.ID)
	require.NoError(t, err)
	require.True(t, m.Accepts(payment.NativeAsset()))
	require.True(t, m.Accepts(payment.Asset{Master: &master}))
	require.False(t, m.Accepts(payment.Asset{Master: new(testdb.Address())}))
	for _, form := range [][]string{{"wallet", "nowhere"}, {"assets", "EUR"}} {
		status, page = v.form("/account/receiving", form...)
		require.Equal(t, 400, status, form)
		require.NotContains(t, page, "Saved.")
	}
	status, page = v.form("/account/receiving", "wallet", wallet, "assets", "TON\n"+master.String()+"x")
	require.Equal(t, 400, status)
	require.Contains(t, page, `value="`+wallet+`"`, "what was entered stays in the form")
	require.Contains(t, page, "TON\n"+master.String()+"x</textarea>")
}

func TestPaymentPages_ListAndExportPayments(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	_, page := v.get("/payments")
	require.Contains(t, page, "No payments yet")
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
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for query, found := range map[string]bool{
		"status=failed": false, "status=pending": true, "status=expired": false, "from=" + today: true, "from=" + tomorrow: false, "to=" + today: true,
	} {
		_, page = v.get("/payments?" + query)
		require.Equal(t, found, strings.Contains(page, tr.Reference), query)
		_, page = v.get("/payments.csv?" + query)
		require.Equal(t, found, strings.Contains(page, tr.Reference), "export of %s", query)
	}
	v.later.Store(int64(2 * time.Hour))
	_, page = v.get("/payments?status=expired")
	require.Contains(t, page, tr.Reference)
	_, page = v.get("/payments?status=pending")
	require.NotContains(t, page, tr.Reference)
	v.later.Store(0)
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

// Payments below and above the amount and in parts: the list, the page and the export compare with the requested
// amount.
func TestPaymentPages_AmountsAreCompared(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	for name, tc := range map[string]struct {
		status             int
		received, deducted any
		further            int64
		list, page         []string
		never              []string
		csv                string
	}{
		"less": {
			2, 500_000_000, nil, 0,
			[]string{">99 TON<", ">0.5 TON <", "98.5 TON missing"},
			[]string{"<dt>Requested</dt><dd>99 TON<", "<dt>Received</dt><dd>0.5 TON<", "<dt>Missing</dt><dd>98.5 TON<"},
			[]string{"Surplus", "several payments", "Fees deducted"}, ",99,0.5,98.5,\n",
		},
		"more": {
			1, 100_000_000_000, nil, 0,
			[]string{">99 TON<", "1 TON surplus"},
			[]string{"<dt>Requested</dt><dd>99 TON<", "<dt>Received</dt><dd>100 TON<", "<dt>Surplus</dt><dd>1 TON<"},
			[]string{"Missing"}, ",99,100,,1\n",
		},
		"fees deducted": {
			2, 98_999_600_000, 400_000, 0,
			[]string{">99 TON<", "0.0004 TON missing"},
			[]string{"<dt>Missing</dt><dd>0.0004 TON<", "<dt>Fees deducted</dt><dd>0.0004 TON:", "the sender's wallet deducted its fees from the value"},
			[]string{"Surplus"}, ",99,98.9996,0.0004,\n",
		},
		"in parts": {
			2, 50_000_000_000, nil, 49_000_000_000,
			[]string{">99 TON<"},
			[]string{"<dt>Received</dt><dd>99 TON<", "several payments, none of which was sufficient", "Further payments", "49 TON from <code>"},
			[]string{"Missing", "Surplus"}, ",99,99,,\n",
		},
		"nothing": {2, 0, nil, 0, []string{">99 TON<", "99 TON missing"}, []string{"<dt>Received</dt><dd>0 TON<", "<dt>Missing</dt><dd>99 TON<"}, []string{"Surplus"}, ",99,0,99,\n"},
		"pending": {0, nil, nil, 0, []string{">99 TON<", ">–<"}, []string{"<dt>Requested</dt><dd>99 TON<"}, []string{"<dt>Received", "Missing", "Surplus"}, ",99,,,\n"},
	} {
		tr := &payment.Transfer{
			Asset: payment.NativeAsset(), Amount: big.NewInt(99_000_000_000), Sender: testdb.Address(), Recipient: testdb.Address(),
			CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour), AssetText: "TON",
		}
		_, err := payment.Prepare(tr)
		require.NoError(t, err)
		require.NoError(t, v.payments.RegisterPayment(t.Context(), v.merchant.ID, tr))
		if tc.status > 0 {
			_, err = handle.ExecContext(t.Context(), `UPDATE payments SET status = $2::int, matched = 1, paid = $3::numeric, received = $3::numeric, deducted = $4::numeric, error_code = 37 * ($2::int - 1),
				error_message = 'Not enough TON', tx_hash = sha256('a'), trace_id = sha256('b'), tx_lt = 1, tx_now = 1700000000 WHERE reference = $1`,
				tr.Reference, tc.status, tc.received, tc.deducted)
			require.NoError(t, err, name)
		}
		if tc.further > 0 {
			_, err = handle.ExecContext(t.Context(), `INSERT INTO payment_surplus VALUES ($1, sha256('c'), sha256('d'), $2, '\x', 2, 1700000001)`, tr.Reference, tc.further)
			require.NoError(t, err, name)
			_, err = handle.ExecContext(t.Context(), `UPDATE payment_surplus SET paid_by = (SELECT sender FROM payments WHERE reference = $1) WHERE reference = $1`, tr.Reference)
			require.NoError(t, err, name)
		}
		_, list := v.get("/payments?q=" + tr.Reference)
		for _, text := range tc.list {
			require.Contains(t, list, text, name)
		}
		status, page := v.get("/payments/" + tr.Reference)
		require.Equal(t, 200, status, name)
		for _, text := range tc.page {
			require.Contains(t, page, text, name)
		}
		for _, text := range tc.never {
			require.NotContains(t, page, text, name)
		}
		_, export := v.get("/payments.csv?q=" + tr.Reference)
		require.Contains(t, export, "requested,received,missing,surplus\n", name)
		require.True(t, strings.HasSuffix(export, tc.csv), "%s: %s", name, export)
	}
}
