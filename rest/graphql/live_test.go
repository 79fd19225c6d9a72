package graphql_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	gql "tonql/rest/graphql"
)

// limit bounds the time that tests wait for an event.
const limit = 60 * time.Second

// live is a gateway with live events over its own database.
type live struct {
	*httptest.Server
	db      *store.DB
	count   *counter
	handler *gql.Handler
}

func newLive(t testing.TB, edit func(*gql.Options)) *live {
	t.Helper()
	count := &counter{}
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t), MaxWriteConns: 2, MaxReadConns: 6, Tracer: count})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	l := gatewayOn(t, db, edit)
	l.count = count
	return l
}

// gatewayOn returns one more gateway on a database.
func gatewayOn(t testing.TB, db *store.DB, edit func(*gql.Options)) *live {
	t.Helper()
	return gatewayTo(t, db, nil, resolvers.Options{Network: "devnet"}, edit)
}

// gatewayTo returns a gateway on a database, with a network.
func gatewayTo(t testing.TB, db *store.DB, source chain.Node, opts resolvers.Options, edit func(*gql.Options)) *live {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	limits := gql.DefaultLimits
	limits.MaxConnections = 0
	o := gql.Options{Limits: limits, Logger: log, RequestID: func(context.Context) string { return "" }}
	if edit != nil {
		edit(&o)
	}
	svc := resolvers.New(db.Reader(), source, opts)
	f := feed.New(db.Reader(), feed.Options{Listen: db.Listen, Pending: svc.Pending(), Logger: log})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	r := &resolvers.Resolver{Service: svc, Limits: o.Limits, Feed: f}
	o.Schema, o.Prepare = graph.NewExecutableSchema(graph.Config{Resolvers: r}), r.Prepare
	h := gql.New(o)
	l := &live{Server: httptest.NewServer(h), db: db, handler: h}
	t.Cleanup(func() {
		closing, end := context.WithTimeout(context.Background(), limit)
		defer end()
		require.NoError(t, h.Close(closing))
		l.Close()
		cancel()
		require.NoError(t, <-done)
		svc.Close()
	})
	return l
}

// socket is a WebSocket client that can violate the protocol.
type socket struct {
	testing.TB
	ws *websocket.Conn
}

func (l *live) dial(t testing.TB, subprotocols ...string) *socket {
	t.Helper()
	return l.dialWith(t, &websocket.DialOptions{Subprotocols: subprotocols})
}

// dialFrom connects as a client behind a proxy.
func (l *live) dialFrom(t testing.TB, address string) *socket {
	t.Helper()
	return l.dialWith(t, &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"X-Forwarded-For": {address}},
	})
}

func (l *live) dialWith(t testing.TB, o *websocket.DialOptions) *socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	ws, resp, err := websocket.Dial(ctx, strings.Replace(l.URL, "http", "ws", 1)+"/graphql", o)
	require.NoError(t, err)
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	ws.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = ws.CloseNow() })
	return &socket{t, ws}
}

// connect connects and waits for connection_ack.
func (l *live) connect(t testing.TB) *socket {
	t.Helper()
	s := l.dial(t, "graphql-transport-ws")
	s.say(`{"type":"connection_init"}`)
	require.Equal(t, "connection_ack", s.receive().Type)
	return s
}

func (s *socket) say(text string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), limit)
	defer cancel()
	require.NoError(s, s.ws.Write(ctx, websocket.MessageText, []byte(text)))
}

type message struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Payload json.RawMessage `json:"payload"`
}

func (s *socket) receive() message {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), limit)
	defer cancel()
	_, data, err := s.ws.Read(ctx)
	require.NoError(s, err)
	var m message
	require.NoError(s, json.Unmarshal(data, &m), string(data))
	return m
}

// closed reads until the connection is closed and returns close code and reason.
func (s *socket) closed() (int, string) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), limit)
	defer cancel()
	for {
		_, _, err := s.ws.Read(ctx)
		if err == nil {
			continue
		}
		var end websocket.CloseError
		require.ErrorAs(s, err, &end)
		return int(end.Code), end.Reason
	}
}

func (s *socket) subscribe(id, query string, variables map[string]any) {
	s.Helper()
	payload, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(s, err)
	s.say(`{"type":"subscribe","id":"` + id + `","payload":` + string(payload) + `}`)
}

// event decodes the next event of a subscription into data.
func (s *socket) event(into any) {
	s.Helper()
	m := s.receive()
	require.Equal(s, "next", m.Type, string(m.Payload))
	var a response
	require.NoError(s, json.Unmarshal(m.Payload, &a))
	require.Empty(s, a.Errors, string(m.Payload))
	require.NoError(s, json.Unmarshal(a.Data, into))
}

// block indexes masterchain block seqno, in which each account has a transaction that sends a message to the next
// account.
func (l *live) block(t testing.TB, seqno uint32, accounts ...chain.Address) *chain.MasterBlock {
	t.Helper()
	mb := testdb.Master(seqno)
	for i, a := range accounts {
		tx := testdb.NewTransaction(mb, a)
		tx.LT = mb.Block.StartLT + uint64(i+1)*10
		out := testdb.NewSent(mb, &tx, accounts[(i+1)%len(accounts)])
		out.Opcode = new(uint32(i))
		testdb.AddTransaction(mb, &tx)
		mb.Messages = append(mb.Messages, out)
		mb.States = append(mb.States, testdb.NewStateAfter(mb, &tx, chain.Coins(seqno)))
	}
	require.NoError(t, l.db.Writer().Apply(t.Context(), mb))
	return mb
}
