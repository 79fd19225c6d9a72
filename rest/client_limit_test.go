package rest_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
	"tonql/rest/handler"
	"tonql/rest/streaming"
)

// Anyone can require a masterchain block that will never be there. At every API that is 503 after a bounded time, which the log does
// not report as an error.
func TestMinSeqno_OfABlockThatIsNeverThereFillsNoLog(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	resolver := &resolvers.Resolver{Service: svc, Limits: graphql.DefaultLimits}
	api := graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}), Limits: graphql.DefaultLimits, Prepare: resolver.Prepare,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" },
		Await: func(ctx context.Context, seqno uint32) error { return svc.Await(ctx, seqno, handler.MinSeqnoWait) },
	})
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, "/api/v3/transactions?limit=1", ""},
		{http.MethodGet, "/api/v2/getMasterchainInfo", ""},
		{http.MethodPost, "/graphql", `{"query":"{ __typename }"}`},
	} {
		var log bytes.Buffer
		h := rest.New(rest.Options{Service: svc, GraphQL: api, Playground: echo(""), Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond) // in place of the 5 seconds of a server
		r := httptest.NewRequestWithContext(ctx, c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("X-Min-Seqno", "4294967295")
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		cancel()
		require.Equal(t, http.StatusServiceUnavailable, w.Code, c.path)
		require.Equal(t, "1", w.Header().Get("Retry-After"), c.path)
		require.Contains(t, w.Body.String(), "masterchain block 4294967295 is not indexed yet", c.path)
		require.Contains(t, log.String(), "ahead of the index", c.path)
		require.NotContains(t, log.String(), "level=ERROR", c.path)
	}
}

// X-Timeout of a millisecond is no fault of the service either; the service's own timeout is.
func TestTimeout_ThatTheClientChoseFillsNoLog(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	tx, err := handle.BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tx.Rollback()) })
	_, err = tx.ExecContext(t.Context(), `LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE`) // a read waits
	require.NoError(t, err)
	var log bytes.Buffer
	h := rest.New(rest.Options{
		Service: svc, GraphQL: echo(""), Playground: echo(""), Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	w := do(h, http.MethodGet, "/api/v3/transactions?limit=1", "", "X-Timeout", "50")
	require.GreaterOrEqual(t, w.Code, 500)
	require.Contains(t, log.String(), "msg=request")
	require.NotContains(t, log.String(), "level=ERROR")
}

// A request of the streaming API for what it does not have, and the health of an index that is empty, are no faults of the service either.
func TestStreaming_RefusedReplayAndHealthFillNoLog(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	var log bytes.Buffer
	h := rest.New(rest.Options{
		Service: svc, GraphQL: echo(""), Playground: echo(""), Streaming: streaming.New(streaming.Options{Service: svc}),
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	body := `{"types":["transactions"],"addresses":["` + testdb.Address().String() + `"],"replay_existing":true}`
	w := do(h, http.MethodPost, "/api/streaming/v2/sse", body, "Content-Type", "application/json")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.JSONEq(t, `{"error":"replay is not configured"}`, w.Body.String())
	w = do(h, http.MethodGet, "/streaming/healthz", "")
	require.Equal(t, http.StatusServiceUnavailable, w.Code, "the index is empty")
	require.Contains(t, w.Body.String(), `"error":"the index cannot be read or is empty"`)
	metrics := do(h, http.MethodGet, "/metrics", "").Body.String()
	require.Contains(t, metrics, `route="`+handler.RouteOfLimit+`",status="503"`)
	require.NotContains(t, metrics, `route="/api/streaming/v2/sse",status="503"`)
	require.NotContains(t, log.String(), "level=ERROR")
}

// Arguments of get-methods that /api/v2 refuses with the published statuses, which are those of a server, are no faults of the service.
func TestStack_RefusedArgumentsFillNoLog(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	var log bytes.Buffer
	h := rest.New(rest.Options{
		Service: svc, GraphQL: echo(""), Playground: echo(""), Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	account := testdb.Address().String()
	for _, c := range []struct {
		method, stack string
		status        string
	}{
		{"runGetMethod", `[["nothing","1"]]`, "542"},
		{"runGetMethodStd", `[{"@type":"tvm.stackEntryUnsupported"}]`, "500"},
	} {
		body := `{"address":"` + account + `","method":"seqno","stack":` + c.stack + `}`
		rpc := `{"jsonrpc":"2.0","id":1,"method":"` + c.method + `","params":` + body + `}`
		for path, text := range map[string]string{c.method: body, "jsonRPC": rpc} {
			w := do(h, http.MethodPost, "/api/v2/"+path, text)
			require.Equal(t, c.status, strconv.Itoa(w.Code), "%s: %s", path, w.Body)
			require.Contains(t, w.Body.String(), `"error":"`)
			metrics := do(h, http.MethodGet, "/metrics", "").Body.String()
			require.Contains(t, metrics, `route="`+handler.RouteOfLimit+`",status="`+c.status+`"`)
			require.NotContains(t, metrics, `route="/api/v2/`+path+`",status="`+c.status+`"`)
		}
	}
	require.Contains(t, log.String(), "unsupported stack entry")
	require.NotContains(t, log.String(), "level=ERROR")
}
