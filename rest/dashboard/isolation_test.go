package dashboard_test

import (
	"bytes"
	"html"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
	"tonql/internal/testdb"
	"tonql/rest/dashboard"
)

// register registers a payment of the merchant.
func (v *visit) register(comment string) *payment.Transfer {
	v.t.Helper()
	tr := &payment.Transfer{
		Asset: payment.NativeAsset(), Amount: big.NewInt(5), Sender: testdb.Address(), Recipient: testdb.Address(), AssetText: "TON",
		CommentToRecipient: comment, CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	}
	_, err := payment.Prepare(tr)
	require.NoError(v.t, err)
	require.NoError(v.t, v.payments.RegisterPayment(v.t.Context(), v.merchant.ID, tr))
	return tr
}

// rowsOf returns all rows of a merchant as text.
func (v *visit) rowsOf(merchant int64) string {
	v.t.Helper()
	db := v.db.SQLDB()
	defer func() { require.NoError(v.t, db.Close()) }()
	list := func(query string, args ...any) (texts []string) {
		rows, err := db.QueryContext(v.t.Context(), query, args...)
		require.NoError(v.t, err)
		defer func() { require.NoError(v.t, rows.Close()) }()
		for rows.Next() {
			var text string
			require.NoError(v.t, rows.Scan(&text))
			texts = append(texts, text)
		}
		require.NoError(v.t, rows.Err())
		return texts
	}
	id := strconv.FormatInt(merchant, 10)
	conditions := map[string]string{
		"merchants": "id = " + id, "webhook_deliveries": "endpoint_id IN (SELECT id FROM webhook_endpoints WHERE merchant_id = " + id + ")",
		"merchant_member_sessions": "member_id IN (SELECT id FROM merchant_members WHERE merchant_id = " + id + ")",
	}
	for _, table := range list(`SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'merchant_id'`) {
		conditions[table] = "merchant_id = " + id
	}
	require.Greater(v.t, len(conditions), 12)
	var all strings.Builder
	for _, table := range list(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name`) {
		if condition := conditions[table]; condition != "" {
			all.WriteString(table + "\n" + strings.Join(list("SELECT x::text FROM "+table+" x WHERE "+condition+" ORDER BY x::text"), "\n") + "\n")
		}
	}
	return all.String()
}

// Every route with an id is tried with those of another merchant, by an owner who has just signed in: nothing is found, shown or changed. A new
// kind of id fails this test until it has one here.
func TestRoutes_IDsOfOtherMerchantsAreUnknown(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	victim := v.merchant
	tr := v.register("private comment")
	status, _ := v.form("/webhooks", "url", "https://victim.example/hook")
	require.Equal(t, 200, status)
	status, _ = v.form("/webhooks/1/test", "sample", "success")
	require.Equal(t, 200, status)
	status, page := v.form("/keys", "label", "private label")
	require.Equal(t, 200, status)
	require.Contains(t, page, "private label")
	keys, err := v.payments.MerchantKeys(t.Context(), victim.ID)
	require.NoError(t, err)
	member, err := v.payments.CreateMember(t.Context(), victim.ID, "private member", payment.RoleViewer)
	require.NoError(t, err)
	link := v.link(payment.NativeAsset(), 7)
	links, err := v.payments.Links(t.Context(), victim.ID, 0, 10)
	require.NoError(t, err)
	require.Len(t, links, 1)
	ids := map[string]string{
		"/payments/": tr.Reference, "/webhooks/": "1", "/deliveries/": "1", "/links/": strconv.FormatInt(links[0].ID, 10), "/members/": strconv.FormatInt(member, 10),
	}
	for prefix, id := range ids {
		if prefix != "/links/" && prefix != "/members/" {
			status, _ := v.get(prefix + id)
			require.Equal(t, 200, status, "its own merchant sees %s%s", prefix, id)
		}
	}
	before := v.rowsOf(victim.ID)
	require.Contains(t, before, "private comment")

	// Another merchant, with an own row of each kind.
	attacker := &payment.Merchant{Name: "attacker", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), attacker))
	v.merchant = attacker
	v.fresh()
	v.signIn()
	_, page = v.get("/account")
	csrf := html.UnescapeString(token.FindStringSubmatch(page)[1])
	form := url.Values{
		"csrf": {csrf}, "url": {"https://attacker.example/"}, "event": {"transfer.completed"}, "enabled": {"1"}, "confirm": {"rotate"}, "after": {"0"},
		"sample": {"success"}, "role": {"owner"}, "id": {strconv.FormatInt(keys[0].ID, 10)}, "merchant": {"1"}, "merchant_id": {"1"}, "member": {"1"},
	}
	secrets := []string{"private", "victim.example", tr.Reference, link.Page}
	tried := 0
	for _, route := range dashboard.Routes() {
		method, path, _ := strings.Cut(route.Pattern, " ")
		if !strings.Contains(path, "{id}") && !strings.Contains(path, "{reference}") {
			continue
		}
		start, _, _ := strings.Cut(path, "{")
		id := ids[start]
		require.NotEmpty(t, id, "this test has no id for %s", route.Pattern)
		path = strings.NewReplacer("{id}", id, "{reference}", id).Replace(path)
		if method == http.MethodGet {
			status, page = v.get(path)
		} else {
			status, page = v.post(path, form)
		}
		require.Equal(t, 404, status, "%s: %s", route.Pattern, page)
		for _, secret := range secrets {
			require.NotContains(t, page, secret, route.Pattern)
		}
		tried++
	}
	require.Greater(t, tried, 15)
	status, _ = v.post("/keys/revoke", form)
	require.Equal(t, 404, status)
	// Lists and forms that name something of another merchant.
	for _, path := range []string{
		"/deliveries?endpoint=1", "/deliveries?about=" + tr.Reference, "/deliveries?before=999", "/payments?q=" + tr.Reference,
		"/payments?before=" + tr.Reference, "/payments.csv?before=" + tr.Reference, "/payments.csv", "/payments.csv?merchant=1", "/links?before=999", "/webhooks", "/members", "/keys",
		"/alerts", "/account", "/",
	} {
		status, page = v.get(path)
		require.Equal(t, 200, status, path)
		for _, secret := range secrets[:2] {
			require.NotContains(t, page, secret, path)
		}
		if !strings.Contains(path, tr.Reference) {
			require.NotContains(t, page, tr.Reference, path)
		}
	}
	for _, path := range []string{"/deliveries/resend", "/guide/sample", "/guide/payment", "/alerts/test"} {
		status, page = v.post(path, url.Values{"csrf": {csrf}, "since": {"2020-01-01"}, "endpoint": {"1"}, "id": {"1"}, "reference": {tr.Reference}})
		require.Less(t, status, 500, path)
		require.NotContains(t, page, "victim.example", path)
	}
	require.Equal(t, before, v.rowsOf(victim.ID))
}

// Every form is refused when a page of another origin sent it, also of a sub-domain, of another port and of none, with the cookies and the token
// of a session.
func TestForms_OfOtherOriginsAreRefusedAtEveryRoute(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	_, page := v.get("/account")
	form := url.Values{"csrf": {html.UnescapeString(token.FindStringSubmatch(page)[1])}}
	before := v.rowsOf(v.merchant.ID)
	host := strings.TrimPrefix(strings.TrimSuffix(v.base, dashboard.Prefix), "http://")
	for _, route := range append(dashboard.Routes(), dashboard.Route{Pattern: "POST /../pay/x"}) {
		method, path := pathOf(route.Pattern)
		if method == http.MethodGet {
			continue
		}
		for _, headers := range [][]string{
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
			{"Sec-Fetch-Site", "cross-site", "Origin", "http://" + host},
			{"Origin", "null"},
			{"Origin", "http://" + host + "0"},
			{"Origin", "http://pages." + host},
			{"Origin", "http://" + host + ".evil.example"},
			{"Origin", "http://" + host + "@evil.example"},
		} {
			status, _ := v.post(path, form, headers...)
			require.Equal(t, 403, status, "%s %v", route.Pattern, headers)
		}
	}
	require.Equal(t, before, v.rowsOf(v.merchant.ID))
	status, _ := v.post("/keys", url.Values{"csrf": form["csrf"], "label": {"own"}}, "Origin", "http://"+host, "Sec-Fetch-Site", "same-origin")
	require.Equal(t, 200, status)
}

// A session that begins with an earlier password while it is being replaced does not survive: who knows it could sign in all the time, so that
// one attempt is always between the check and the session.
func TestPassword_ReplacedOneOpensNoSession(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.withPassword("203.0.113.1")
	v.fresh()
	db := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	replaced, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = replaced.Rollback() }()
	_, err = replaced.ExecContext(t.Context(), `UPDATE merchants SET password = 'another' WHERE id = $1`, v.merchant.ID)
	require.NoError(t, err)
	type outcome struct {
		status int
		page   string
	}
	done := make(chan outcome, 1)
	go func() {
		status, page := v.post("/signin", url.Values{"name": {"shop"}, "password": {password}})
		done <- outcome{status, page}
	}()
	require.Eventually(t, func() bool { // the password is checked, and the session waits for the merchant's row
		var n int
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n))
		return n > 0
	}, time.Minute, 10*time.Millisecond)
	_, err = replaced.ExecContext(t.Context(), `DELETE FROM merchant_sessions WHERE merchant_id = $1`, v.merchant.ID)
	require.NoError(t, err)
	require.NoError(t, replaced.Commit())
	got := <-done
	require.Equal(t, 401, got.status, got.page)
	require.Contains(t, got.page, "The password was changed")
	_, page := v.get("/")
	require.Contains(t, page, "<title>Sign in")
	var n int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM merchant_sessions`).Scan(&n))
	require.Zero(t, n)
}

// The first step of signing in is void when the password is changed before the second one.
func TestSecondFactor_FirstStepEndsWithItsPassword(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.withPassword("203.0.113.1")
	_, page := v.form("/account/totp")
	secret := shownSecret(t, page, "secret")
	code := func() string {
		text, err := totp.GenerateCode(secret, time.Now().Add(time.Duration(v.later.Load())))
		require.NoError(t, err)
		return text
	}
	status, _ := v.form("/account/totp/confirm", "code", code())
	require.Equal(t, 200, status)
	owner := v.client
	v.fresh()
	_, page = v.post("/signin", url.Values{"name": {"shop"}, "password": {password}})
	require.Contains(t, page, "<h1>Enter a code")
	ticket := shownTicket(t, page)
	thief := v.client
	v.client = owner
	status, _ = v.form("/account/password", "password", "quite another password")
	require.Equal(t, 200, status)
	v.client = thief
	v.later.Add(int64(time.Minute))
	status, page = v.post("/signin/code", url.Values{"ticket": {ticket}, "code": {code()}})
	require.Equal(t, 401, status)
	require.Contains(t, page, "The password was changed")
	_, page = v.get("/")
	require.Contains(t, page, "<title>Sign in")
}

// shownTicket returns the ticket of the form for a code.
func shownTicket(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(page)
	require.NotNil(t, m, page)
	return html.UnescapeString(m[1])
}

// breaking is a response during which something breaks, once the first bytes are written.
type breaking struct {
	*httptest.ResponseRecorder

	broken func()
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.Body.Len() == 0 {
		b.broken()
	}
	return b.ResponseRecorder.Write(p)
}

// An export that cannot be completed is no complete response: a list of payments without its end would be taken for all of them.
func TestExport_WithoutItsEndIsCut(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	for range 501 {
		v.register("x")
	}
	request := func(broken func()) (w *breaking) {
		r := httptest.NewRequest(http.MethodGet, dashboard.Prefix+"/payments.csv", http.NoBody)
		r.AddCookie(&http.Cookie{Name: "tonql_session", Value: v.cookie()})
		w = &breaking{httptest.NewRecorder(), broken}
		v.pages.ServeHTTP(w, r)
		return w
	}
	w := request(func() {})
	require.Equal(t, 502, bytes.Count(w.Body.Bytes(), []byte("\n")))
	db := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		request(func() {
			_, err := db.ExecContext(t.Context(), `ALTER TABLE payments RENAME TO gone`)
			require.NoError(t, err)
		})
	})
}

// Text of buyers is never a formula of a spreadsheet, in any script.
func TestExport_TextIsNoFormula(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	for _, text := range []string{"=1+1", "+1", "-1", "@a", "\t=1", "＝1+1", "＋1", "－1", "＠a"} {
		v.register(text)
		_, page := v.get("/payments.csv")
		require.Contains(t, page, "'"+text, "%q", text)
	}
}
