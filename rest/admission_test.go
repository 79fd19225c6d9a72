package rest_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
)

// newLimitedRouter returns a router behind a limiter on the database.
func newLimitedRouter(t *testing.T, o access.Options, log *slog.Logger, db *store.DB) http.Handler {
	t.Helper()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	o.Logger = log
	return rest.New(rest.Options{
		Service: resolvers.New(db.Reader(), nil, resolvers.Options{}), GraphQL: echo("graphql"), Streaming: echo("streaming"), Playground: echo("playground"),
		Logger: log, Limiter: access.New(db.Access(), o), Proxies: proxies,
	})
}

func newKey(t *testing.T, db *store.DB, o access.Order) (int64, string) {
	t.Helper()
	secret, hash, hint := access.NewSecret()
	k, err := db.Access().CreateKey(t.Context(), o, hash, hint)
	require.NoError(t, err)
	return k.ID, secret
}

// apis has one path of each API.
var apis = []struct{ name, path, limited, unknown, foreign string }{
	{
		"v2", "/api/v2/getMasterchainInfo",
		`{"ok":false,"error":"Ratelimit exceed","result":"Ratelimit exceed","code":429}`,
		`{"ok":false,"error":"API key does not exist","result":"API key does not exist","code":401}`,
		`{"ok":false,"error":"Network not allowed","result":"Network not allowed","code":403}`,
	},
	{
		"JSON-RPC", "/api/v2/jsonRPC",
		`{"ok":false,"error":"Ratelimit exceed","result":"Ratelimit exceed","code":429,"jsonrpc":"2.0"}`,
		`{"ok":false,"error":"API key does not exist","result":"API key does not exist","code":401,"jsonrpc":"2.0"}`,
		`{"ok":false,"error":"Network not allowed","result":"Network not allowed","code":403,"jsonrpc":"2.0"}`,
	},
	{
		"streaming", "/streaming/v2/sse",
		`{"ok":false,"error":"Ratelimit exceed","result":"Ratelimit exceed","code":429}`,
		`{"ok":false,"error":"API key does not exist","result":"API key does not exist","code":401}`,
		`{"ok":false,"error":"Network not allowed","result":"Network not allowed","code":403}`,
	},
	{
		"v3", "/api/v3/masterchainInfo",
		`{"ok":false,"error":"Ratelimit exceed","result":"Ratelimit exceed","code":429}`,
		`{"error":"API key does not exist","code":401}`, `{"error":"Network not allowed","code":403}`,
	},
	{
		"GraphQL", "/graphql?query={__typename}",
		`{"errors":[{"message":"Ratelimit exceed","extensions":{"code":"RATE_LIMITED"}}]}`,
		`{"errors":[{"message":"API key does not exist","extensions":{"code":"UNAUTHENTICATED"}}]}`,
		`{"errors":[{"message":"Network not allowed","extensions":{"code":"FORBIDDEN"}}]}`,
	},
}

func TestAdmission_RefusalsHaveTheFormatOfTheAPI(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	_, foreign := newKey(t, db, access.Order{Owner: "alice", Network: "testnet"})
	for i, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			t.Parallel()
			// Each request is from another client: 192.0.2.1 is httptest's, the others come through a proxy.
			h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
			_, own := newKey(t, db, access.Order{Owner: "owner " + api.name, Network: "mainnet"})

			method, body := http.MethodGet, ""
			if strings.HasSuffix(api.path, "/jsonRPC") {
				method, body = http.MethodPost, `{"method":"getMasterchainInfo"}`
			}

			w := do(h, method, api.path, body)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			require.Equal(t, `"anonymous";q=1;w=1`, w.Header().Get("RateLimit-Policy"))
			w = do(h, method, api.path, body)
			require.Equal(t, http.StatusTooManyRequests, w.Code)
			require.Equal(t, api.limited, w.Body.String())
			require.Equal(t, "1", w.Header().Get("Retry-After"))
			require.Equal(t, `"anonymous";r=0;t=1`, w.Header().Get("RateLimit"))

			w = do(h, method, api.path, body, "X-API-Key", own)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			require.Equal(t, `"free";q=10;w=1`, w.Header().Get("RateLimit-Policy"))
			require.Equal(t, `"free";r=9;t=1`, w.Header().Get("RateLimit"))
			sign := "?"
			if strings.Contains(api.path, "?") {
				sign = "&"
			}
			require.Equal(t, http.StatusOK, do(h, method, api.path+sign+"api_key="+own, body).Code)

			w = do(h, method, api.path, body, "X-API-Key", foreign)
			require.Equal(t, http.StatusForbidden, w.Code)
			require.Equal(t, api.foreign, w.Body.String())

			other := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
			w = do(other, method, api.path+sign+"api_key=nobody"+string(rune('a'+i)), body)
			require.Equal(t, http.StatusUnauthorized, w.Code)
			require.Equal(t, api.unknown, w.Body.String())
			require.True(t, json.Valid(w.Body.Bytes()))
		})
	}
}

// Emulation responds as /api/v3, of whose package it is.
func TestAdmission_RefusalsOfEmulationHaveTheFormatOfV3(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	for _, path := range []string{"/api/emulate/v1/emulateTrace", "/api/emulate/v1/emulateTonConnect"} {
		h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
		w := do(h, http.MethodPost, path, "{}", "X-API-Key", "nobody of "+path)
		require.Equal(t, http.StatusUnauthorized, w.Code)
		require.JSONEq(t, `{"error":"API key does not exist","code":401}`, w.Body.String())
		h = newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
		require.NotEqual(t, http.StatusTooManyRequests, do(h, http.MethodPost, path, "{}").Code)
		w = do(h, http.MethodPost, path, "{}")
		require.Equal(t, http.StatusTooManyRequests, w.Code)
		require.JSONEq(t, `{"ok":false,"error":"Ratelimit exceed","result":"Ratelimit exceed","code":429}`, w.Body.String())
	}
}

func TestAdmission_MisspeltKeyNameGetsAHint(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	h := newLimitedRouter(t, access.Options{Network: "devnet"}, slog.New(slog.DiscardHandler), db)
	for _, query := range []string{"?apiKey=abc", "?APIKEY=abc", "?api-key=abc", "?limit=1&x_api_key=abc"} {
		w := do(h, http.MethodGet, "/api/v3/masterchainInfo"+query, "")
		require.Equal(t, http.StatusOK, w.Code)
		require.Contains(t, w.Header().Get("X-API-Key-Hint"), "header X-API-Key or the parameter api_key", query)
	}
	require.Contains(t, do(h, http.MethodGet, "/api/v2/getMasterchainInfo", "", "Authorization", "Bearer abc").Header().Get("X-API-Key-Hint"), "Authorization")
	require.Empty(t, do(h, http.MethodGet, "/api/v3/masterchainInfo?monkey=1", "").Header().Get("X-API-Key-Hint"))
}

// Clients of TonAPI, which has the streaming API at the paths without /api, send the key as a token.
func TestAdmission_StreamingReadsTokensOfTonAPI(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	_, own := newKey(t, db, access.Order{Owner: "o", Network: "devnet", Plan: access.Plans[1]})
	h := newLimitedRouter(t, access.Options{Network: "devnet", WithoutKey: 10}, slog.New(slog.DiscardHandler), db)
	policy := func(target string, header ...string) (int, string) {
		w := do(h, http.MethodPost, target, "", header...)
		return w.Code, w.Header().Get("RateLimit-Policy")
	}
	for _, path := range []string{"/streaming/v2/sse", "/api/streaming/v2/sse"} {
		for name, sent := range map[string]func() (int, string){
			"parameter": func() (int, string) { return policy(path + "?token=" + own) },
			"bearer":    func() (int, string) { return policy(path, "Authorization", "bearer "+own) },
		} {
			code, used := sent()
			require.Equal(t, http.StatusOK, code, name)
			require.Contains(t, used, `"plus"`, name)
		}
		code, _ := policy(path + "?token=" + own + "x")
		require.Equal(t, http.StatusUnauthorized, code, "a key that does not exist")
	}
	code, used := policy("/streaming/v2/sse?token=of-another-service", "Authorization", "Bearer eyJhbGciOi.of.aProxy")
	require.Equal(t, http.StatusOK, code)
	require.NotContains(t, used, `"plus"`)
	w := do(h, http.MethodGet, "/api/v3/masterchainInfo?token="+own, "", "Authorization", "Bearer "+own)
	require.NotContains(t, w.Header().Get("RateLimit-Policy"), `"plus"`, "other APIs have one way")
}

func TestAdmission_ClientsBehindAProxyAreSeparate(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
	from := func(peer, forwarded string) int {
		r := httptest.NewRequest(http.MethodGet, "/api/v3/masterchainInfo", nil)
		r.RemoteAddr = peer
		r.Header.Set("X-Forwarded-For", forwarded)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	require.Equal(t, http.StatusOK, from("10.0.0.1:80", "198.51.100.1"))
	require.Equal(t, http.StatusOK, from("10.0.0.1:80", "198.51.100.2"))
	require.Equal(t, http.StatusTooManyRequests, from("10.0.0.2:80", "5.5.5.5, 198.51.100.1"))
	require.Equal(t, http.StatusOK, from("203.0.113.9:80", "198.51.100.3"))
	require.Equal(t, http.StatusTooManyRequests, from("203.0.113.9:80", "198.51.100.4"), "an untrusted client cannot choose its address")
}

func TestAdmission_PagesAndHealthAreNotLimited(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1}, slog.New(slog.DiscardHandler), db)
	for range 5 {
		for _, path := range []string{"/", "/healthz", "/readyz", "/metrics", "/playground"} {
			require.Equal(t, http.StatusOK, do(h, http.MethodGet, path, "").Code, path)
		}
	}
}

func TestAdmission_RevokedKeyIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1000}, slog.New(slog.DiscardHandler), db)
	id, secret := newKey(t, db, access.Order{Owner: "alice", Network: "mainnet"})
	request := func() int { return do(h, http.MethodGet, "/api/v3/masterchainInfo", "", "X-API-Key", secret).Code }
	require.Equal(t, http.StatusOK, request())
	require.NoError(t, db.Access().ExpireKey(t.Context(), id, 0))
	revoked := time.Now()
	require.Eventually(t, func() bool { return request() == http.StatusUnauthorized }, time.Minute, 50*time.Millisecond)
	require.Less(t, time.Since(revoked), pacetest.Slow*time.Second)
}

func TestLogs_ContainNoKey(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	var text bytes.Buffer
	var mu sync.Mutex
	log := slog.New(slog.NewTextHandler(locked{&mu, &text}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h := newLimitedRouter(t, access.Options{Network: "mainnet", WithoutKey: 1000}, log, db)
	_, secret := newKey(t, db, access.Order{Owner: "alice", Network: "mainnet"})
	for _, path := range []string{"/api/v3/masterchainInfo", "/api/v3/nothing", "/api/v2/getAddressInformation", "/api/emulate/v1/emulateTrace", "/api/streaming/v2/ws", "/graphql"} {
		do(h, http.MethodGet, path, "", "X-API-Key", secret)
		do(h, http.MethodGet, path+"?api_key="+secret+"&apiKey="+secret, "")
		do(h, http.MethodGet, path+"?api_key=wrong"+secret, "")
	}
	do(h, http.MethodGet, "/metrics", "")
	require.NotEmpty(t, text.String())
	require.NotContains(t, text.String(), secret)
	require.NotContains(t, do(h, http.MethodGet, "/metrics", "").Body.String(), secret)
}

// locked is a buffer that several goroutines may write.
type locked struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// TestAdmission_SharedRateHolds sends requests with two keys of one owner to two gateways on one database, for 30
// seconds of real time.
func TestAdmission_SharedRateHolds(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("it takes 30 seconds of real time")
	}
	db := testdb.New(t)
	write(t, db, 7)
	plus := access.Plans[1]
	_, one := newKey(t, db, access.Order{Owner: "alice", Network: "mainnet", Plan: plus})
	_, other := newKey(t, db, access.Order{Owner: "alice", Network: "mainnet"})
	shared := access.Options{Network: "mainnet", Shared: true}
	gateways := []http.Handler{
		newLimitedRouter(t, shared, slog.New(slog.DiscardHandler), db), newLimitedRouter(t, shared, slog.New(slog.DiscardHandler), db),
	}
	const span, step = 30 * time.Second, 20 * time.Millisecond
	var passed, refused atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for _, g := range gateways {
		for _, secret := range []string{one, other} {
			wg.Go(func() {
				tick := time.NewTicker(step)
				defer tick.Stop()
				for range tick.C {
					if time.Since(start) >= span {
						return
					}
					switch code := do(g, http.MethodGet, "/api/v3/masterchainInfo", "", "X-API-Key", secret).Code; code {
					case http.StatusOK:
						passed.Add(1)
					case http.StatusTooManyRequests:
						refused.Add(1)
					default:
						t.Errorf("status %d", code)
					}
				}
			})
		}
	}
	wg.Wait()
	require.InEpsilon(t, plus.Rate*span.Seconds(), passed.Load(), 0.05)
	require.Positive(t, refused.Load())
}
