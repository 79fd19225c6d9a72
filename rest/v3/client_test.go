package v3_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// The fixture of these tests: the blocks of chaintest up to lastMc.
const lastMc = 14

// serve indexes the fixture and returns a client of the API on it.
func serve(t testing.TB) *testClient {
	t.Helper()
	db := testdb.NewSingle(t)
	chaintest.Index(t, db, lastMc)
	return open(t, db)
}

// open returns a client of the API on db.
func open(t testing.TB, db *store.DB) *testClient {
	t.Helper()
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "test", TestOnly: true})
	return &testClient{t: t, handler: v3.New(svc, v3.Options{Version: "1.4.0"})}
}

// testClient sends requests to the API. Every JSON response is validated against the OpenAPI documents.
type testClient struct {
	t       testing.TB
	handler http.Handler
}

// do sends a GET request. path is relative to the prefix of the API; headers are names and values, alternating.
func (d *testClient) do(path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, v3.Prefix+path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if w.Header().Get("Content-Type") == "application/json" {
		fits(d.t, http.MethodGet, path, w.Code, w.Body.Bytes())
	}
	return w
}

// get sends a request that must succeed, and returns the JSON object of the response.
func (d *testClient) get(path string, headers ...string) map[string]any {
	d.t.Helper()
	w := d.do(path, headers...)
	require.Equal(d.t, http.StatusOK, w.Code, "%s: %s", path, w.Body)
	var body map[string]any
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &body), "%s: %s", path, w.Body)
	return body
}

// refuse sends a request that must fail with status, and returns the text of the error.
func (d *testClient) refuse(path string, status int) string {
	d.t.Helper()
	w := d.do(path)
	var body struct {
		Error string
		Code  int
	}
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &body), "%s: %s", path, w.Body)
	require.Equal(d.t, status, w.Code, "%s: %s", path, w.Body)
	require.Equal(d.t, status, body.Code)
	require.NotEmpty(d.t, body.Error)
	return body.Error
}

// names lists the rows by their names in the fixture: "W12 J12".
func names(rows any) string {
	var list []string
	for _, row := range rows.([]any) {
		list = append(list, nameOf(row.(map[string]any)))
	}
	return strings.Join(list, " ")
}

func nameOf(row map[string]any) string {
	text, ok := row["hash"].(string)
	if !ok {
		text = row["root_hash"].(string)
	}
	h, err := chain.ParseHash(text)
	if err != nil {
		return text
	}
	return chaintest.Name(h)
}

func escape(s fmt.Stringer) string { return url.QueryEscape(s.String()) }
