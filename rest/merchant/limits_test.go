package merchant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
	"tonql/rest/merchant"
)

// A member of another type is named, as what was expected is, without names of Go.
func TestCreateTransfer_MembersOfAnotherTypeAreNamed(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	for body, want := range map[string]string{
		`{"recipientAddr":5}`:              "recipientAddr: expected a string, not a number",
		`{"recipientAddr":"x","asset":[]}`: "asset: expected a string, not an array",
		`[]`:                               "expected an object, not an array",
		`{"recipientAddr":`:                "the request body is not JSON: unexpected end of JSON input",
	} {
		resp, err := s.client.Post(s.base+"/create-transfer", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Contains(t, string(text), want, body)
	}
}

func TestMain(m *testing.M) { testdb.Main(m) }

// shop is the API of merchants on a new database, behind a trusted proxy.
type shop struct {
	t        *testing.T
	db       *store.DB
	payments *payments.Store
	merchant *payment.Merchant
	base     string
	client   *http.Client
	later    atomic.Int64 // how far the API's clock is ahead
}

// newShop starts the API. The limiter's clock is fixed, so that its buckets do not fill while a test runs.
func newShop(t *testing.T, change func(*merchant.Options)) *shop {
	t.Helper()
	db := testdb.New(t)
	s := &shop{t: t, db: db, payments: db.Payments(), merchant: &payment.Merchant{Name: "shop", Network: "devnet"}}
	require.NoError(t, s.payments.CreateMerchant(t.Context(), s.merchant))
	still, silent := time.Now(), slog.New(slog.DiscardHandler)
	o := merchant.Options{
		Payments: s.payments, Network: "devnet", TestOnly: true, Logger: silent, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Limiter: access.New(db.Access(), access.Options{Network: "devnet", Logger: silent, Now: func() time.Time { return still }}),
		KeyRate: merchant.DefaultKeyRate, AddressRate: merchant.DefaultAddressRate,
		Now: func() time.Time { return time.Now().Add(time.Duration(s.later.Load())) },
	}
	if change != nil {
		change(&o)
	}
	server := httptest.NewServer(merchant.New(o, nil))
	transport := &http.Transport{MaxConnsPerHost: 100}
	t.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	s.base, s.client = server.URL+merchant.Prefix, &http.Client{Transport: transport}
	return s
}

func (s *shop) newKey() string {
	s.t.Helper()
	key, hash, hint := payment.NewKey()
	_, err := s.payments.CreateMerchantKey(s.t.Context(), s.merchant.ID, hash, hint, "web")
	require.NoError(s.t, err)
	return key
}

// do sends a request from an address.
func (s *shop) do(method, path, body, key, from string) (*http.Response, string) {
	r, err := http.NewRequestWithContext(context.Background(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err.Error()
	}
	if key != "" {
		r.Header.Set("X-Api-Key", key)
	}
	r.Header.Set("X-Forwarded-For", from)
	w, err := s.client.Do(r)
	if err != nil {
		return nil, err.Error()
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return nil, err.Error()
	}
	return w, string(text)
}

const order = `{"amount":1.5,"asset":"TON","senderAddr":"0:0000000000000000000000000000000000000000000000000000000000000001",
	"recipientAddr":"0:0000000000000000000000000000000000000000000000000000000000000002","commentToSender":"secret","commentToRecipient":"order 7"}`

// attack sends n concurrent requests and counts the responses by status. Each 429 must have Retry-After.
func (s *shop) attack(n int, send func(i int) (*http.Response, string)) map[int]int {
	s.t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	count, wrong := map[int]int{}, []string{}
	for i := range n {
		all.Go(func() {
			w, text := send(i)
			mu.Lock()
			defer mu.Unlock()
			if w == nil {
				wrong = append(wrong, text)
				return
			}
			count[w.StatusCode]++
			if seconds, err := strconv.Atoi(w.Header.Get("Retry-After")); w.StatusCode == http.StatusTooManyRequests && (err != nil || seconds < 1 || !strings.Contains(text, `"code":429`)) {
				wrong = append(wrong, text)
			}
		})
	}
	all.Wait()
	require.Empty(s.t, wrong)
	return count
}

func (s *shop) stored() (n int) {
	s.t.Helper()
	handle := s.db.SQLDB()
	defer func() { require.NoError(s.t, handle.Close()) }()
	require.NoError(s.t, handle.QueryRowContext(s.t.Context(), `SELECT count(*) FROM payments`).Scan(&n))
	return n
}

func (s *shop) exec(statement string) {
	s.t.Helper()
	handle := s.db.SQLDB()
	defer func() { require.NoError(s.t, handle.Close()) }()
	_, err := handle.ExecContext(s.t.Context(), statement)
	require.NoError(s.t, err)
}

// 300 concurrent registrations with a valid key: from one address, from one IPv6 network, from different addresses.
func TestCreateTransfer_ConcurrentRequestsAreLimited(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		from  func(i int) string
		admit int
	}{
		{"one address", func(int) string { return "198.51.100.7" }, merchant.DefaultAddressRate},
		{"one IPv6 network", func(i int) string { return fmt.Sprintf("2001:db8:0:1::%x", i+1) }, merchant.DefaultAddressRate},
		{"everywhere", func(i int) string { return fmt.Sprintf("198.51.%d.%d", 100+i/200, i%200) }, merchant.DefaultKeyRate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, nil)
			key := s.newKey()
			got := s.attack(300, func(i int) (*http.Response, string) {
				return s.do(http.MethodPost, "/create-transfer", order, key, tc.from(i))
			})
			require.Equal(t, map[int]int{200: tc.admit, 429: 300 - tc.admit}, got)
			require.Equal(t, tc.admit, s.stored())
			// Another key has another bucket.
			other, text := s.do(http.MethodPost, "/create-transfer", order, s.newKey(), "203.0.113.1")
			require.Equal(t, 200, other.StatusCode, text)
			require.Equal(t, `"merchant-key";q=25;w=1`, other.Header.Get("RateLimit-Policy"))
		})
	}
}

// Random keys are limited by the address before they are looked up.
func TestAdmit_UnknownKeysAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	got := s.attack(100, func(i int) (*http.Response, string) {
		return s.do(http.MethodGet, "/transfer?reference=x", "", "tqpay_"+strconv.Itoa(i), "198.51.100.7")
	})
	require.Equal(t, map[int]int{401: merchant.DefaultAddressRate, 429: 90}, got)
}

// Open registrations are bounded by merchant, and by key so that a key in the code of a page cannot use up all of them.
func TestCreateTransfer_OpenRegistrationsAreBounded(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(o *merchant.Options) { o.Limiter = nil })
	s.exec(`UPDATE merchants SET max_open = 20`)
	attack := func(key string) map[int]int {
		return s.attack(100, func(int) (*http.Response, string) { return s.do(http.MethodPost, "/create-transfer", order, key, "") })
	}
	first := s.newKey()
	require.Equal(t, map[int]int{200: 10, 429: 90}, attack(first))
	require.Equal(t, map[int]int{200: 10, 429: 90}, attack(s.newKey()))
	require.Equal(t, map[int]int{429: 100}, attack(s.newKey()))
	require.Equal(t, 20, s.stored())
	_, text := s.do(http.MethodPost, "/create-transfer", order, s.newKey(), "")
	require.Contains(t, text, "20 open registrations")

	// Without a key nothing is stored; another merchant is not affected.
	w, text := s.do(http.MethodPost, "/create-transfer", order, "", "")
	require.Equal(t, 200, w.StatusCode, text)
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, s.payments.CreateMerchant(t.Context(), other))
	mine := s.merchant
	s.merchant = other
	w, text = s.do(http.MethodPost, "/create-transfer", order, s.newKey(), "")
	require.Equal(t, 200, w.StatusCode, text)
	s.merchant = mine

	// A paid or expired registration is no longer open.
	s.exec(`UPDATE payments SET status = 1 WHERE reference = (SELECT min(reference) FROM payments p JOIN merchants m ON m.id = p.merchant_id
		JOIN merchant_keys k ON k.id = p.key_id WHERE m.name = 'shop' AND k.id = (SELECT min(id) FROM merchant_keys))`)
	require.Equal(t, map[int]int{200: 1, 429: 99}, attack(first))
	s.later.Store(int64(61 * time.Minute))
	require.Equal(t, map[int]int{200: 10, 429: 90}, attack(first))
}

// Fields that are not on the chain are returned to the owner only.
func TestTransfer_CommentToSenderIsForTheOwner(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(o *merchant.Options) { o.Limiter = nil })
	key := s.newKey()
	w, text := s.do(http.MethodPost, "/create-transfer", order, key, "")
	require.Equal(t, 200, w.StatusCode, text)
	require.NotContains(t, text, "secret")
	var made struct{ Reference, BodyBase64Hash string }
	require.NoError(t, json.Unmarshal([]byte(text), &made))
	other := &payment.Merchant{Name: "other", Network: "devnet"}
	require.NoError(t, s.payments.CreateMerchant(t.Context(), other))
	mine := s.merchant
	s.merchant = other
	theirs := s.newKey()
	s.merchant = mine
	for _, path := range []string{
		"/transfer?reference=" + made.Reference, "/transfer?bodyHash=" + url.QueryEscape(made.BodyBase64Hash), "/transfer?bodyHash=" + made.BodyBase64Hash,
	} {
		w, text = s.do(http.MethodGet, path, "", "", "")
		require.Equal(t, 200, w.StatusCode, path)
		require.NotContains(t, text, "secret", path)
		require.NotContains(t, text, "commentToSender", path)
		require.Contains(t, text, `"commentToRecipient":"order 7"`, path)
		w, text = s.do(http.MethodGet, path, "", key, "")
		require.Equal(t, 200, w.StatusCode, path)
		require.Contains(t, text, `"commentToSender":"secret"`, path)
		w, text = s.do(http.MethodGet, path, "", theirs, "")
		require.Equal(t, 404, w.StatusCode, path)
		require.NotContains(t, text, "secret", path)
		w, text = s.do(http.MethodGet, path, "", "tqpay_unknown", "")
		require.Equal(t, 401, w.StatusCode, path)
		require.NotContains(t, text, "secret", path)
	}
}
