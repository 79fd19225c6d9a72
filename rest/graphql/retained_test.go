package graphql_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/rest/handler"
)

// observed returns the gateway behind what records the client of each request.
func observed(t *testing.T, l *live) *live {
	t.Helper()
	server := httptest.NewServer(handler.Observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Client = handler.Client(r, nil)
		l.handler.ServeHTTP(w, r)
	}), slog.New(slog.DiscardHandler), nil))
	t.Cleanup(server.Close)
	return &live{Server: server, db: l.db, handler: l.handler}
}

// The documents of the subscriptions of one client take a bounded memory. Those with the same text take it once, and what ends gives it back.
//
//nolint:paralleltest // it takes the memory of the process
func TestSubscriptions_RetainABoundedMemory(t *testing.T) {
	pacetest.Long(t)
	inner := newLive(t, nil)
	inner.block(t, 1, addresses(1)...)
	l := observed(t, inner)
	long := func(i int) string {
		return fmt.Sprintf("subscription { blocks(afterMcSeqno: 0) { mcSeqno } } #%d %s", i, strings.Repeat("x", 950_000))
	}
	// begin reports whether a subscription is accepted: then it has an event.
	begin := func(s *socket, id, query string) bool {
		payload, err := json.Marshal(map[string]any{"query": query, "extensions": map[string]any{"x": []int{1, 2, 3}}})
		require.NoError(t, err)
		s.say(`{"type":"subscribe","id":"` + id + `","payload":` + string(payload) + `}`)
		m := s.receive()
		for m.ID != id { // a further event of another subscription
			m = s.receive()
		}
		if m.Type == "error" {
			require.Contains(t, string(m.Payload), `"TOO_MANY_SUBSCRIPTIONS"`)
			require.Contains(t, string(m.Payload), "too much memory")
			return false
		}
		require.Equal(t, "next", m.Type, string(m.Payload))
		return true
	}
	const each = 8 // as many long messages are read of a connection at once
	accepted := 0
	var sockets []*socket
	for i := range 5 * each {
		if i%each == 0 {
			sockets = append(sockets, l.connect(t))
		}
		if begin(sockets[len(sockets)-1], strconv.Itoa(i), long(i)) {
			accepted++
		}
	}
	require.Greater(t, accepted, 28)
	require.Less(t, accepted, 36)
	again := l.connect(t)
	for i := range 5 {
		require.True(t, begin(again, strconv.Itoa(i), long(0)), "another subscription with the same document")
	}
	require.False(t, begin(again, "a", long(100)))
	for _, s := range append(sockets, again) {
		require.NoError(t, s.ws.CloseNow())
	}
	require.Eventually(t, func() bool { return begin(l.connect(t), "a", long(100)) }, limit, limit/100)
}

// An id of an operation is retained, too.
func TestSocket_LongIDsAreRefused(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	s := l.connect(t)
	s.say(`{"type":"subscribe","id":"` + strings.Repeat("x", 1000) + `","payload":{"query":"{ __typename }"}}`)
	require.Equal(t, "next", s.receive().Type)
	s.say(`{"type":"subscribe","id":"` + strings.Repeat("x", 1001) + `","payload":{"query":"{ __typename }"}}`)
	code, _ := s.closed()
	require.Equal(t, 4400, code)
}
