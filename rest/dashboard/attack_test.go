package dashboard_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/rest/dashboard"
)

const (
	password = "a long password"
	// tooLong is refused without being hashed.
	tooLongPassword = 201
)

// withPassword sets a password in a browser at an address, and continues with a new browser.
func (v *visit) withPassword(from string) {
	v.t.Helper()
	link := payment.NewToken()
	require.NoError(v.t, v.payments.OpenSession(v.t.Context(), payment.HashOf(link), v.merchant.ID, true, time.Minute))
	status, page := v.post("/link", url.Values{"token": {link}}, "X-Forwarded-For", from)
	require.Equal(v.t, 200, status, page)
	m := token.FindStringSubmatch(page)
	require.NotNil(v.t, m)
	status, _ = v.post("/account/password", url.Values{"csrf": {strings.ReplaceAll(m[1], "&#43;", "+")}, "password": {password}}, "X-Forwarded-For", from)
	require.Equal(v.t, 200, status)
}

// guess signs in from an address, with or without the cookies of the visit, and returns the status.
func (v *visit) guess(browser *http.Client, name, password, from string) (int, error) {
	form := url.Values{"name": {name}, "password": {password}}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, v.base+"/signin", strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Forwarded-For", from)
	w, err := browser.Do(r)
	if err != nil {
		return 0, err
	}
	defer w.Body.Close()
	_, err = io.Copy(io.Discard, w.Body)
	if w.StatusCode == http.StatusTooManyRequests && w.Header.Get("Retry-After") == "" {
		return 0, fmt.Errorf("no Retry-After")
	}
	return w.StatusCode, err
}

// withoutCookies returns a browser without cookies.
func (v *visit) withoutCookies() *http.Client {
	transport := &http.Transport{MaxConnsPerHost: 64}
	v.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// attack makes n attempts at once and counts the responses by status.
func attack(t *testing.T, n int, attempt func(i int) (int, error)) map[int]int {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	count := map[int]int{}
	var failed []error
	for i := range n {
		all.Go(func() {
			status, err := attempt(i)
			mu.Lock()
			defer mu.Unlock()
			if count[status]++; err != nil {
				failed = append(failed, err)
			}
		})
	}
	all.Wait()
	require.Empty(t, failed)
	return count
}

// Of 150 concurrent attempts from different addresses, five are checked, whether the merchant exists or not.
func TestSignIn_ConcurrentGuessesGetFiveVerdicts(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.withPassword("203.0.113.1")
	browser := v.withoutCookies()
	for _, name := range []string{"shop", "nobody"} {
		got := attack(t, 150, func(i int) (int, error) {
			return v.guess(browser, name, "wrong password", "198.51.100."+strconv.Itoa(i))
		})
		require.Equal(t, map[int]int{401: 5, 429: 145}, got, name)
	}
	// The right password is not checked either from these addresses.
	status, err := v.guess(browser, "shop", password, "198.51.100.200")
	require.NoError(t, err)
	require.Equal(t, 429, status)
	v.later.Store(int64(6 * time.Minute))
	status, err = v.guess(browser, "shop", password, "198.51.100.200")
	require.NoError(t, err)
	require.Equal(t, 303, status, "after a while")
}

// The guesses of others lock out neither the owner's browser, at any address, nor another browser at the owner's
// address.
func TestSignIn_GuessesOfOthersDoNotLockOutTheOwner(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	const home = "203.0.113.1"
	v.withPassword(home)
	guesser := v.withoutCookies()
	got := attack(t, 100, func(i int) (int, error) {
		return v.guess(guesser, "shop", "wrong password", "198.51.100."+strconv.Itoa(i))
	})
	require.Equal(t, 5, got[401])
	u, err := url.Parse(v.base)
	require.NoError(t, err)
	device := v.client.Jar.Cookies(u)
	device = slices.DeleteFunc(device, func(c *http.Cookie) bool { return c.Name == "tonql_session" })
	require.Len(t, device, 1)
	carrying := func(cookies ...*http.Cookie) *http.Client {
		browser := v.withoutCookies()
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		jar.SetCookies(u, cookies)
		browser.Jar = jar
		return browser
	}
	for what, tc := range map[string]struct {
		browser *http.Client
		from    string
		want    int
	}{
		"the owner's browser at home":        {carrying(device...), home, 303},
		"the owner's browser elsewhere":      {carrying(device...), "192.0.2.1", 303},
		"another browser at home":            {v.withoutCookies(), home, 303},
		"another browser elsewhere":          {v.withoutCookies(), "192.0.2.2", 429},
		"a forged device":                    {carrying(&http.Cookie{Name: device[0].Name, Value: device[0].Value[:40] + "AAAA" + device[0].Value[44:], Path: "/"}), "192.0.2.3", 429},
		"a device of nonsense":               {carrying(&http.Cookie{Name: device[0].Name, Value: "%%%", Path: "/"}), "192.0.2.4", 429},
		"an address that all proxies report": {v.withoutCookies(), home + ", 192.0.2.5", 429},
	} {
		status, err := v.guess(tc.browser, "shop", password, tc.from)
		require.NoError(t, err, what)
		require.Equal(t, tc.want, status, what)
	}

	// Attempts from the owner's address lock the address, not the browser.
	for range 5 {
		status, err := v.guess(v.withoutCookies(), "shop", "wrong password", home)
		require.NoError(t, err)
		require.Equal(t, 401, status)
	}
	status, err := v.guess(v.withoutCookies(), "shop", password, home)
	require.NoError(t, err)
	require.Equal(t, 429, status)
	status, err = v.guess(carrying(device...), "shop", password, home)
	require.NoError(t, err)
	require.Equal(t, 303, status)

	// A browser's own guesses are limited, too; its cookie is of one merchant.
	got = attack(t, 50, func(int) (int, error) { return v.guess(carrying(device...), "shop", "wrong password", home) })
	require.Equal(t, map[int]int{401: 5, 429: 45}, got)
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))
	renamed := carrying(&http.Cookie{Name: device[0].Name[:len("tonql_device_")] + "d9298a10d1b07358", Value: device[0].Value, Path: "/"}) // of "other"
	got = attack(t, 60, func(i int) (int, error) {
		return v.guess(renamed, "other", "wrong password", "198.51.101."+strconv.Itoa(i))
	})
	require.Equal(t, 5, got[401])
}

// The addresses of one IPv6 network of 64 bits are one client.
func TestSignIn_IPv6NetworkIsOneClient(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	browser, tooLong := v.withoutCookies(), strings.Repeat("x", tooLongPassword)
	got := attack(t, 200, func(i int) (int, error) {
		return v.guess(browser, "name "+strconv.Itoa(i), tooLong, fmt.Sprintf("2001:db8::%x:%x", i, i))
	})
	require.Equal(t, map[int]int{401: 50, 429: 150}, got)
	status, err := v.guess(browser, "one more", tooLong, "2001:db8:0:1::1")
	require.NoError(t, err)
	require.Equal(t, 401, status, "another network")
}

// The body of a form without a session is bounded.
func TestSignIn_LargeFormIsRefused(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	for _, path := range []string{"/signin", "/link"} {
		for _, size := range []int{4 << 10, 1 << 20} {
			status, page := v.post(path, url.Values{"name": {strings.Repeat("n", size)}, "token": {"x"}})
			require.Equal(t, 413, status, path)
			require.Less(t, len(page), 8<<10)
		}
	}
	status, _ := v.post("/signin", url.Values{"name": {strings.Repeat("n", 3<<10)}, "password": {"wrong password"}})
	require.Equal(t, 401, status, "no name is so long")
	for _, hostile := range []string{"\x00", "shop\x00", "\xff\xfe", strings.Repeat("\xf0\x9f", 100), "sh\nop"} {
		status, _ = v.post("/signin", url.Values{"name": {hostile}, "password": {"\x00\xff"}}, "X-Forwarded-For", "192.0.2.9")
		require.Equal(t, 401, status, "%q", hostile)
	}
	status, page := v.get("/link?token=" + strings.Repeat("x", 100_000))
	require.Equal(t, 400, status)
	require.Less(t, len(page), 8<<10)
}

// A name that does not exist costs the hash of a password like one that does: the times are of one order.
func TestSignIn_UnknownNameTakesTheSameTime(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	v := newVisit(t, atFullCost)
	v.withPassword("203.0.113.1")
	_, phc, _, err := v.payments.Password(t.Context(), "devnet", "shop", chain.Hash{})
	require.NoError(t, err)
	require.Contains(t, phc, "$argon2id$v=19$m=65536,t=3,p=4$", "the second recommendation of RFC 9106")
	browser := v.withoutCookies()
	once := func(name, address string) time.Duration {
		began := time.Now()
		status, err := v.guess(browser, name, "wrong password", address)
		require.NoError(t, err)
		require.Equal(t, 401, status)
		return time.Since(began)
	}
	// By turns, until the fastest of each agree: without a hash, a name is a hundred times faster every time; on a busy machine, now and then.
	names := []string{"shop", "nobody", "no\x00body"}
	best := []time.Duration{time.Hour, time.Hour, time.Hour}
	for round := range 5 { // further guesses at a name are refused
		for i, name := range names {
			best[i] = min(best[i], once(name, fmt.Sprintf("198.51.%d.%d", 100+i, round)))
		}
		if slices.Max(best) < 5*slices.Min(best) {
			return
		}
	}
	t.Fatal("times differ: ", best)
}

// Guesses of the token of a link are limited like those of a password.
func TestLink_GuessesAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	got := attack(t, 200, func(i int) (int, error) {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, v.base+"/link", strings.NewReader("token="+strconv.Itoa(i)))
		if err != nil {
			return 0, err
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w, err := v.withoutCookies().Do(r)
		if err != nil {
			return 0, err
		}
		return w.StatusCode, w.Body.Close()
	})
	require.Equal(t, map[int]int{400: 50, 429: 150}, got)
}

// Requests with random sessions are limited by the address before the look-up; other addresses are not affected.
func TestSession_LookupsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	still := time.Now() // so that the buckets do not fill
	v := newVisit(t, func(o *dashboard.Options) {
		o.Limiter = access.New(nil, access.Options{Network: "devnet", Logger: o.Logger, Now: func() time.Time { return still }})
	})
	request := func(i int, from string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, v.base+"/payments", nil)
		if err != nil {
			return nil, err
		}
		r.AddCookie(&http.Cookie{Name: "tonql_session", Value: "random" + strconv.Itoa(i)})
		r.Header.Set("X-Forwarded-For", from)
		return v.withoutCookies().Do(r)
	}
	got := attack(t, 100, func(i int) (int, error) {
		w, err := request(i, "198.51.100.7")
		if err != nil {
			return 0, err
		}
		if w.StatusCode == http.StatusTooManyRequests && w.Header.Get("Retry-After") == "" {
			return 0, errors.New("no Retry-After")
		}
		return w.StatusCode, w.Body.Close()
	})
	require.Equal(t, map[int]int{303: 20, 429: 80}, got)
	w, err := request(0, "203.0.113.9")
	require.NoError(t, err)
	require.NoError(t, w.Body.Close())
	require.Equal(t, http.StatusSeeOther, w.StatusCode)
}

// 40 concurrent forms create as many keys and endpoints as are allowed.
func TestForms_ConcurrentFormsKeepTheLimits(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	v.signIn()
	_, page := v.get("/account")
	m := token.FindStringSubmatch(page)
	require.NotNil(t, m)
	csrf := strings.ReplaceAll(m[1], "&#43;", "+")
	send := func(path string, form url.Values) (int, error) {
		form.Set("csrf", csrf)
		r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, v.base+path, strings.NewReader(form.Encode()))
		if err != nil {
			return 0, err
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w, err := v.client.Do(r)
		if err != nil {
			return 0, err
		}
		return w.StatusCode, w.Body.Close()
	}
	require.Equal(t, map[int]int{200: 20, 400: 20}, attack(t, 40, func(i int) (int, error) {
		return send("/keys", url.Values{"label": {"key " + strconv.Itoa(i)}})
	}))
	keys, err := v.payments.MerchantKeys(t.Context(), v.merchant.ID)
	require.NoError(t, err)
	require.Len(t, keys, 20)
	require.Equal(t, map[int]int{200: 1, 400: 19}, attack(t, 20, func(int) (int, error) {
		return send("/webhooks", url.Values{"url": {"https://same.example/"}})
	}))
	require.Equal(t, map[int]int{200: 9, 400: 31}, attack(t, 40, func(i int) (int, error) {
		return send("/webhooks", url.Values{"url": {"https://" + strconv.Itoa(i) + ".example/"}})
	}))
	endpoints, err := v.payments.Endpoints(t.Context(), v.merchant.ID)
	require.NoError(t, err)
	require.Len(t, endpoints, 10)
	// Removing one allows another; the address of another endpoint cannot be used.
	status, err := send("/webhooks/"+strconv.FormatInt(endpoints[1].ID, 10), url.Values{"url": {endpoints[0].URL}, "enabled": {"1"}})
	require.NoError(t, err)
	require.Equal(t, 400, status)
	status, err = send("/webhooks/"+strconv.FormatInt(endpoints[0].ID, 10)+"/remove", url.Values{})
	require.NoError(t, err)
	require.Equal(t, 200, status)
	status, err = send("/webhooks", url.Values{"url": {endpoints[0].URL}})
	require.NoError(t, err)
	require.Equal(t, 200, status)
	status, err = send("/keys/revoke", url.Values{"id": {strconv.FormatInt(keys[0].ID, 10)}})
	require.NoError(t, err)
	require.Equal(t, 200, status)
	status, err = send("/keys", url.Values{"label": {"new"}})
	require.NoError(t, err)
	require.Equal(t, 200, status)
	// Ended ones leave rows, so their number is limited in time.
	sum := map[int]int{}
	for range 5 { // an account has 40 requests at once
		for status, n := range attack(t, 20, func(int) (int, error) { return send("/keys", url.Values{"label": {"again"}}) }) {
			sum[status] += n
		}
	}
	require.Equal(t, map[int]int{400: 59, 429: 41}, sum)
}

// Requests of one merchant that take long, here for ever, leave connections for the others.
func TestSession_SlowRequestsOfOneMerchantDelayNoOther(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	cookie := func(merchant int64) *http.Cookie {
		session := payment.NewToken()
		require.NoError(t, v.payments.OpenSession(t.Context(), payment.HashOf(session), merchant, false, time.Minute))
		return &http.Cookie{Name: "tonql_session", Value: session}
	}
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))
	slow, quick := cookie(v.merchant.ID), cookie(other.ID)
	request := func(ctx context.Context, path string, with *http.Cookie) (int, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+path, nil)
		if err != nil {
			return 0, err
		}
		r.AddCookie(with)
		w, err := v.withoutCookies().Do(r)
		if err != nil {
			return 0, err
		}
		return w.StatusCode, w.Body.Close()
	}
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	lock, err := handle.BeginTx(context.Background(), nil)
	require.NoError(t, err)
	_, err = lock.ExecContext(t.Context(), `LOCK TABLE payments IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() { _, _ = request(ctx, "/payments", slow) })
	}
	t.Cleanup(func() { cancel(); require.NoError(t, lock.Rollback()); all.Wait() })
	require.Eventually(t, func() bool { // requests of the one merchant wait in the database
		var n int
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&n))
		return n >= 1
	}, 20*time.Second, 10*time.Millisecond)
	time.Sleep(500 * time.Millisecond) // the others arrive
	for range 5 {
		soon, stop := context.WithTimeout(t.Context(), 10*time.Second)
		status, err := request(soon, "/keys", quick)
		stop()
		require.NoError(t, err)
		require.Equal(t, 200, status)
	}
}

// A merchant who signs in all the time, from many addresses and with the right password, does not keep another one from signing in.
func TestSignIn_OneMerchantLeavesPlacesForOthers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	v := newVisit(t, atFullCost)
	v.withPassword("203.0.113.1")
	for i := range 40 {
		require.NoError(t, v.payments.RememberAddress(t.Context(), v.merchant.ID, payment.HashOf("address 198.51.100."+strconv.Itoa(i))))
	}
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, v.payments.CreateMerchant(t.Context(), other))
	require.NoError(t, v.payments.RememberAddress(t.Context(), other.ID, payment.HashOf("address 203.0.113.2")))
	busy := make(chan struct{}, 200)
	var verdict atomic.Int64
	got := attack(t, 201, func(i int) (int, error) {
		if i == 200 {
			<-busy // the first one that is refused: what the merchant may have is in use
			status, err := v.guess(v.withoutCookies(), "other", "wrong password", "203.0.113.2")
			verdict.Store(int64(status))
			return status, err
		}
		status, err := v.guess(v.withoutCookies(), "shop", password, "198.51.100."+strconv.Itoa(i%40))
		if status == 503 {
			busy <- struct{}{}
		}
		return status, err
	})
	require.Equal(t, int64(401), verdict.Load(), "the password is checked")
	require.Positive(t, got[303])
	require.Positive(t, got[503])
}

// deaf is a client that receives nothing until it is closed.
type deaf struct {
	*httptest.ResponseRecorder

	writes, closed chan struct{}
}

func (d deaf) Write(p []byte) (int, error) {
	d.writes <- struct{}{}
	<-d.closed
	return len(p), nil
}

// Members who download exports slowly, or send many requests, leave the pages to the other members of the merchant.
func TestSession_MembersLeaveSlotsForOthers(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	session := func(name string) *http.Cookie {
		id, err := v.payments.CreateMember(t.Context(), v.merchant.ID, name, payment.RoleViewer)
		require.NoError(t, err)
		token := "m." + payment.NewToken()
		require.NoError(t, v.payments.OpenMemberSession(t.Context(), payment.HashOf(token), &payment.Member{ID: id, Merchant: v.merchant.ID}, false, time.Minute))
		return &http.Cookie{Name: "tonql_session", Value: token}
	}
	var pending sync.WaitGroup
	closed := make(chan struct{})
	for i := range 4 {
		d := deaf{httptest.NewRecorder(), make(chan struct{}, 10), closed}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, dashboard.Prefix+"/payments.csv", nil)
		r.AddCookie(session("slow " + strconv.Itoa(i)))
		pending.Go(func() { v.pages.ServeHTTP(d, r) })
		<-d.writes
	}
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	lock, err := handle.BeginTx(context.Background(), nil)
	require.NoError(t, err)
	_, err = lock.ExecContext(t.Context(), `LOCK TABLE payments IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	many, ctx := session("many"), t.Context()
	for range 60 {
		pending.Go(func() {
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, dashboard.Prefix+"/payments", nil)
			r.AddCookie(many)
			v.pages.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
	t.Cleanup(func() { close(closed); require.NoError(t, lock.Rollback()); pending.Wait() })
	quick := session("quick")
	for range 10 {
		soon, stop := context.WithTimeout(t.Context(), 10*time.Second)
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(soon, http.MethodGet, dashboard.Prefix+"/webhooks", nil)
		r.AddCookie(quick)
		v.pages.ServeHTTP(w, r)
		stop()
		require.Equal(t, 200, w.Code)
	}
}
