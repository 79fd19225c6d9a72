package rest_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
)

// Each failure is logged once, with its cause and the id that the response has. What clients do wrong is no error of the log.
func TestRouter_FailuresAreLoggedOnceWithTheirCause(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	db := testdb.New(t)
	write(t, db, 1)
	h := rest.New(rest.Options{
		Service: resolvers.New(db.Reader(), nil, resolvers.Options{Network: "testnet"}), GraphQL: echo("graphql"), Playground: echo("playground"),
		Logger: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	send := func(method, path, body string) (status int, id string) {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Header().Get("X-Request-Id")
	}
	for _, path := range []string{"/api/v2/jsonRPC", "/api/v2/nothing", "/api/v3/nothing", "/api/v3/transactions?limit=x", "/nothing"} {
		status, _ := send(http.MethodGet, path, "")
		require.Less(t, status, 500, path)
	}
	require.Empty(t, log.String(), "errors of clients")

	db.Close() // from here on every statement fails
	for _, c := range [][3]string{
		{http.MethodGet, "/api/v3/transactions", ""},
		{http.MethodGet, "/api/v3/masterchainInfo", ""},
		{http.MethodGet, "/api/v2/getMasterchainInfo", ""},
		{http.MethodPost, "/api/v2/jsonRPC", `{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo","params":{}}`},
	} {
		log.Reset()
		status, id := send(c[0], c[1], c[2])
		require.GreaterOrEqual(t, status, 500, c[1])
		require.Equal(t, 1, strings.Count(log.String(), "\n"), "%s: %s", c[1], log.String())
		var line struct {
			Level, Msg, Err string
			RequestID       string `json:"request_id"`
			Status          int
		}
		require.NoError(t, json.Unmarshal(log.Bytes(), &line))
		require.Equal(t, "ERROR", line.Level, c[1])
		require.Equal(t, "request", line.Msg)
		require.Equal(t, status, line.Status)
		require.Equal(t, id, line.RequestID)
		require.NotEmpty(t, line.Err, c[1])
	}
}
