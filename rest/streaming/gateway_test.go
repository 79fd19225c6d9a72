package streaming_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/streaming"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// limit bounds the time that tests wait for an event.
const limit = 20 * time.Second

// gateway serves the API over a database.
type gateway struct {
	*httptest.Server
	service *resolvers.Service
	handler *streaming.Handler
}

func newGateway(t *testing.T, db *store.DB, node chain.Node, opts resolvers.Options, edit func(*streaming.Options)) *gateway {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	svc := resolvers.New(db.Reader(), node, opts)
	f := feed.New(db.Reader(), feed.Options{Listen: db.Listen, Pending: svc.Pending(), Logger: log})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	o := streaming.Options{Service: svc, Feed: f, Logger: log, Origins: []string{"*"}}
	if edit != nil {
		edit(&o)
	}
	g := &gateway{service: svc, handler: streaming.New(o)}
	g.Server = httptest.NewServer(g.handler)
	t.Cleanup(func() {
		closing, end := context.WithTimeout(context.Background(), limit)
		defer end()
		require.NoError(t, g.handler.Close(closing))
		g.Close()
		cancel()
		require.NoError(t, <-done)
		svc.Close()
	})
	return g
}

// post sends the body of a subscription, and returns the status and the body of a refusal.
func (g *gateway) post(t *testing.T, media, body string) (status int, text string) {
	t.Helper()
	resp := g.request(t, media, body)
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusOK {
		return resp.StatusCode, ""
	}
	read, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(read)
}

func (g *gateway) request(t *testing.T, media, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+streaming.Prefix+"/v2/sse", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", media)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	return resp
}

// lines are the lines of an event stream.
type lines struct {
	*testing.T
	resp *http.Response
	scan *bufio.Scanner
}

// events opens a stream.
func (g *gateway) events(t *testing.T, body string) *lines {
	t.Helper()
	return connected(t, g.request(t, "application/json", body))
}

// connected checks the first frame of a stream.
func connected(t *testing.T, resp *http.Response) *lines {
	t.Helper()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	l := &lines{t, resp, bufio.NewScanner(resp.Body)}
	l.scan.Buffer(nil, 1<<24)
	t.Cleanup(l.end)
	require.Equal(t, "event: connected", l.line())
	require.Contains(t, l.line(), `"status":"subscribed"}`)
	require.Empty(t, l.line())
	return l
}

func (l *lines) end() { _ = l.resp.Body.Close() }

func (l *lines) line() string {
	l.Helper()
	late := time.AfterFunc(limit, l.end)
	defer late.Stop()
	require.True(l, l.scan.Scan(), "the stream ended: %v", l.scan.Err())
	return l.scan.Text()
}

// next returns the next notification.
func (l *lines) next() notification {
	l.Helper()
	for end := time.Now().Add(limit); ; {
		line := l.line()
		require.True(l, time.Now().Before(end), "no notification")
		if strings.HasPrefix(line, ":") || line == "" {
			continue
		}
		require.Equal(l, "event: event", line)
		return parsed(l.T, strings.TrimPrefix(l.line(), "data: "))
	}
}

// notification is what tests look at.
type notification struct {
	ID, Status, Error     *string
	Type, Finality, Key   string
	Transactions          []struct{ Account, Hash, Finality string }
	All                   map[string]json.RawMessage // of a trace
	Actions               []struct{ Type string }
	Account               string
	State                 map[string]any
	Jetton                map[string]any
	Trace                 map[string]any
	AddressBook, Metadata map[string]map[string]any
	text                  string
}

func parsed(t *testing.T, text string) (n notification) {
	t.Helper()
	var raw struct {
		ID, Status, Error *string
		Type, Finality    string
		Key               string `json:"trace_external_hash_norm"`
		Transactions      json.RawMessage
		Actions           []struct{ Type string }
		Account           string
		State             map[string]any
		Jetton            map[string]any
		Trace             map[string]any
		AddressBook       map[string]map[string]any `json:"address_book"`
		Metadata          map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(text), &raw), text)
	n = notification{
		ID: raw.ID, Status: raw.Status, Error: raw.Error, Type: raw.Type, Finality: raw.Finality, Key: raw.Key, Actions: raw.Actions, Account: raw.Account,
		State: raw.State, Jetton: raw.Jetton, Trace: raw.Trace, AddressBook: raw.AddressBook, Metadata: raw.Metadata, text: text,
	}
	switch {
	case raw.Transactions == nil:
	case raw.Type == "trace":
		require.NoError(t, json.Unmarshal(raw.Transactions, &n.All), text)
	default:
		require.NoError(t, json.Unmarshal(raw.Transactions, &n.Transactions), text)
	}
	return n
}

// socket is a WebSocket client.
type socket struct {
	*testing.T
	ws *websocket.Conn
}

func (g *gateway) dial(t *testing.T) *socket {
	t.Helper()
	return g.dialWith(t, "")
}

// dialWith is dial with a query.
func (g *gateway) dialWith(t *testing.T, query string) *socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	ws, resp, err := websocket.Dial(ctx, strings.Replace(g.URL, "http", "ws", 1)+streaming.Prefix+"/v2/ws"+query, nil)
	require.NoError(t, err)
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	ws.SetReadLimit(1 << 24)
	t.Cleanup(func() { _ = ws.CloseNow() })
	return &socket{t, ws}
}

func (s *socket) say(text string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), limit)
	defer cancel()
	require.NoError(s, s.ws.Write(ctx, websocket.MessageText, []byte(text)))
}

// read returns the next message.
func (s *socket) read() string {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), limit)
	defer cancel()
	kind, data, err := s.ws.Read(ctx)
	require.NoError(s, err)
	require.Equal(s, websocket.MessageText, kind)
	return string(data)
}

func (s *socket) next() notification { s.Helper(); return parsed(s.T, s.read()) }

// closed returns the code with which the server closes the connection; -1 for none.
func (s *socket) closed() websocket.StatusCode {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), limit)
	defer cancel()
	for {
		if _, _, err := s.ws.Read(ctx); err != nil {
			require.NoError(s, ctx.Err())
			return websocket.CloseStatus(err)
		}
	}
}
