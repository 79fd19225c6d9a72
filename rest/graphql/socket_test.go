package graphql_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	gql "tonql/rest/graphql"
)

// The conditions that close a connection, with their codes.
func TestSocket_ViolationsCloseWithTheirCodes(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) {
		o.Limits.MaxBodyBytes = 4096
		o.Timing.Init = 300 * time.Millisecond
	})
	const greet, forever = `{"type":"connection_init"}`, `{"query":"subscription { blocks { mcSeqno } }"}`
	subscribe := `{"type":"subscribe","id":"a","payload":` + forever + `}`
	for name, c := range map[string]struct {
		say    []string
		code   int
		reason string
	}{
		"not JSON":                       {[]string{`{`}, 4400, "Invalid message received"},
		"not an object":                  {[]string{`[]`}, 4400, "Invalid message received"},
		"two values":                     {[]string{`{"type":"ping"} {}`}, 4400, "Invalid message received"},
		"a type of nobody":               {[]string{greet, `{"type":"hello"}`}, 4400, "Invalid message received"},
		"no id":                          {[]string{greet, `{"type":"subscribe","payload":` + forever + `}`}, 4400, "Invalid message received"},
		"an empty id":                    {[]string{greet, `{"type":"subscribe","id":"","payload":` + forever + `}`}, 4400, "Invalid message received"},
		"an id of another type":          {[]string{greet, `{"type":"subscribe","id":7,"payload":` + forever + `}`}, 4400, "Invalid message received"},
		"no payload":                     {[]string{greet, `{"type":"subscribe","id":"a"}`}, 4400, "Invalid message received"},
		"no query":                       {[]string{greet, `{"type":"subscribe","id":"a","payload":{}}`}, 4400, "Invalid message received"},
		"variables of another type":      {[]string{greet, `{"type":"subscribe","id":"a","payload":{"query":"{ a }","variables":[]}}`}, 4400, "Invalid message received"},
		"a greeting of another type":     {[]string{`{"type":"connection_init","payload":7}`}, 4400, "Invalid message received"},
		"before the greeting":            {[]string{subscribe}, 4401, "Unauthorized"},
		"no greeting":                    {nil, 4408, "Connection initialisation timeout"},
		"no greeting but pings":          {[]string{`{"type":"ping"}`}, 4408, "Connection initialisation timeout"},
		"an id twice":                    {[]string{greet, subscribe, subscribe}, 4409, "Subscriber for a already exists"},
		"greeted twice":                  {[]string{greet, greet}, 4429, "Too many initialisation requests"},
		"greeted twice with work begun":  {[]string{greet, subscribe, greet}, 4429, "Too many initialisation requests"},
		"a message that is far too long": {[]string{greet, `{"type":"ping","payload":{"a":"` + strings.Repeat("x", 5000) + `"}}`}, 1009, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := l.dial(t, "graphql-transport-ws")
			for _, text := range c.say {
				s.say(text)
			}
			code, reason := s.closed()
			require.Equal(t, c.code, code)
			if c.reason != "" {
				require.Equal(t, c.reason, reason)
			}
		})
	}
	for _, subprotocols := range [][]string{nil, {"graphql-ws"}} {
		code, reason := l.dial(t, subprotocols...).closed()
		require.Equal(t, 4406, code)
		require.Contains(t, reason, "Subprotocol not acceptable")
	}
	t.Run("bytes instead of text", func(t *testing.T) {
		t.Parallel()
		s := l.dial(t, "graphql-transport-ws")
		require.NoError(t, s.ws.Write(t.Context(), websocket.MessageBinary, []byte(greet)))
		code, _ := s.closed()
		require.Equal(t, 4400, code)
	})
}

func TestSocket_OperationsAreIndependent(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) { o.Limits.MaxSubscriptions = 3 })
	s := l.connect(t)

	s.say(`{"type":"ping","payload":{"a":1}}`)
	require.Equal(t, "pong", s.receive().Type)
	s.say(`{"type":"pong"}`)
	s.say(`{"type":"complete","id":"nobody"}`)

	s.subscribe("q", `{ __typename }`, nil)
	m := s.receive()
	require.Equal(t, message{Type: "next", ID: "q", Payload: m.Payload}, m)
	require.JSONEq(t, `{"data":{"__typename":"Query"}}`, string(m.Payload))
	require.Equal(t, message{Type: "complete", ID: "q"}, s.receive())

	s.subscribe("bad", `{ nothing }`, nil)
	m = s.receive()
	require.Equal(t, "error", m.Type, "an error ends the operation, and no complete follows")
	require.Contains(t, string(m.Payload), "Cannot query field")
	s.subscribe("bad", `subscription { transactions(after: "zz") { mcSeqno } }`, nil)
	m = s.receive()
	require.Equal(t, "error", m.Type)
	require.Contains(t, string(m.Payload), "cursor")
	require.Contains(t, string(m.Payload), `"code":"INVALID"`)

	for _, id := range []string{"a", "b", "c"} {
		s.subscribe(id, `subscription { blocks(where: {workchain: -1}, afterMcSeqno: 0) { node { seqno } } }`, nil)
	}
	s.subscribe("d", `{ __typename }`, nil)
	m = s.receive()
	require.Equal(t, "error", m.Type)
	require.Contains(t, string(m.Payload), "TOO_MANY_SUBSCRIPTIONS")
	s.say(`{"type":"complete","id":"b"}`)
	s.subscribe("b", `{ __typename }`, nil) // the id is free at once
	require.Equal(t, "next", s.receive().Type)
	require.Equal(t, "complete", s.receive().Type)

	l.block(t, 1)
	seen := map[string]bool{}
	for range 2 {
		m := s.receive()
		require.JSONEq(t, `{"data":{"blocks":{"node":{"seqno":1}}}}`, string(m.Payload))
		seen[m.ID] = true
	}
	require.Equal(t, map[string]bool{"a": true, "c": true}, seen)
}

func TestSocket_PagesOfOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	own := newLive(t, nil)
	listed := gatewayOn(t, own.db, func(o *gql.Options) { o.Origins = []string{"https://*.example.com"} })
	open := gatewayOn(t, own.db, func(o *gql.Options) { o.Origins = []string{"*"} })
	for _, c := range []struct {
		l      *live
		origin string
		ok     bool
	}{
		{own, "https://evil.example", false}, {own, own.URL, true}, {own, "", true},
		{listed, "https://app.example.com", true}, {listed, "http://app.example.com", false}, {listed, "https://example.com.evil.example", false},
		{open, "https://evil.example", true},
	} {
		ws, resp, err := websocket.Dial(t.Context(), c.l.URL+"/graphql", &websocket.DialOptions{
			Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Origin": {c.origin}},
		})
		if c.ok {
			require.NoError(t, err, c.origin)
			require.NoError(t, ws.CloseNow())
			continue
		}
		require.Error(t, err, c.origin)
		require.Equal(t, http.StatusForbidden, resp.StatusCode)
	}
}

func TestSocket_ConnectionsOfOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) { o.Limits.MaxConnections = 2 })
	first := l.connect(t)
	l.connect(t)
	_, resp, err := websocket.Dial(t.Context(), l.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	require.Error(t, err)
	require.Equal(t, http.StatusTooManyRequests, resp.StatusCode)
	require.Equal(t, "10", resp.Header.Get("Retry-After"))
	require.NoError(t, first.ws.Close(websocket.StatusNormalClosure, ""))
	require.Eventually(t, func() bool {
		ws, _, err := websocket.Dial(t.Context(), l.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
		return err == nil && ws.CloseNow() == nil
	}, limit, 10*time.Millisecond)
}

func TestSocket_ShutdownSendsAReason(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	s := l.connect(t)
	s.subscribe("a", `subscription { blocks { mcSeqno } }`, nil)
	end := make(chan error, 1)
	go func() { end <- l.handler.Close(context.WithoutCancel(t.Context())) }()
	code, _ := s.closed()
	require.Equal(t, 1001, code)
	require.NoError(t, <-end)
}

// A client that stops reading is disconnected and receives the reason when it reads again in time; others are
// unaffected.
// Messages that cost nothing, such as pings, are read as fast as the bound says, and all of them are responded to.
func TestSocket_MessagesAreReadAtABoundedRate(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const atOnce, perSecond, pings = 1000, 100, 1100
	l := newLive(t, nil)
	s := l.connect(t)
	began := time.Now()
	go func() {
		for range pings {
			if s.ws.Write(context.WithoutCancel(t.Context()), websocket.MessageText, []byte(`{"type":"ping"}`)) != nil {
				return
			}
		}
	}()
	for n := 1; n <= pings; n++ {
		_, data, err := s.ws.Read(t.Context())
		require.NoError(t, err)
		require.Contains(t, string(data), "pong")
		require.LessOrEqual(t, float64(n), atOnce+perSecond*time.Since(began).Seconds()+1)
	}
}

func TestSocket_StuckClientIsDisconnected(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	l := newLive(t, func(o *gql.Options) {
		o.Timing = gql.Timing{Slow: 300 * time.Millisecond, Grace: limit, Ping: limit}
	})
	stuck, quick := l.connect(t), l.connect(t)
	var fields strings.Builder // many bytes an event
	for i := range 28 {
		fmt.Fprintf(&fields, " f%d: prevHash", i)
	}
	stuck.subscribe("a", `subscription { transactions(afterMcSeqno: 0) { node { `+fields.String()+` } } }`, nil)
	quick.subscribe("a", `subscription { transactions(afterMcSeqno: 0) { node { hash } } }`, nil)
	accounts := addresses(100)
	for seqno := uint32(1); seqno <= 100; seqno++ {
		mb := l.block(t, seqno, accounts...)
		for i := range mb.Transactions {
			var e struct {
				Transactions struct{ Node struct{ Hash string } }
			}
			quick.event(&e)
			require.Equal(t, mb.Transactions[i].Hash.String(), e.Transactions.Node.Hash)
		}
	}
	code, reason := stuck.closed()
	require.Equal(t, 1013, code)
	require.Contains(t, reason, "Too slow")
}
