package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest"
)

// The longest query with the longest headers arrives; what is longer is refused before it is read.
func TestServer_HeadersAreBounded(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.Config = newServer(slog.New(slog.DiscardHandler), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	server.Start()
	t.Cleanup(server.Close)
	for _, c := range []struct{ query, header, want int }{
		{10, 10, http.StatusNoContent},
		{rest.MaxQuery, rest.MaxHeaders, http.StatusNoContent},
		{10, rest.MaxQuery + 2*rest.MaxHeaders, http.StatusRequestHeaderFieldsTooLarge},
		{rest.MaxQuery + 2*rest.MaxHeaders, 10, http.StatusRequestHeaderFieldsTooLarge},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/?"+strings.Repeat("a", c.query), nil)
		require.NoError(t, err)
		r.Header.Set("X-Long", strings.Repeat("x", c.header))
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.want, resp.StatusCode, "%d of query, %d of headers", c.query, c.header)
	}
}
