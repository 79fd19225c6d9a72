package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"tonql/rest/handler"
)

func TestMetrics_SlowRequestsAreExemplarsWithTheirID(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m := newMetrics(registry, nil)
	id := strings.Repeat("x", 64) // the longest that clients can choose
	m.observe(&handler.Finished{ID: "fast", Route: "/a", Method: "GET", Status: 200, Took: slow - 1, Bytes: 1, Cost: dear - 1, Database: slow - 1})
	m.observe(&handler.Finished{ID: id, Route: "/a", Method: "GET", Status: 200, Took: slow + time.Second, Bytes: 1, Cost: dear, Database: slow + 2*time.Second})
	scrape := func(accept string) string {
		r := httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		Admin(Options{Metrics: registry}).ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String()
	}
	open := scrape("application/openmetrics-text; version=1.0.0")
	require.Contains(t, open, `# {request_id="`+id+`"} 1.05`)
	require.Contains(t, open, `# {request_id="`+id+`"} 2.05`, "duration of the database")
	require.Regexp(t, `tonql_http_request_cost_bucket\{route="/a",le="10.0"\} 2 # \{request_id="`+id+`"\} 10`, open)
	require.NotContains(t, open, "fast")
	require.NotContains(t, scrape("text/plain"), "request_id")
}

func TestAdmin_ProcessWithoutAPIsIsReadyUnlessItGivesReasons(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/api/v3/masterchainInfo", "/"} {
		w := httptest.NewRecorder()
		Admin(Options{Metrics: prometheus.NewRegistry()}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
		want := http.StatusOK
		if strings.HasPrefix(path, "/api") || path == "/" {
			want = http.StatusNotFound
		}
		require.Equal(t, want, w.Code, path)
	}
}

// One request of a cached route takes some tens of microseconds.
func BenchmarkObserve(b *testing.B) {
	m := newMetrics(prometheus.NewRegistry(), nil)
	for _, c := range []struct {
		name string
		took time.Duration
	}{{"fast", time.Millisecond}, {"exemplar", time.Second}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.observe(&handler.Finished{
					ID: "0123456789abcdef", Route: "/api/v3/masterchainInfo", Method: "GET", Status: 200, Took: c.took, Bytes: 100, Cost: 1, Database: time.Microsecond,
				})
			}
		})
	}
}
