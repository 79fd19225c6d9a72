package rest_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/handler"
)

// Slow connections of one client leave memory for the long responses of others, and fill no log with errors.
func TestUnsentResponses_OfOneClientLeaveMemoryForOthers(t *testing.T) { //nolint:paralleltest // the memory is that of the process
	svc := resolvers.New(testdb.New(t).Reader(), nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	long := bytes.Repeat([]byte("1"), 64<<20)
	var log bytes.Buffer
	blocked, released := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(released) })
	h := rest.New(rest.Options{
		Service: svc, Playground: echo(""), Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := handler.Send(r.Context(), w, http.StatusOK, long); err != nil {
				handler.RecordOf(r.Context()).Err = err
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}),
	})
	request := func(client string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql", http.NoBody)
		r.RemoteAddr = "10.1.2.3:4567"
		r.Header.Set("X-Forwarded-For", client)
		return r
	}
	go h.ServeHTTP(&stuckWriter{header: http.Header{}, blocked: blocked, released: released}, request("203.0.113.1"))
	<-blocked
	for client, status := range map[string]int{"203.0.113.1": http.StatusServiceUnavailable, "203.0.113.2": http.StatusOK} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(client))
		require.Equal(t, status, w.Code, client)
	}
	require.Contains(t, log.String(), "status=503")
	require.NotContains(t, log.String(), "level=ERROR", "anyone can cause it")
}

// stuckWriter is the connection of a client that does not read until released is closed. It closes blocked when a write waits.
type stuckWriter struct {
	header            http.Header
	blocked, released chan struct{}
}

func (w *stuckWriter) Header() http.Header { return w.header }
func (w *stuckWriter) WriteHeader(int)     {}
func (w *stuckWriter) Write([]byte) (int, error) {
	close(w.blocked)
	<-w.released
	return 0, io.ErrClosedPipe
}
