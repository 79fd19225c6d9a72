package docs

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// document has an operation of each kind; its paths are those of examples.json.
const document = `{"openapi":"3.1.0","info":{"title":"tonql /api/v3","version":"1.2.3","description":"About <it>."},
	"tags":[{"name":"accounts"},{"name":"others"}],
	"paths":{
		"/api/v3/walletStates":{"get":{"tags":["accounts"],"summary":"States of wallets.","parameters":[
			{"name":"address","in":"query","required":true,"description":"Addresses.","schema":{"type":"array","items":{"type":"string"}}},
			{"name":"limit","in":"query","description":"Rows.","schema":{"type":"integer","default":10,"maximum":1000}},
			{"name":"sort","in":"query","description":"Order.","schema":{"type":"string","enum":["asc","desc"]}},
			{"$ref":"#/components/parameters/Timeout"}],
			"responses":{"200":{"description":"Good.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/States"}}}}}}},
		"/api/v3/adjacentTransactions":{"get":{"tags":["others"],"summary":"Neighbours.","parameters":[
			{"name":"hash","in":"query","required":true,"description":"Hash.","schema":{"type":"string"}}],"responses":{}}},
		"/api/v3/estimateFee":{"post":{"tags":["others"],"summary":"Fees.","requestBody":{"content":{"application/json":{"schema":{
			"type":"object","required":["address","body"],"properties":{"address":{"type":"string"},"body":{"type":"string"},"ignore_chksig":{"type":"boolean"}}}}}},
			"responses":{"default":{"description":"Bad."}}}}},
	"webhooks":{"transfer.completed":{"post":{"tags":["others"],"summary":"An event.","responses":{}}}},
	"components":{"parameters":{"Timeout":{"name":"X-Timeout","in":"header","description":"Time limit.","schema":{"type":"integer","minimum":1}}},
		"schemas":{"States":{"type":"object","description":"A page.","required":["zeta"],"properties":{
			"zeta":{"type":["string","null"],"format":"ton-address"},"alpha":{"type":"array","items":{"$ref":"#/components/schemas/States"}}}}},
		"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-API-Key"}}}}`

func siteOf(read func(context.Context) (map[string]string, error)) Site {
	return NewSite(Options{
		Prefix: "/api/v3", Network: "Local <chain>", Examples: read,
		Document: func() ([]byte, error) { return []byte(document), nil },
	})
}

func get(t *testing.T, s Site, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	require.True(t, s.Serve(w, httptest.NewRequest(http.MethodGet, path, http.NoBody)), path)
	return w
}

func objects(context.Context) (map[string]string, error) {
	return map[string]string{"wallet": "0:AB", "transactionHash": "c0ffee"}, nil
}

func TestPage_OperationsHaveExamplesFromTheIndex(t *testing.T) {
	t.Parallel()
	page := get(t, siteOf(objects), "/api/v3/").Body.String()
	require.Contains(t, page, `<a href="/api/v3/walletStates?address=0:AB">GET /api/v3/walletStates?address=0:AB</a>`)
	require.Contains(t, page, `<a href="/api/v3/adjacentTransactions?hash=c0ffee">`)
	require.Contains(t, page, `&#34;body&#34;: &#34;te6cckEBAQEAAgAAAEysuc0=&#34;`, "the body has its required members")
	require.NotContains(t, page, `&#34;ignore_chksig&#34;`)
	require.Contains(t, page, `placeholder="default: 10"`, "defaults are named, not sent")
	require.Contains(t, page, `data-in="header"`, "referenced parameters are resolved")
	require.Contains(t, page, `data-header="X-API-Key"`)
	require.Contains(t, page, "transfer.completed")
	require.Contains(t, page, `<a href="#schema-States">States</a>`)
	require.Less(t, strings.Index(page, "<code>zeta</code>"), strings.Index(page, "<code>alpha</code>"), "members are in the order of the document")
	require.NotContains(t, page, "The index has no object")
}

func TestPage_SaysThatTheIndexHasNoObject(t *testing.T) {
	t.Parallel()
	page := get(t, siteOf(nil), "/api/v3/").Body.String()
	require.Equal(t, 2, strings.Count(page, "The index has no object for this example yet."), "of a wallet, of a transaction")
}

func TestPage_EscapesWhatItShows(t *testing.T) {
	t.Parallel()
	hostile := `"><script>alert(1)</script>&x=1`
	page := get(t, siteOf(func(context.Context) (map[string]string, error) {
		return map[string]string{"wallet": hostile, "transactionHash": hostile}, nil
	}), "/api/v3/").Body.String()
	require.NotContains(t, page, "<script>alert")
	require.NotContains(t, page, "Local <chain>")
	require.NotContains(t, page, "?hash=\"")
	require.NotContains(t, page, "&x=1")
}

func TestPage_AllowsItsOwnScriptAndStyleOnly(t *testing.T) {
	t.Parallel()
	s := siteOf(objects)
	w := get(t, s, "/api/v3/")
	require.Equal(t, policy, w.Header().Get("Content-Security-Policy"))
	require.NotContains(t, w.Body.String(), " style=")
	require.NotContains(t, w.Body.String(), "<style")
	for _, name := range []string{"page/page.css", "page/page.js"} {
		require.Contains(t, w.Body.String(), `"`+name+`"`)
		require.NotEmpty(t, get(t, s, "/api/v3/"+name).Body.String())
	}
	require.False(t, s.Serve(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/v3/page/../examples.json", http.NoBody)))
}

func TestSite_RevalidatesByTag(t *testing.T) {
	t.Parallel()
	s := siteOf(objects)
	r := httptest.NewRequest(http.MethodGet, "/api/v3/page/page.js", http.NoBody)
	r.Header.Set("If-None-Match", get(t, s, "/api/v3/page/page.js").Header().Get("ETag"))
	w := httptest.NewRecorder()
	require.True(t, s.Serve(w, r))
	require.Equal(t, http.StatusNotModified, w.Code)
}

func TestExamples_AreReadOnceForManyRequests(t *testing.T) {
	t.Parallel()
	var reads atomic.Int32
	s := siteOf(func(ctx context.Context) (map[string]string, error) {
		reads.Add(1)
		return objects(ctx)
	})
	for range 20 {
		get(t, s, "/api/v3/")
	}
	require.EqualValues(t, 1, reads.Load())
}

func TestExamples_StayWhileTheIndexCannotBeRead(t *testing.T) {
	t.Parallel()
	fails := false
	s := siteOf(func(ctx context.Context) (map[string]string, error) {
		if fails {
			return nil, errors.New("no database")
		}
		return objects(ctx)
	})
	before := get(t, s, "/api/v3/").Body.String()
	fails = true
	s.page.due = time.Time{}
	require.Equal(t, before, get(t, s, "/api/v3/").Body.String())
	require.True(t, s.page.due.After(time.Now()), "a failing index is not read by every request")
}

func TestExamples_EndWithTheirTimeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the client has disconnected
	var left time.Duration
	s := siteOf(func(ctx context.Context) (map[string]string, error) {
		until, _ := ctx.Deadline()
		left = time.Until(until)
		return nil, ctx.Err()
	})
	w := httptest.NewRecorder()
	require.True(t, s.Serve(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v3/", http.NoBody)))
	require.Equal(t, http.StatusOK, w.Code)
	require.Positive(t, left, "the page is for all clients")
	require.LessOrEqual(t, left, examplesTimeout)
}

func TestSchemas_RecursionEnds(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"type":"array","items":`, 50) + `{"type":"string"}` + strings.Repeat("}", 50)
	o, err := parse([]byte(`{"a":` + deep + `}`))
	require.NoError(t, err)
	require.LessOrEqual(t, len(typeOf(o.object("a"), 0)), maxSchemaDepth+2)
}
