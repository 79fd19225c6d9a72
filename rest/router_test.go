package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/explorer"
)

func TestMain(m *testing.M) { testdb.Main(m) }

func echo(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var tooBig *http.MaxBytesError
		if errors.As(err, &tooBig) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		_, _ = w.Write([]byte(text + string(body)))
	})
}

// router returns the complete router on an index with masterchain blocks of these seqnos.
func router(t *testing.T, change func(*rest.Options), seqnos ...uint32) http.Handler {
	t.Helper()
	db := testdb.New(t)
	for _, seqno := range seqnos {
		write(t, db, seqno)
	}
	opts := rest.Options{
		Service: resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test<net>"}),
		GraphQL: echo("graphql"), Playground: echo("playground"), Version: "1.2.3",
		Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&opts)
	}
	return rest.New(opts)
}

func write(t *testing.T, db *store.DB, seqno uint32) {
	t.Helper()
	id := chain.BlockIDExt{BlockID: chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: seqno}, RootHash: chain.Hash{byte(seqno)}}
	require.NoError(t, db.Writer().Apply(t.Context(), &chain.MasterBlock{
		Block: chain.Block{BlockIDExt: id, McSeqno: seqno, GenUtime: uint32(time.Now().Unix()) - 5},
	}))
}

func do(h http.Handler, method, path string, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A person who opens a path that does not exist gets a page with links, without anything of the request; programs get JSON.
func TestRouter_UnknownPathsArePagesForBrowsers(t *testing.T) {
	t.Parallel()
	h := router(t, nil, 7)
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	w := do(h, "GET", "/explore/%3Cscript%3Ehello", "", "Accept", browser)
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.Contains(t, w.Body.String(), `href="/explorer"`)
	require.NotContains(t, w.Body.String(), "hello")
	for _, c := range [][]string{{"GET", "/explore", "*/*"}, {"GET", "/explore", ""}, {"POST", "/explore", browser}, {"GET", "/api/nothing", browser}} {
		w := do(h, c[0], c[1], "", "Accept", c[2])
		require.Equal(t, http.StatusNotFound, w.Code, c)
		require.Contains(t, w.Header().Get("Content-Type"), "application/json", c)
	}
}

func TestRouter_ServesEveryRoute(t *testing.T) {
	t.Parallel()
	h := router(t, nil, 7)
	for _, c := range []struct {
		method, path string
		status       int
		contains     string
	}{
		{"GET", "/api/v3/masterchainInfo", 200, `"seqno":7`},
		{"GET", "/API/V3/MasterchainInfo/", 200, `"seqno":7`},
		{"GET", "/api/v3/nothing", 404, `"code":404`},
		{"POST", "/api/v3/masterchainInfo", 405, `"code":405`},
		{"GET", "/api/v2/getMasterchainInfo", 200, `{"ok":true,"result":{"@type":"blocks.masterchainInfo"`},
		{"GET", "/api/v2/getOutMsgQueueSize", 542, `{"ok":false,"error":"`},
		{"GET", "/api/emulate/v1/emulateTrace", 405, `{"error":"method`},
		{"POST", "/api/emulate/v1/emulateTrace", 422, `{"error":"`},
		{"POST", "/api/emulate/v1/emulateTonConnect", 422, `{"error":"`},
		{"POST", "/api/emulate/v1/emulatetrac", 404, `did you mean /api/emulate/v1/emulateTrace?`},
		{"GET", "/api/emulate/", 200, "emulateTrace"},
		{"GET", "/api/emulate/openapi.json", 200, `"title":"tonql /api/emulate"`},
		{"GET", "/api/v2/", 200, "getMasterchainInfo"},
		{"GET", "/api/v2/openapi.json", 200, `"title":"tonql /api/v2"`},
		{"POST", "/graphql", 200, "graphql"},
		{"GET", "/playground", 200, "playground"},
		{"GET", "/playground/x.js", 200, "playground"},
		{"GET", "/healthz", 200, "OK"},
		{"GET", "/healthcheck", 200, "OK"},
		{"GET", "/api/v2/healthcheck", 200, ""},
		{"GET", "/readyz", 200, `"ready":true`},
		{"GET", "/metrics", 200, "tonql_served_seqno 7"},
		{"GET", "/", 200, "<title>tonql"},
		{"GET", "/nothing", 404, `"code":404`},
		{"GET", "/api/v3/blocks?x=" + strings.Repeat("y", 300<<10), 414, `"code":414`},
	} {
		w := do(h, c.method, c.path, "")
		require.Equal(t, c.status, w.Code, "%s %.60s: %.300s", c.method, c.path, w.Body)
		require.Contains(t, w.Body.String(), c.contains, c.path)
		require.NotEmpty(t, w.Header().Get("X-Request-Id"), c.path)
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), c.path)
	}
	require.Equal(t, http.StatusRequestEntityTooLarge, do(h, "POST", "/graphql", strings.Repeat("x", 5<<20)).Code)
	metrics := do(h, "GET", "/metrics", "").Body.String()
	require.Contains(t, metrics, `tonql_http_requests_total{method="GET",route="/api/v3/masterchainInfo",status="200"} 2`)
	require.Contains(t, metrics, `tonql_http_requests_total{method="GET",route="/api/v3/*",status="404"} 1`)
	require.NotContains(t, metrics, "/nothing")
}

// The landing page shows the state of the service, escapes it, loads nothing from other hosts, and its links work.
// Many ranges of a byte would make a response of a hundred times the page.
func TestRouter_SeveralRangesReceiveThePage(t *testing.T) {
	t.Parallel()
	h := router(t, func(o *rest.Options) { o.Explorer = explorer.New(explorer.Options{}) }, 7)
	for _, path := range []string{"/explorer", "/explorer/app.js", "/docs/", "/api/v3/openapi.json"} {
		page := do(h, "GET", path, "")
		require.Equal(t, http.StatusOK, page.Code, path)
		several := do(h, "GET", path, "", "Range", "bytes=0-0,"+strings.Repeat("1-1,", 1000)+"2-2")
		require.Equal(t, http.StatusOK, several.Code, path)
		require.Equal(t, page.Body.Len(), several.Body.Len(), path)
	}
	one := do(h, "GET", "/docs/", "", "Range", "bytes=0-8")
	require.Equal(t, http.StatusPartialContent, one.Code)
	require.Equal(t, "<!doctype", one.Body.String())
}

func TestLanding_ShowsStateAndLinks(t *testing.T) {
	t.Parallel()
	h := router(t, nil, 7)
	w := do(h, "GET", "/", "")
	page := w.Body.String()
	require.Contains(t, page, "test&lt;net&gt;")
	require.Contains(t, page, "Version 1.2.3")
	require.Contains(t, page, "7 to 7")
	require.NotContains(t, page, "http://")
	require.NotContains(t, page, "https://")
	require.NotContains(t, page, "<script")
	policy := w.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, styleHash(t, page))
	links := links(page)
	require.Greater(t, len(links), 7)
	for _, link := range links {
		require.Equal(t, http.StatusOK, do(h, "GET", link, "").Code, link)
	}
}

func TestReadyz_GivesStatusAndReasons(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	good := chain.ServerState{Name: "good:1", Usable: true, HeadSeqno: 9}
	bad := chain.ServerState{Name: "bad:2", SetAside: "it sent a block whose hash is wrong", Failures: 3}
	for _, c := range []struct {
		name     string
		change   func(*rest.Options)
		seqnos   []uint32
		ready    bool
		contains string
	}{
		{"empty", nil, nil, false, "Nothing is indexed yet."},
		{"well", func(o *rest.Options) { o.Servers = func() []chain.ServerState { return []chain.ServerState{good} } }, []uint32{7}, true, `"head_seqno":9`},
		{"behind", func(o *rest.Options) { o.MaxLag = time.Second }, []uint32{7}, false, "more than 1s counts as behind"},
		{"gaps", nil, []uint32{7, 9, 12}, true, "3 masterchain blocks in 2 gaps are not indexed yet, the newest of them 11."},
		{"one server bad", func(o *rest.Options) {
			o.Servers = func() []chain.ServerState { return []chain.ServerState{good, bad} }
		},
			[]uint32{7}, true, "Liteserver bad:2 is set aside: it sent a block whose hash is wrong."},
		{"all servers bad", func(o *rest.Options) { o.Servers = func() []chain.ServerState { return []chain.ServerState{bad} } },
			[]uint32{7}, false, "None of 1 liteservers can be used"},
		{"own reasons", func(o *rest.Options) {
			o.Readiness = func(context.Context) []string { return []string{"Shutting down."} }
		},
			[]uint32{7}, false, "Shutting down."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := do(router(t, c.change, c.seqnos...), "GET", "/readyz", "")
			var body struct{ Ready bool }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
			require.Equal(t, c.ready, body.Ready, w.Body)
			require.Equal(t, map[bool]int{true: 200, false: 503}[c.ready], w.Code)
			require.Contains(t, w.Body.String(), c.contains)
			require.NotContains(t, w.Body.String(), `"servers":null`)
		})
	}
}

// A service that is not ready is no failed request: each change is logged once, however often it is requested.
func TestReadyz_ChangesAreLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var reasons []string
	h := router(t, func(o *rest.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
		o.Readiness = func(context.Context) []string { return reasons }
	}, 7)
	for _, reasons = range [][]string{{"Starting."}, {"Starting."}, nil, nil, {"The disk is full."}, {"The disk is full."}} {
		require.Equal(t, map[bool]int{true: 200, false: 503}[len(reasons) == 0], do(h, "GET", "/readyz", "").Code)
	}
	require.Equal(t, 1, strings.Count(log.String(), `level=INFO msg="ready to serve"`), log.String())
	require.Equal(t, 1, strings.Count(log.String(), `level=WARN msg="not ready to serve" reason="The disk is full."`), log.String())
	require.NotContains(t, log.String(), "Starting.")
	require.NotContains(t, log.String(), "level=ERROR")
}

// Without its database the service reports that and reveals nothing about it.
func TestReadyz_WithoutDatabaseRevealsNothing(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{})
	db.Close()
	h := rest.New(rest.Options{Service: svc, Logger: slog.New(slog.DiscardHandler)})
	w := do(h, "GET", "/readyz", "")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Contains(t, w.Body.String(), "The index cannot be read")
	w = do(h, "GET", "/api/v3/blocks", "")
	require.Contains(t, []int{http.StatusServiceUnavailable, http.StatusInternalServerError}, w.Code)
	for _, inside := range []string{"pool", "SELECT", ".go", "SQLSTATE"} {
		require.NotContains(t, w.Body.String(), inside)
	}
	require.Equal(t, http.StatusOK, do(h, "GET", "/healthz", "").Code)
	require.Equal(t, http.StatusNotFound, do(h, "GET", "/graphql", "").Code) // not mounted
}

// The admin interface of an indexer has no service, and names its network.
func TestReadyz_OfAnIndexerNamesTheNetwork(t *testing.T) {
	t.Parallel()
	h := rest.Admin(rest.Options{Network: "testnet", Metrics: prometheus.NewRegistry(), Logger: slog.New(slog.DiscardHandler)})
	require.Contains(t, do(h, "GET", "/readyz", "").Body.String(), `"network":"testnet"`)
}

// Pages of other origins may call the APIs and nothing else.
func TestCORS_AllowsAPIsOnly(t *testing.T) {
	t.Parallel()
	h := router(t, nil, 7)
	for _, path := range []string{"/api/v3/blocks", "/api/v2/x", "/graphql"} {
		w := do(h, "OPTIONS", path, "", "Origin", "https://example.org", "Access-Control-Request-Method", "GET",
			"Access-Control-Request-Headers", "content-type,x-api-key,x-ton-client-version")
		require.Equal(t, http.StatusNoContent, w.Code, path)
		require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"), path)
		require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), "x-ton-client-version", path)
	}
	for _, path := range []string{"/metrics", "/readyz", "/"} {
		require.Empty(t, do(h, "GET", path, "", "Origin", "https://example.org").Header().Get("Access-Control-Allow-Origin"), path)
	}
	only := router(t, func(o *rest.Options) { o.Origins = []string{"https://good.example"} }, 7)
	require.Empty(t, do(only, "GET", "/api/v3/blocks", "", "Origin", "https://bad.example").Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "https://good.example",
		do(only, "GET", "/api/v3/blocks", "", "Origin", "https://good.example").Header().Get("Access-Control-Allow-Origin"))
}

func TestCompression_LargeResponsesAreCompressed(t *testing.T) {
	t.Parallel()
	seqnos := make([]uint32, 20)
	for i := range seqnos {
		seqnos[i] = uint32(i + 1)
	}
	h := router(t, nil, seqnos...)
	big := do(h, "GET", "/api/v3/blocks?limit=20", "", "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", big.Header().Get("Content-Encoding"))
	require.False(t, bytes.Contains(big.Body.Bytes(), []byte("blocks")))
	small := do(h, "GET", "/api/v3/blocks?limit=1", "", "Accept-Encoding", "gzip")
	require.Empty(t, small.Header().Get("Content-Encoding"))
	require.True(t, json.Valid(small.Body.Bytes()))
}

// Pages of other origins can read the response headers and may send the request headers of v3.
func TestCORS_AllowsTheHeadersOfV3(t *testing.T) {
	t.Parallel()
	h := router(t, nil, 7)
	r := httptest.NewRequest(http.MethodGet, "/api/v3/blocks?limit=1", nil)
	r.Header.Set("Origin", "https://page.example")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Equal(t, "7", w.Header().Get("X-Mc-Seqno"))
	for _, name := range []string{"Link", "X-Mc-Seqno", "X-Next-Cursor", "X-Unknown-Parameters", "Retry-After", "Server-Timing", "X-Api-Version"} {
		require.Contains(t, strings.ToLower(w.Header().Get("Access-Control-Expose-Headers")), strings.ToLower(name))
	}
	r = httptest.NewRequest(http.MethodOptions, "/api/v3/blocks", nil)
	r.Header.Set("Origin", "https://page.example")
	r.Header.Set("Access-Control-Request-Method", http.MethodGet)
	// Those of wallets, of libraries for errors and traces, and of browsers' developer tools are not known beforehand.
	for _, names := range []string{"x-min-seqno", "content-type,x-app-origin,x-app-version", "baggage,sentry-trace,traceparent", "cache-control,pragma"} {
		r.Header.Set("Access-Control-Request-Headers", names)
		w = httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, http.StatusNoContent, w.Code, names)
		require.Equal(t, names, w.Header().Get("Access-Control-Allow-Headers"))
	}
}

// Headers longer than clients need are refused, in one field or in many.
func TestRouter_LongHeadersAreRefused(t *testing.T) {
	t.Parallel()
	h := rest.New(rest.Options{Service: resolvers.New(nil, nil, resolvers.Options{Network: "mainnet"}), Logger: slog.New(slog.DiscardHandler)})
	many := []string{}
	for i := range 700 {
		many = append(many, "X-Long-"+strconv.Itoa(i), strings.Repeat("x", 100))
	}
	for _, header := range [][]string{{"X-Long", strings.Repeat("x", rest.MaxHeaders)}, many} {
		w := do(h, http.MethodGet, "/api/v3/masterchainInfo", "", header...)
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, w.Code)
		require.Contains(t, w.Body.String(), "the headers are longer than 64 kB")
	}
	w := do(h, http.MethodGet, "/api/v3/nothing", "", "X-Long", strings.Repeat("x", rest.MaxHeaders-100))
	require.Equal(t, http.StatusNotFound, w.Code)
}
