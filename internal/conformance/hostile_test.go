package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// hostile runs checks against a handler that appears as a server of /api/v3 until the first check.
func hostile(t *testing.T, o Options, handler http.HandlerFunc) (*Report, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/masterchainInfo") {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"last":{"seqno":9},"first":{"seqno":1}}`)) // the client may be gone
			return
		}
		handler(w, r)
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	o.BaseURL = server.URL
	if o.Time == 0 {
		o.Time = 20 * time.Second
	}
	if o.RequestTime == 0 {
		o.RequestTime = 300 * time.Millisecond
	}
	if o.MaxBody == 0 {
		o.MaxBody = 1 << 20
	}
	if o.Selection.Only == nil {
		o.Selection.Only = []string{"v3.blocks.unknown-hash"}
	}
	return Run(t.Context(), o)
}

func TestHostileServer_FailsTheCheckWithinItsBounds(t *testing.T) {
	t.Parallel()
	jsonHeader := func(w http.ResponseWriter) { w.Header().Set("Content-Type", "application/json") }
	forever := func(w http.ResponseWriter, r *http.Request, chunk []byte, pause time.Duration) {
		jsonHeader(w)
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush() // the client may be gone
			select {
			case <-r.Context().Done():
			case <-time.After(pause):
			}
		}
	}
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			jsonHeader(w)
			_, _ = w.Write([]byte(body)) // the client may be gone
		}
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		seen    string
	}{
		"endless body":        {func(w http.ResponseWriter, r *http.Request) { forever(w, r, bytes.Repeat([]byte{' '}, 1<<16), 0) }, "larger than 1048576 bytes"},
		"a byte now and then": {func(w http.ResponseWriter, r *http.Request) { forever(w, r, []byte{' '}, 50*time.Millisecond) }, "no complete response within 300ms"},
		"no response":         {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no complete response within 300ms"},
		"huge header": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
			w.WriteHeader(http.StatusOK)
		}, "server response headers exceeded"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, "status 302"},
		"malformed JSON": {text(`{"blocks":[}`), "the body is no JSON"},
		"no JSON":        {text("\x1b[2J<html>"), "the body is no JSON"},
		"two documents":  {text(`{"blocks":[]}{}`), "more than one JSON document"},
		"empty":          {text(""), "the body is no JSON"},
		"deep nesting":   {text(strings.Repeat("[", 100_000)), "the body is no JSON"},
		"many values":    {text(`{"blocks":[` + strings.Repeat("0,", 400_000) + `0]}`), "values, more than"},
		"wrong type":     {text(`{"blocks":7}`), "response.blocks is 7, not an array"},
		"missing member": {text(`{}`), `has no member "blocks"`},
		"wrong content type": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`{"blocks":[]}`))
		}, "Content-Type"},
		"long text": {text(`{"blocks":[{"root_hash":"` + strings.Repeat("\x7f", 1000) + `"}]}`), "1 rows, expected 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			limit := 10 * time.Second // a busy machine takes its time for a response that is complete
			if strings.Contains(c.seen, "300ms") {
				limit = 300 * time.Millisecond
			}
			report, err := hostile(t, Options{RequestTime: limit}, c.handler)
			require.NoError(t, err)
			require.Len(t, report.Results, 1)
			require.Equal(t, Fail, report.Results[0].Status)
			require.Contains(t, report.Results[0].Detail, c.seen)
			require.Less(t, len(report.Results[0].Detail), 1000)
			require.NotContains(t, report.Results[0].Detail, "\x1b")
			require.Less(t, time.Since(start), 15*time.Second)
		})
	}
}

func TestRedirect_DoesNotReceiveTheKey(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	var keys sync.Map
	_, err := hostile(t, Options{APIKey: "secret"}, func(w http.ResponseWriter, r *http.Request) {
		keys.Store(r.Header.Get("X-API-Key"), true)
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	require.NoError(t, err)
	_, sent := keys.Load("secret")
	require.True(t, sent)
	require.Zero(t, elsewhere.Load())
}

func TestRun_EndsInTime(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	start := time.Now()
	report, err := hostile(t, Options{Time: 2 * time.Second, RequestTime: 10 * time.Second, Selection: Selection{Only: []string{"v3"}}}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	require.NoError(t, err)
	require.Less(t, time.Since(start), 10*time.Second)
	require.Equal(t, len(report.Results), report.Count(Skip)+report.Count(Pass)+report.Count(Fail))
	last := report.Results[len(report.Results)-1]
	require.Equal(t, Skip, last.Status)
	require.Equal(t, "the time of the run is over", last.Detail)
}

func TestRate_BoundsRequests(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	var mu sync.Mutex
	var times []time.Time
	_, err := hostile(t, Options{Rate: 20, Selection: Selection{Only: []string{"v3.blocks"}}}, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		times = append(times, time.Now())
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"blocks":[]}`)) // the client may be gone
	})
	require.NoError(t, err)
	require.Greater(t, len(times), 10)
	require.GreaterOrEqual(t, times[len(times)-1].Sub(times[0]), time.Duration(len(times)-1)*50*time.Millisecond*8/10)
}

func TestRateLimitOfTheServer_IsWaitedFor(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	var requests atomic.Int32
	report, err := hostile(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"blocks":[]}`)) // the client may be gone
	})
	require.NoError(t, err)
	require.Equal(t, Pass, report.Results[0].Status, report.Results[0].Detail)
	require.EqualValues(t, 2, requests.Load())

	requests.Store(0)
	start := time.Now()
	report, err = hostile(t, Options{Time: 3 * time.Second}, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Retry-After", "1000000000")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	require.NoError(t, err)
	require.Less(t, time.Since(start), 10*time.Second)
	require.NotEqual(t, Pass, report.Results[0].Status)
	require.LessOrEqual(t, requests.Load(), int32(maxRetries+1))
}

func TestRun_RefusesWhatItCannotCheck(t *testing.T) {
	t.Parallel()
	bounds := Options{Time: 10 * time.Second, RequestTime: time.Second, MaxBody: 1 << 20}
	for _, base := range []string{"", "localhost:8080", "ftp://localhost", "http://user:password@localhost", "http://localhost?x=1"} {
		o := bounds
		o.BaseURL = base
		_, err := Run(t.Context(), o)
		require.ErrorContains(t, err, "the base URL is", base)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	o := bounds
	o.BaseURL = closed.URL
	_, err := Run(t.Context(), o)
	require.ErrorContains(t, err, "none of the selected APIs")
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	o.BaseURL = other.URL
	_, err = Run(t.Context(), o)
	require.ErrorContains(t, err, "status 404")
	o.Selection.Only = []string{"graphql"}
	_, err = Run(t.Context(), o)
	require.ErrorContains(t, err, "no section graphql")
	o.Selection.Only = []string{"nothing"}
	_, err = Run(t.Context(), o)
	require.ErrorContains(t, err, "no check is named")
}

func TestReport_EscapesWhatTheServerSent(t *testing.T) {
	t.Parallel()
	report, err := hostile(t, Options{APIKey: "secret"}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"blocks":[{"root_hash":"<script>alert(1)</script>"}]}`)) // the client may be gone
	})
	require.NoError(t, err)
	var page, object bytes.Buffer
	require.NoError(t, report.WriteHTML(&page, "1.2.3"))
	require.Contains(t, page.String(), "v3.blocks.unknown-hash")
	require.Contains(t, page.String(), "1 failed")
	require.NotContains(t, page.String(), "<script")
	require.NotContains(t, page.String(), "secret")
	require.NoError(t, report.WriteJSON(&object, "1.2.3"))
	require.NotContains(t, object.String(), "secret")
	var decoded struct {
		Failed int
		Checks []struct {
			ID, Status, Expected, Doc, Detail string
			Requests                          []struct{ URL string }
		}
	}
	require.NoError(t, json.Unmarshal(object.Bytes(), &decoded))
	require.Equal(t, 1, decoded.Failed)
	require.Len(t, decoded.Checks, 1)
	require.Len(t, decoded.Checks[0].Requests, 1)
	require.NotEmpty(t, decoded.Checks[0].Expected)
	require.NotEmpty(t, decoded.Checks[0].Detail)
	var lines bytes.Buffer
	require.NoError(t, WriteResult(&lines, report.Results[0]))
	require.Contains(t, lines.String(), "expected: An unknown `root_hash` finds nothing")
	require.NotContains(t, lines.String(), "\x1b")
}

// blockServer is a GraphQL server with masterchain blocks 1 to 100, whose subscriptions send events of the given blocks.
// A stream that is not cut off stays open until the client closes it.
func blockServer(t *testing.T, cutOff bool, seqnos ...int64) string {
	t.Helper()
	next := func(n int64) string {
		seqno := strconv.FormatInt(n, 10)
		return `{"data":{"blocks":{"cursor":"c` + seqno + `","mcSeqno":` + seqno + `,"node":{"workchain":-1,"seqno":` + seqno + `}}}}`
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"graphql-transport-ws"}})
			if err != nil {
				return
			}
			defer func() { _ = conn.CloseNow() }() // the client may be gone
			for {
				message, err := readMessage(r.Context(), conn)
				if err != nil {
					return
				}
				switch message["type"] {
				case "connection_init":
					_ = writeMessage(r.Context(), conn, map[string]any{"type": "ping"}) // the client may be gone
					_ = writeMessage(r.Context(), conn, map[string]any{"type": "connection_ack"})
				case "subscribe":
					for _, e := range seqnos {
						_ = writeMessage(r.Context(), conn, map[string]any{"id": "1", "type": "next", "payload": json.RawMessage(next(e))})
					}
					if cutOff {
						return
					}
				}
			}
		}
		if r.Header.Get("Accept") == "text/event-stream" {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, e := range seqnos {
				_, _ = fmt.Fprintf(w, ":\n\nevent: next\nid: c%d\ndata: %s\n\n", e, next(e))
			}
			_ = http.NewResponseController(w).Flush() // the client may be gone
			if !cutOff {
				<-r.Context().Done()
			}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		block := `{"id":"x","seqno":92,"startLt":"1"}`
		_, _ = w.Write([]byte(`{"data":{"__typename":"Query","masterchain":{"first":{"seqno":1},"last":{"seqno":100},"block":` + block + `}}}`)) // the client may be gone
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server.URL
}

func TestEvents_AreComparedWithTheirOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seqnos []int64
		want   Status
		cutOff bool
	}{
		"in order":  {seqnos: []int64{93, 94, 95}, want: Pass},
		"a double":  {seqnos: []int64{93, 93, 94}, want: Fail},
		"a gap":     {seqnos: []int64{93, 95, 96}, want: Fail},
		"reversed":  {seqnos: []int64{95, 94, 93}, want: Fail},
		"too early": {seqnos: []int64{92, 93, 94}, want: Fail},
		"cut off":   {seqnos: []int64{93}, want: Fail, cutOff: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := blockServer(t, c.cutOff, c.seqnos...)
			report, err := Run(t.Context(), Options{BaseURL: base, Time: 30 * time.Second, RequestTime: 5 * time.Second, MaxBody: 1 << 20, Selection: Selection{Only: []string{"graphql.subscription"}}})
			require.NoError(t, err)
			require.Len(t, report.Results, 2)
			for _, r := range report.Results {
				require.Equal(t, c.want, r.Status, "%s: %s", r.ID, r.Detail)
			}
		})
	}
}

func TestReadEvents_BoundsLinesAndKeepalives(t *testing.T) {
	t.Parallel()
	never := func(string, any) bool { return true }
	require.ErrorContains(t, readEvents(strings.NewReader(strings.Repeat(":\n", maxEvents*5)), never), "too many lines")
	require.ErrorContains(t, readEvents(strings.NewReader("data: "+strings.Repeat("x", maxEvent+1)), never), "token too long")
	require.ErrorContains(t, readEvents(strings.NewReader("data: {\n"), never), "no JSON")
	require.ErrorContains(t, readEvents(strings.NewReader(""), never), "ended")
}
