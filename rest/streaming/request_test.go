package streaming_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/streaming"
)

// The refusals of a subscription, in the published order and words.
func TestEvents_RefuseWhatIsNoSubscription(t *testing.T) {
	t.Parallel()
	g := newGateway(t, testdb.New(t), nil, resolvers.Options{Network: "devnet", Limits: resolvers.Limits{Addresses: 2}}, nil)
	a, b, c := testdb.Address().String(), testdb.Address().String(), testdb.Address().String()
	h, h2, h3 := testdb.Hash().String(), testdb.Hash().String(), testdb.Hash().String()
	for body, want := range map[string]string{
		`{}`:                     `{"error":"types are required for subscription"}`,
		`{"types":null,"id":""}`: `{"id":"","error":"types are required for subscription"}`,
		`{"types":["trace_invalidated"],"addresses":["` + a + `"],"id":"x"}`:                        `{"id":"x","error":"invalid event type: trace_invalidated"}`,
		`{"types":["transactions"]}`:                                                                `{"error":"addresses are required for subscription"}`,
		`{"types":["transactions"],"accounts":["` + a + `"]}`:                                       `{"error":"addresses are required for subscription"}`,
		`{"types":["trace"]}`:                                                                       `{"error":"trace_external_hash_norms are required for trace subscription"}`,
		`{"types":["actions"],"addresses":["` + a + `"],"trace_external_hash_norms":["` + h + `"]}`: `{"error":"trace_external_hash_norms requires type \"trace\""}`,
		`{"types":["trace"],"trace_external_hash_norms":[""]}`:                                      `{"error":"trace_external_hash_norms contains empty value"}`,
		`{"types":["transactions"],"addresses":["zz"]}`:                                             `{"error":"invalid address: zz"}`,
		`{"types":["sing"],"addresses":["zz"]}`:                                                     `{"error":"invalid event type: sing"}`,
		`{"types":["transactions"],"addresses":["` + a + `","` + b + `","` + c + `"]}`:              `{"error":"too many addresses: 3 \u003e max 2"}`,
		`{"types":["transactions"],"addresses":["` + a + `"],"min_finality":"signed"}`:              `{"error":"invalid subscription request: unknown finality state: signed"}`,
		`{"types":["transactions"],"addresses":["` + a + `"],"min_finality":"Pending"}`:             `{"error":"invalid subscription request: unknown finality state: Pending"}`,
		`{"types":"transactions"}`:                                                                  `{"error":"invalid subscription request: types: expected an array, not a string"}`,
		`{"types":["transactions"],"addresses":["` + a + `"],"id":5}`:                               `{"error":"invalid subscription request: id: expected a string, not a number"}`,
		`[]`: `{"error":"invalid subscription request: expected an object, not an array"}`,
		`{`:  `{"error":"invalid subscription request: no JSON: unexpected end of JSON input at byte 1"}`,
		`{"types":["actions"],"addresses":["` + a + `"],"msg_body_hash":"` + h + `"}`:             `{"error":"msg_body_hash requires addresses and type \"transactions\""}`,
		`{"types":["transactions"],"addresses":["` + a + `"],"msg_body_hash":"beef"}`:             `{"error":"invalid msg_body_hash"}`,
		`{"types":["trace"],"trace_external_hash_norms":["` + h + `","` + h2 + `","` + h3 + `"]}`: `{"error":"too many trace_external_hash_norms: 3 \u003e max 2"}`,
		`{"types":["actions"],"addresses":["` + a + `"],"action_types":["a","b","c"]}`:            `{"error":"too many action types: at most 2"}`,
		`{"types":["actions"],"addresses":["` + a + `"],"supported_action_types":["a","b","c"]}`:  `{"error":"too many action types: at most 2"}`,
	} {
		status, text := g.post(t, "application/json", body)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Equal(t, want, text, body)
	}
	status, text := g.post(t, "application/json", `{"types":["transactions"],"addresses":["`+a+`"],"replay_existing":true}`)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.JSONEq(t, `{"error":"replay is not configured"}`, text)
	status, text = g.post(t, "text/plain", `{"types":["transactions"],"addresses":["`+a+`"]}`)
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, text, "invalid subscription request: ")
	status, _ = g.post(t, "application/json", `{"types":["transactions"],"addresses":["`+strings.ToLower(a)+`","`+a+`","`+b+`"],"x":1,"operation":1,"ID":"q"}`)
	require.Equal(t, http.StatusOK, status, "an address in two forms is one, unknown members are ignored")
	status, _ = g.post(t, "application/json", `{"types":["actions","trace"],"addresses":["`+a+`"],"trace_external_hash_norms":["`+h+`","`+h2+`"],"action_types":["a","b"],"supported_action_types":["a","b"]}`)
	require.Equal(t, http.StatusOK, status, "as many as are allowed")

	for path, want := range map[string]int{
		"/api/streaming/v2/sse": http.StatusMethodNotAllowed, "/streaming/V2/SSE/": http.StatusMethodNotAllowed, "/api/streaming/v2/ws": http.StatusUpgradeRequired,
		"/api/streaming/v1/sse": http.StatusNotFound, "/api/streaming/healthz": http.StatusServiceUnavailable,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL+path, nil)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode, path)
	}
}

func TestEvents_IdleStreamHasComments(t *testing.T) {
	t.Parallel()
	g := newGateway(t, testdb.New(t), nil, resolvers.Options{Network: "devnet"}, func(o *streaming.Options) { o.Timing.KeepAlive = 10 * time.Millisecond })
	l := g.events(t, `{"id":"q1","types":["transactions"],"addresses":["`+testdb.Address().String()+`"]}`)
	for range 2 {
		require.Equal(t, ": keepalive", l.line())
		require.Empty(t, l.line())
	}
}

// Each message of a connection has a reply, in their order, and errors leave it open.
func TestSocket_RepliesInOrderAndStaysOpen(t *testing.T) {
	t.Parallel()
	g := newGateway(t, testdb.New(t), nil, resolvers.Options{Network: "devnet", Limits: resolvers.Limits{Addresses: 1}}, nil)
	a, b := testdb.Address().String(), testdb.Address().String()
	s := g.dial(t)
	for _, c := range [][2]string{
		{`{"operation":"ping"}`, `{"status":"pong"}`},
		{`{"operation":"ping","id":"p"}`, `{"id":"p","status":"pong"}`},
		{`{"operation":"ping","id":5}`, `{"error":"invalid request envelope: id: expected a string, not a number"}`},
		{`{"operation":"configure","id":"c"}`, `{"id":"c","error":"unknown operation: configure"}`},
		{`{}`, `{"error":"unknown operation: "}`},
		{`not json`, `{"error":"invalid request envelope: no JSON: invalid character 'o' in literal null (expecting 'u') at byte 2"}`},
		{`{"operation":"unsubscribe","id":"u"}`, `{"id":"u","error":"addresses or trace_external_hash_norms are required"}`},
		{`{"operation":"unsubscribe","id":"u","addresses":["` + a + `"]}`, `{"id":"u","status":"unsubscribed"}`},
		{`{"operation":"unsubscribe","id":"u","addresses":["` + a + `"],"types":"transactions","min_finality":"signed"}`, `{"id":"u","status":"unsubscribed"}`},
		{`{"operation":"unsubscribe","id":"u","trace_external_hash_norms":[" ` + testdb.Hash().String() + `\n"]}`, `{"id":"u","status":"unsubscribed"}`},
		{`{"operation":"unsubscribe","id":"u","addresses":7}`, `{"id":"u","error":"invalid unsubscribe request: addresses: expected an array, not a number"}`},
		{`{"operation":"unsubscribe","id":"u","addresses":["x"]}`, `{"id":"u","error":"invalid address: x"}`},
		{`{"operation":"subscribe","id":"s"}`, `{"id":"s","error":"types are required"}`},
		{`{"operation":"subscribe","id":"s","types":["transactions"]}`, `{"id":"s","error":"addresses are required"}`},
		{`{"operation":"subscribe","id":"s","types":7}`, `{"id":"s","error":"invalid subscribe request: types: expected an array, not a number"}`},
		{`{"operation":"subscribe","id":"s","types":["transactions"],"addresses":["` + a + `","` + b + `"]}`, `{"id":"s","error":"address limit exceeded: current 0 + new 2 \u003e max 1"}`},
		{`{"operation":"subscribe","id":"s","types":["transactions"],"addresses":["` + a + `"],"replay_existing":true}`, `{"id":"s","error":"replay is not configured"}`},
		{`{"operation":"subscribe","id":"","types":["transactions"],"addresses":["` + a + `"]}`, `{"id":"","status":"subscribed"}`},
		{`{"operation":"subscribe","types":["transactions"],"addresses":["` + b + `"]}`, `{"status":"subscribed"}`},
	} {
		s.say(c[0])
		require.Equal(t, c[1], s.read(), c[0])
	}
	// The server closes the connection while the client still writes, which may lose the reason.
	_ = s.ws.Write(t.Context(), websocket.MessageText, []byte(`{"operation":"ping","id":"`+strings.Repeat("x", 300<<10)+`"}`))
	require.Contains(t, []websocket.StatusCode{websocket.StatusMessageTooBig, -1}, s.closed())
}

// Connections over both transports count together; places are free again at once.
func TestConnections_OfOneClientAreBounded(t *testing.T) {
	t.Parallel()
	g := newGateway(t, testdb.New(t), nil, resolvers.Options{Network: "devnet"}, func(o *streaming.Options) { o.MaxConnections = 2 })
	body := `{"id":"q","types":["transactions"],"addresses":["` + testdb.Address().String() + `"]}`
	l := g.events(t, body)
	s := g.dial(t)
	s.say(`{"operation":"ping"}`)
	s.read()
	status, text := g.post(t, "application/json", body)
	require.Equal(t, http.StatusTooManyRequests, status)
	require.JSONEq(t, `{"id":"q","error":"connection limit reached: 2 active connections"}`, text)
	third := g.dial(t)
	require.JSONEq(t, `{"error":"connection limit reached: 2 active connections"}`, third.read())
	require.Equal(t, websocket.StatusCode(-1), third.closed(), "without a close frame")
	l.end()
	require.Eventually(t, func() bool { status, _ := g.post(t, "application/json", body); return status == http.StatusOK }, limit, 10*time.Millisecond)
	require.NoError(t, s.ws.Close(websocket.StatusNormalClosure, ""))
	require.Eventually(t, func() bool {
		again := g.dial(t)
		again.say(`{"operation":"ping"}`)
		return strings.Contains(again.read(), "pong")
	}, limit, 10*time.Millisecond)
}

// A client that sends messages faster than they are read waits, and does not keep others waiting.
func TestSocket_MessagesOfAClientArePaced(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	g := newGateway(t, testdb.New(t), nil, resolvers.Options{Network: "devnet"}, func(o *streaming.Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	s := g.dial(t)
	begun := time.Now()
	const messages = 120
	for range messages {
		s.say(`{"operation":"ping"}`)
	}
	for range messages {
		require.JSONEq(t, `{"status":"pong"}`, s.read())
	}
	require.GreaterOrEqual(t, time.Since(begun), 700*time.Millisecond)
}
