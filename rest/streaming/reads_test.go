package streaming

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// A client with many connections takes a quarter of the reads; a place that is given up while waiting is free again.
func TestReads_OneClientLeavesSomeForOthers(t *testing.T) {
	t.Parallel()
	all := newReads()
	one, same, other := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2"), netip.MustParseAddr("192.0.2.1")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	var ends []func()
	for range maxReadsOfClient {
		done, err := all.Begin(t.Context(), one)
		require.NoError(t, err)
		ends = append(ends, done)
	}
	for range 100 {
		_, err := all.Begin(over, same)
		require.ErrorIs(t, err, context.Canceled, "the same network")
	}
	done, err := all.Begin(t.Context(), other)
	require.NoError(t, err)
	done()
	for _, done := range ends {
		done()
	}
	done, err = all.Begin(t.Context(), same)
	require.NoError(t, err)
	done()
	require.Zero(t, all.Busy())
}

// Subscriptions of all sessions have a size together, and give it back.
func TestSubscriptions_AreBoundedTogether(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	large := newSubscription("")
	large.supported = map[string]bool{string(make([]byte, 48<<20)): true}
	var sessions []*session
	for range 5 {
		s := &session{h: h, memory: h.memory.Allocation(t.Context())}
		require.NoError(t, s.subscribe(large))
		require.NoError(t, s.subscribe(large), "it replaces the one before")
		sessions = append(sessions, s)
	}
	further := &session{h: h, memory: h.memory.Allocation(t.Context())}
	require.ErrorIs(t, further.subscribe(large), errTooLarge)
	require.NoError(t, further.subscribe(newSubscription("v1")))
	sessions[0].end()
	require.NoError(t, further.subscribe(large))
	for _, s := range append(sessions, further) {
		s.end()
	}
	require.Zero(t, h.memory.Taken())

	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	ws, resp, err := websocket.Dial(t.Context(), server.URL+Prefix+"/v2/ws", &websocket.DialOptions{HTTPHeader: http.Header{"X-Actions-Version": {"jettons"}}})
	require.NoError(t, err)
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte(`{"operation":"ping"}`)))
	_, _, err = ws.Read(t.Context())
	require.NoError(t, err)
	require.Positive(t, h.memory.Taken(), "the types of the header")
	require.NoError(t, ws.CloseNow())
	require.NoError(t, h.Close(t.Context()))
	require.Zero(t, h.memory.Taken())
	require.Zero(t, newSubscription("").size(), "all share the types of the latest set")
}

// The subscriptions of one client, by WebSocket and as event streams, leave memory for those of others; what ends or becomes smaller gives it back.
func TestSubscriptions_OfOneClientHaveAShare(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	svc := resolvers.New(testdb.New(t).Reader(), nil, resolvers.Options{Network: "devnet"})
	t.Cleanup(svc.Close)
	h := New(Options{Service: svc})
	server := httptest.NewServer(handler.Observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Client = netip.MustParseAddr(r.Header.Get("X-Client"))
		h.ServeHTTP(w, r)
	}), slog.New(slog.DiscardHandler), nil))
	t.Cleanup(server.Close)
	body := func(operation string, addresses int) []byte {
		list := make([]string, addresses)
		for i := range list {
			list[i] = testdb.Address().String()
		}
		text, err := json.Marshal(map[string]any{"operation": operation, "types": []string{"transactions"}, "addresses": list})
		require.NoError(t, err)
		return text
	}
	dial := func(client string) func(text []byte) string {
		ws, resp, err := websocket.Dial(t.Context(), server.URL+Prefix+"/v2/ws", &websocket.DialOptions{HTTPHeader: http.Header{"X-Client": {client}}})
		require.NoError(t, err)
		if resp.Body != nil {
			_ = resp.Body.Close()
		}
		t.Cleanup(func() { _ = ws.CloseNow() })
		return func(text []byte) string {
			require.NoError(t, ws.Write(t.Context(), websocket.MessageText, text))
			_, reply, err := ws.Read(t.Context())
			require.NoError(t, err)
			return string(reply)
		}
	}
	post := func(client string) (status int, text string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+Prefix+"/v2/sse", bytes.NewReader(body("", 1000)))
		require.NoError(t, err)
		req.Header.Set("X-Client", client)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		read, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(read)
	}
	// What other connections of the client take.
	var others *handler.Allocation
	observed(t, func(r *http.Request) { others = h.memory.Allocation(r.Context()) })
	require.NoError(t, others.Resize(64<<20-100_000))
	const noFeed = "this gateway has no live events"

	same, other := dial("2001:db8::2"), dial("192.0.2.1")
	require.Contains(t, same(body("subscribe", 1000)), noFeed, "there is room for one")
	require.Contains(t, dial("2001:db8::3")(body("subscribe", 1000)), errTooLargeOfClient.Error())
	status, text := post("2001:db8::4")
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Contains(t, text, errTooLargeOfClient.Error())
	require.Contains(t, other(body("subscribe", 1000)), noFeed)
	status, text = post("192.0.2.2")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, noFeed)
	require.Contains(t, same(body("subscribe", 10)), noFeed, "a smaller one is always possible")
	require.Contains(t, dial("2001:db8::3")(body("subscribe", 900)), noFeed)
	require.NoError(t, others.Resize(0))
	require.NoError(t, h.Close(t.Context()))
	require.Eventually(t, func() bool { return h.memory.Taken() == 0 }, time.Minute, time.Millisecond)
}

// observed calls use with a request of 2001:db8::1.
func observed(t *testing.T, use func(r *http.Request)) {
	t.Helper()
	handler.Observe(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Client = netip.MustParseAddr("2001:db8::1")
		use(r)
	}), slog.New(slog.DiscardHandler), nil).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
}

// A notification that is too long is left out and counted, and the session continues.
func TestNotifications_TooLongOnesAreLeftOut(t *testing.T) {
	t.Parallel()
	h := New(Options{})
	sent := 0
	s := &session{h: h, client: netip.MustParseAddr("192.0.2.1"), send: func([]byte) error { sent++; return nil }}
	sub := newSubscription("")
	tx := chain.FullTransaction{InMessage: &chain.Message{Body: make(chain.BOC, maxNotification)}}
	for _, c := range []struct {
		txs        []*chain.FullTransaction
		sent, left int
	}{{[]*chain.FullTransaction{&tx, &tx}, 0, 1}, {[]*chain.FullTransaction{{}}, 1, 1}} {
		require.NoError(t, s.notify(t.Context(), sub, "transactions", chain.Hash{1}, pending, func(n *message) { n.transactions(c.txs) }))
		require.Equal(t, c.sent, sent)
		require.InDelta(t, c.left, testutil.ToFloat64(h.skipped), 0)
	}
	require.True(t, s.open.remove(chain.Hash{1}), "only of what was sent")
}

// A panic ends the session, whose goroutine is its own, and not the program.
func TestSession_APanicEndsItOnly(t *testing.T) {
	t.Parallel()
	s := &session{h: New(Options{})}
	err := s.run(t.Context(), &feed.Stream{}) // it follows nothing
	require.Equal(t, chain.Internal, chain.KindOf(err))
	require.ErrorContains(t, err, "nil pointer")
}

// A session, which clients cannot resume, outlasts the loss of the database, and gives the place of its read to others meanwhile.
func TestSession_OutlastsTheLossOfTheDatabase(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := &session{h: New(Options{}), client: netip.MustParseAddr("192.0.2.1")}
	calls, lost := 0, chain.Unavailablef(nil, "lost")
	read := func(context.Context) error {
		if calls++; calls <= 2 {
			return lost
		}
		return nil
	}
	require.NoError(t, s.retried(t.Context(), &feed.Batch{}, read))
	require.Equal(t, 3, calls)
	calls, lost = 0, chain.Invalidf("other")
	require.ErrorIs(t, s.retried(t.Context(), &feed.Batch{}, read), lost)
	require.Equal(t, 1, calls)
}

// No notification of an earlier subscription follows the reply that it has changed: the reply waits for the batch that is delivered, but not for one that waits for the database.
func TestUnsubscribe_NothingOfTheEarlierSubscriptionFollows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	h := New(Options{})
	c := &connection{session: session{h: h, memory: h.memory.Allocation(t.Context())}, working: t.Context(), started: true}
	require.NoError(t, c.session.subscribe(newSubscription("")))
	unsubscribed := make(chan []byte, 1)
	unsubscribe := func() { unsubscribed <- c.unsubscribe(&removal{Addresses: []string{testdb.Address().String()}}) }
	c.session.begun.Add(1)
	go unsubscribe()
	select {
	case reply := <-unsubscribed:
		require.Fail(t, "the reply does not wait", "%s", reply)
	case <-time.After(50 * time.Millisecond):
	}
	c.session.delivered.Add(1)
	require.JSONEq(t, `{"status":"unsubscribed"}`, string(<-unsubscribed))

	c.session.begun.Add(1) // and is not delivered
	begun := time.Now()
	unsubscribe()
	require.JSONEq(t, `{"status":"unsubscribed"}`, string(<-unsubscribed))
	require.GreaterOrEqual(t, time.Since(begun), settleTime)
}
