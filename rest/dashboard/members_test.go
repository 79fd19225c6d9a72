package dashboard_test

import (
	"encoding/base32"
	"html"
	"net/http"
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

// asMember signs a new member in with a link, in a new browser.
func (v *visit) asMember(name string, role payment.Role) *payment.Member {
	v.t.Helper()
	id, err := v.payments.CreateMember(v.t.Context(), v.merchant.ID, name, role)
	require.NoError(v.t, err)
	member, err := v.payments.Member(v.t.Context(), v.merchant.ID, id)
	require.NoError(v.t, err)
	v.fresh()
	link := "m." + payment.NewToken()
	require.NoError(v.t, v.payments.OpenMemberSession(v.t.Context(), payment.HashOf(link), member, true, time.Minute))
	status, page := v.post("/link", url.Values{"token": {link}})
	require.Equal(v.t, 200, status, page)
	status, _ = v.post("/link", url.Values{"token": {link}})
	require.Equal(v.t, 400, status, "a link is good once")
	return member
}

// path fills the variables of a pattern with values that exist nowhere.
func pathOf(pattern string) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	return method, strings.NewReplacer("{$}", "", "{id}", "999", "{reference}", "x", "{rest...}", "none").Replace(path)
}

// Every route is tried by every role and by nobody: below the role that the table names, nothing happens but a refusal.
func TestRoutes_RolesAreEnforcedOnEachOfThem(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	routes := dashboard.Routes()
	require.Greater(t, len(routes), 50)
	for _, role := range []payment.Role{0, payment.RoleViewer, payment.RoleDeveloper, payment.RoleOwner} {
		csrf := ""
		if role == 0 {
			v.fresh()
		} else {
			v.asMember(role.String(), role)
			_, page := v.get("/account")
			csrf = html.UnescapeString(token.FindStringSubmatch(page)[1])
		}
		follow := v.client.CheckRedirect
		v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		for _, route := range routes {
			method, path := pathOf(route.Pattern)
			if path == "/signout" || path == "/link" || path == "/signin" {
				continue // they end or begin a session
			}
			var status int
			var page string
			if method == http.MethodGet {
				status, page = v.get(path)
			} else {
				status, page = v.post(path, url.Values{"csrf": {csrf}})
			}
			switch {
			case route.Need == 0:
				require.NotEqual(t, 403, status, route.Pattern)
			case role == 0:
				require.Equal(t, 303, status, "%s needs a session", route.Pattern)
			case role < route.Need:
				require.Equal(t, 403, status, "%s as %s", route.Pattern, role)
				require.Contains(t, page, "Your role, "+role.String(), route.Pattern)
			default:
				require.NotContains(t, page, "Your role, ", "%s as %s", route.Pattern, role)
				require.Less(t, status, 500, "%s as %s", route.Pattern, role)
			}
		}
		v.client.CheckRedirect = follow
	}
	// What changes something needs more than to read, except for the own account.
	for _, route := range routes {
		if strings.HasPrefix(route.Pattern, "POST ") && route.Need == payment.RoleViewer {
			require.Regexp(t, `^POST /(signout|account/)`, route.Pattern)
		}
	}
}

var invitation = regexp.MustCompile(`id="invitation" readonly value="([^"]+)"`)

func TestMembers_AreInvitedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	owner := v.client
	status, page := v.form("/members", "name", "alice", "role", "developer")
	require.Equal(t, 200, status)
	m := invitation.FindStringSubmatch(page)
	require.NotNil(t, m, page)
	require.True(t, strings.HasPrefix(m[1], strings.TrimSuffix(v.base, dashboard.Prefix)+"/dashboard/link?token=m."))
	for _, form := range [][]string{{"name", "alice", "role", "viewer"}, {"name", "", "role", "viewer"}, {"name", "bob", "role", "admin"}, {"name", "bob", "role", ""}} {
		status, _ = v.form("/members", form...)
		require.Equal(t, 400, status, form)
	}

	u, err := url.Parse(html.UnescapeString(m[1]))
	require.NoError(t, err)
	v.fresh()
	status, page = v.post("/link", url.Values{"token": {u.Query().Get("token")}})
	require.Equal(t, 200, status)
	require.Contains(t, page, "shop / alice")
	first := v.cookie()
	status, _ = v.form("/account/password", "password", password)
	require.Equal(t, 200, status)
	require.NotEqual(t, first, v.cookie())
	alice := v.client
	// Passwords of a member and of the merchant's own account are distinct.
	v.fresh()
	status, _ = v.post("/signin", url.Values{"name": {"shop"}, "password": {password}})
	require.Equal(t, 401, status)
	status, page = v.post("/signin", url.Values{"name": {"shop"}, "member": {"alice"}, "password": {password}})
	require.Equal(t, 200, status)
	require.Contains(t, page, "<h1>Overview")

	status, _ = v.form("/keys", "label", "web")
	require.Equal(t, 200, status)
	v.client = owner
	_, page = v.get("/account")
	require.Contains(t, page, "created, by alice", "the log names the member")
	// A new role ends the sessions that were opened with the earlier one.
	status, page = v.form("/members/1/role", "role", "viewer")
	require.Equal(t, 200, status)
	require.Contains(t, page, "sign in again")
	v.client = alice
	_, page = v.get("/")
	require.Contains(t, page, "<title>Sign in")
	status, _ = v.post("/signin", url.Values{"name": {"shop"}, "member": {"alice"}, "password": {password}})
	require.Equal(t, 200, status)
	status, _ = v.get("/keys")
	require.Equal(t, 403, status)

	v.client = owner
	status, _ = v.form("/members/1/remove")
	require.Equal(t, 200, status)
	v.client = alice
	_, page = v.get("/")
	require.Contains(t, page, "<title>Sign in")
	status, _ = v.post("/signin", url.Values{"name": {"shop"}, "member": {"alice"}, "password": {password}})
	require.Equal(t, 401, status)

	// Members of another merchant are not accessible, and an owner does not lock himself out.
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))
	_, err = v.payments.CreateMember(t.Context(), other.ID, "carol", payment.RoleViewer)
	require.NoError(t, err)
	member := v.asMember("dave", payment.RoleOwner)
	for _, action := range []string{"role", "link", "totp", "remove"} {
		status, _ = v.form("/members/2/"+action, "role", "owner")
		require.Equal(t, 404, status, action)
	}
	for _, action := range []string{"role", "remove"} {
		status, _ = v.form("/members/"+itoa(member.ID)+"/"+action, "role", "viewer")
		require.Equal(t, 400, status, action)
	}
	// The team is changed by those only who confirmed their password lately.
	v.later.Store(int64(11 * time.Minute))
	for _, action := range []string{"", "/1/role", "/1/link", "/1/totp", "/1/remove"} {
		status, page = v.form("/members"+action, "role", "owner", "name", "eve")
		require.Equal(t, 403, status, action)
		require.Contains(t, page, "Confirm")
	}
}

var shownCode = regexp.MustCompile(`<li><code>([a-z2-7-]{19})</code></li>`)

func TestSecondFactor_SigningInNeedsItOnce(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.withPassword("203.0.113.1")
	status, page := v.form("/account/totp")
	require.Equal(t, 200, status)
	require.Contains(t, page, `<svg class="qr"`)
	secret := shownSecret(t, page, "secret")
	_, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	require.NoError(t, err)
	code := func() string {
		text, err := totp.GenerateCode(secret, time.Now().Add(time.Duration(v.later.Load())))
		require.NoError(t, err)
		return text
	}
	other := v.client
	v.fresh()
	status, page = v.post("/signin", url.Values{"name": {"shop"}, "password": {password}})
	require.Equal(t, 200, status)
	require.Contains(t, page, "<h1>Overview", "a secret that is not confirmed is no second factor")
	elsewhere := v.client
	v.client = other
	before := v.cookie()
	status, _ = v.form("/account/totp/confirm", "code", "000000")
	require.Equal(t, 401, status)
	confirmed := code()
	status, page = v.form("/account/totp/confirm", "code", confirmed)
	require.Equal(t, 200, status)
	codes := shownCode.FindAllStringSubmatch(page, -1)
	require.Len(t, codes, payment.RecoveryCodes)
	require.NotEqual(t, before, v.cookie())
	_, page = v.get("/account")
	require.NotContains(t, page, codes[0][1], "they are shown once")
	require.NotContains(t, page, secret)
	v.client = elsewhere
	_, page = v.get("/")
	require.Contains(t, page, "<title>Sign in", "other sessions end")

	ticket := func() string {
		t.Helper()
		v.fresh()
		status, page := v.post("/signin", url.Values{"name": {"shop"}, "password": {password}})
		require.Equal(t, 200, status)
		require.Contains(t, page, "<h1>Enter a code")
		_, home := v.get("/")
		require.Contains(t, home, "<title>Sign in", "the password alone opens no session")
		return html.UnescapeString(regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(page)[1])
	}
	enter := func(ticket, code string) int {
		t.Helper()
		status, _ := v.post("/signin/code", url.Values{"ticket": {ticket}, "code": {code}})
		return status
	}
	first := ticket()
	require.Equal(t, 401, enter(first, confirmed), "the code that confirmed was used")
	v.later.Add(int64(time.Minute))
	used := code()
	require.Equal(t, 200, enter(first, used))
	_, page = v.get("/")
	require.Contains(t, page, "<h1>Overview")
	second := ticket()
	require.Equal(t, 401, enter(second, used), "a code is accepted once")
	require.Equal(t, 401, enter("x"+second[1:], used), "a ticket that was changed")
	// A recovery code works once, with or without hyphens.
	require.Equal(t, 200, enter(second, strings.ReplaceAll(codes[0][1], "-", "")))
	third := ticket()
	require.Equal(t, 401, enter(third, codes[0][1]))
	// A link of the operator needs the second factor, too.
	v.fresh()
	link := payment.NewToken()
	require.NoError(t, v.payments.OpenSession(t.Context(), payment.HashOf(link), v.merchant.ID, true, time.Minute))
	_, page = v.post("/link", url.Values{"token": {link}})
	require.Contains(t, page, "<h1>Enter a code")
	// Wrong codes lock the second factor, also for the right one.
	wrong := 0
	for range 10 {
		if status := enter(third, "000000"); status == 429 {
			break
		}
		wrong++
	}
	require.LessOrEqual(t, wrong, 5)
	v.later.Add(int64(time.Minute))
	require.Equal(t, 429, enter(third, code()))
	// Too much time after the password.
	v.later.Add(int64(6 * time.Minute))
	require.Equal(t, 401, enter(third, code()))
}

// Concurrent attempts with one code open one session at most, and concurrent guesses are counted.
func TestSecondFactor_ConcurrentAttemptsAreCounted(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	secret := payment.NewTOTPSecret()
	step := time.Now().Unix() / 30
	require.NoError(t, v.payments.AddTOTP(t.Context(), v.merchant.ID, 0, []byte("sealed")))
	accepted := attack(t, 4, func(int) (int, error) {
		ok, wait, err := v.payments.TryTOTP(t.Context(), v.merchant.ID, 0, func([]byte, int64) (int64, bool, error) { return step, true, nil })
		if ok {
			return 1, err
		}
		return int(min(wait, 2)), err
	})
	require.Equal(t, 1, accepted[1])
	guesses := attack(t, 60, func(int) (int, error) {
		_, wait, err := v.payments.TryTOTP(t.Context(), v.merchant.ID, 0, func([]byte, int64) (int64, bool, error) {
			_, ok := payment.CheckTOTP(secret, "x", 0, time.Now())
			return 0, ok, nil
		})
		if wait > 0 {
			return 429, err
		}
		return 401, err
	})
	require.LessOrEqual(t, guesses[401], 5)
	require.Equal(t, 60, guesses[401]+guesses[429])
}

// A first step of signing in that was made before the clock was set back does not last until the clock is there again.
func TestSecondFactor_TicketOfTheFutureHasExpired(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.withPassword("203.0.113.1")
	require.NoError(t, v.payments.AddTOTP(t.Context(), v.merchant.ID, 0, []byte("sealed")))
	ok, _, err := v.payments.TryTOTP(t.Context(), v.merchant.ID, 0, func([]byte, int64) (int64, bool, error) { return 1, true, nil })
	require.NoError(t, err)
	require.True(t, ok)
	codes, hashes := payment.NewRecoveryCodes()
	require.NoError(t, v.payments.SetRecovery(t.Context(), v.merchant.ID, 0, hashes))
	for _, ahead := range []time.Duration{72 * time.Hour, 5 * time.Second} {
		v.later.Store(int64(ahead))
		_, page := v.post("/signin", url.Values{"name": {"shop"}, "password": {password}}, "X-Forwarded-For", "203.0.113.2")
		ticket := html.UnescapeString(regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(page)[1])
		v.later.Store(0)
		got, _ := v.post("/signin/code", url.Values{"ticket": {ticket}, "code": {codes[0]}}, "X-Forwarded-For", "203.0.113.2")
		require.Equal(t, ahead == 5*time.Second, got == http.StatusOK, "%s: %d", ahead, got)
	}
}

// Wrong passwords of others at the client's address refuse neither the password nor the code of a browser that signed in before.
func TestSecondFactor_AttemptsOfOthersAtTheAddressDoNotCount(t *testing.T) {
	t.Parallel()
	const office = "203.0.113.1"
	v := newVisit(t)
	v.withPassword(office)
	require.NoError(t, v.payments.AddTOTP(t.Context(), v.merchant.ID, 0, []byte("sealed")))
	ok, _, err := v.payments.TryTOTP(t.Context(), v.merchant.ID, 0, func([]byte, int64) (int64, bool, error) { return 1, true, nil })
	require.NoError(t, err)
	require.True(t, ok)
	codes, hashes := payment.NewRecoveryCodes()
	require.NoError(t, v.payments.SetRecovery(t.Context(), v.merchant.ID, 0, hashes))
	guesser := v.withoutCookies()
	got := attack(t, 60, func(i int) (int, error) {
		return v.guess(guesser, "name "+strconv.Itoa(i), strings.Repeat("x", tooLongPassword), office)
	})
	require.Equal(t, map[int]int{401: 50, 429: 10}, got)
	status, page := v.post("/signin", url.Values{"name": {"shop"}, "password": {password}}, "X-Forwarded-For", office)
	require.Equal(t, 200, status)
	ticket := html.UnescapeString(regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(page)[1])
	status, _ = v.post("/signin/code", url.Values{"ticket": {ticket}, "code": {codes[0]}}, "X-Forwarded-For", office)
	require.Equal(t, 200, status)
}

// Whoever changes the wallet gets all further payments, so a session alone, such as that of a browser left open, is not sufficient.
func TestReceiving_NeedsTheConfirmedPassword(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	first := testdb.Address().String()
	status, _ := v.form("/account/receiving", "wallet", first, "assets", "TON")
	require.Equal(t, 200, status)
	v.later.Store(int64(11 * time.Minute))
	status, page := v.form("/account/receiving", "wallet", testdb.Address().String(), "assets", "")
	require.Equal(t, 403, status)
	require.Contains(t, page, "Confirm your password")
	v.later.Store(0)
	status, _ = v.form("/account/receiving", "wallet", "5:"+strings.Repeat("0", 64))
	require.Equal(t, 400, status, "no such workchain")
	m, err := v.payments.Merchant(t.Context(), v.merchant.ID)
	require.NoError(t, err)
	require.Equal(t, first, m.Wallet)
	require.Equal(t, []string{"TON"}, m.Assets)
}

// A session alone does not send the events of a merchant to another server, nor keep them from the merchant's own.
func TestEndpoint_NewURLNeedsTheConfirmedPassword(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	status, _ := v.form("/webhooks", "url", "https://shop.example/hook")
	require.Equal(t, 200, status)
	v.later.Store(int64(11 * time.Minute))
	status, page := v.form("/webhooks/1", "url", "https://elsewhere.example/", "enabled", "1", "event", "success")
	require.Equal(t, 403, status)
	require.Contains(t, page, "Confirm your password")
	status, _ = v.form("/webhooks/1", "url", "https://shop.example/hook", "enabled", "1", "event", "success")
	require.Equal(t, 200, status, "other settings")
	e, err := v.payments.Endpoint(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, "https://shop.example/hook", e.URL)
	require.Equal(t, []payment.Status{payment.Success}, e.Events)
}
