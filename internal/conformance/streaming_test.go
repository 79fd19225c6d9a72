package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
)

// streamer is a small server of the streaming API. broken changes a reply before it is sent; the kind says which it is.
type streamer struct {
	broken func(request subscription, kind string, reply map[string]any) map[string]any
	first  string // name of the first event, if it is another one
}

type subscription struct {
	Operation   string
	ID          *string
	Types       []string
	Addresses   []string
	Hashes      []string `json:"trace_external_hash_norms"`
	MinFinality string   `json:"min_finality"`
}

// refusal returns why a subscription is refused.
func (s subscription) refusal() string {
	others := false
	for _, kind := range s.Types {
		if !slices.Contains([]string{"transactions", "actions", "trace", "account_state_change", "jettons_change"}, kind) {
			return "invalid event type: " + kind
		}
		others = others || kind != "trace"
	}
	trace := slices.Contains(s.Types, "trace")
	for _, a := range s.Addresses {
		if rawOf(a) == "" && !rawAddress.MatchString(strings.ToUpper(a)) {
			return "invalid address: " + a
		}
	}
	switch {
	case len(s.Types) == 0:
		return "types are required"
	case len(s.Hashes) > 0 && !trace:
		return `trace_external_hash_norms requires type "trace"`
	case trace && len(s.Hashes) == 0:
		return "trace_external_hash_norms are required for trace subscription"
	case others && len(s.Addresses) == 0:
		return "addresses are required"
	case s.MinFinality != "" && !slices.Contains([]string{"pending", "confirmed", "finalized"}, s.MinFinality):
		return "unknown finality state: " + s.MinFinality
	}
	return ""
}

func (s streamer) reply(request subscription, kind string, members map[string]any) map[string]any {
	if request.ID != nil {
		members["id"] = *request.ID
	}
	if s.broken != nil {
		members = s.broken(request, kind, members)
	}
	return members
}

func (s streamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/"+socketPath:
		s.socket(w, r)
		return
	case r.URL.Path != "/"+streamPath:
		http.NotFound(w, r)
		return
	case r.Method != http.MethodPost && s.broken == nil:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var request subscription
	w.Header().Set("Content-Type", "application/json")
	var refusal string
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		request.Operation, refusal = "malformed", "invalid subscription request"
	} else {
		refusal = request.refusal()
	}
	if refusal != "" {
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(s.reply(request, "error", map[string]any{"error": refusal})) // the client may be gone
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	connected, _ := json.Marshal(s.reply(request, "connected", map[string]any{"status": "subscribed"}))
	_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n: keepalive\n\n", cmp.Or(s.first, "connected"), connected)
	_ = http.NewResponseController(w).Flush() // the client may be gone
	<-r.Context().Done()
}

func (s streamer) socket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }() // the client may be gone
	for {
		_, text, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		var request subscription
		if json.Unmarshal(text, &request) != nil {
			return
		}
		var reply map[string]any
		switch refusal := request.refusal(); {
		case request.Operation == "ping":
			reply = s.reply(request, "status", map[string]any{"status": "pong"})
		case request.Operation == "unsubscribe":
			reply = s.reply(request, "status", map[string]any{"status": "unsubscribed"})
		case request.Operation != "subscribe":
			reply = s.reply(request, "error", map[string]any{"error": "unknown operation: " + request.Operation})
		case refusal != "":
			reply = s.reply(request, "error", map[string]any{"error": refusal})
		default:
			reply = s.reply(request, "status", map[string]any{"status": "subscribed"})
		}
		if writeMessage(r.Context(), conn, reply) != nil {
			return
		}
	}
}

func runStreaming(t *testing.T, s streamer) *Report {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	defer server.CloseClientConnections()
	report, err := Run(t.Context(), Options{BaseURL: server.URL, Time: time.Minute, RequestTime: 10 * time.Second, MaxBody: 1 << 20, Selection: Selection{Only: []string{"streaming"}}})
	require.NoError(t, err)
	return report
}

// What needs a chain is skipped; the rest passes on a server that follows the contract.
func TestStreaming_PassesOnACorrectServer(t *testing.T) {
	t.Parallel()
	report := runStreaming(t, streamer{})
	for _, r := range report.Results {
		if r.ID == "streaming.sse.transactions" {
			require.Equal(t, Skip, r.Status)
			continue
		}
		require.Equal(t, Pass, r.Status, "%s: %s", r.ID, r.Detail)
	}
	require.GreaterOrEqual(t, report.Count(Pass), 15)
}

// Every check of the section fails on a server that is broken in one of these ways.
func TestStreaming_EachCheckCanFail(t *testing.T) {
	t.Parallel()
	failed := map[string]bool{}
	// The server is detected by its error to an empty request.
	detection := func(r subscription) bool { return r.Operation == "" && r.Types == nil && r.Addresses == nil }
	for _, broken := range []streamer{
		{first: "message"},
		{broken: func(r subscription, _ string, reply map[string]any) map[string]any { // errors without a text
			if reply["error"] != nil && !detection(r) {
				reply["error"] = ""
			}
			return reply
		}},
		{broken: func(_ subscription, _ string, reply map[string]any) map[string]any { // ids are forgotten
			delete(reply, "id")
			return reply
		}},
		{broken: func(r subscription, _ string, reply map[string]any) map[string]any { // other members
			if detection(r) {
				return reply
			}
			return map[string]any{"ok": false}
		}},
	} {
		report := runStreaming(t, broken)
		for _, r := range report.Results {
			failed[r.ID] = failed[r.ID] || r.Status == Fail
		}
	}
	var never []string
	for _, c := range streamingChecks() {
		if !failed[c.ID] && c.ID != "streaming.sse.transactions" { // TestStreaming_TransactionsAreThoseOfTheAccount
			never = append(never, c.ID)
		}
	}
	require.Empty(t, never)
}

func TestStreaming_TransactionsAreThoseOfTheAccount(t *testing.T) {
	t.Parallel()
	event := func(account string) string {
		tx := `{"account":"` + account + `","hash":"` + noHash + `","lt":"5","now":7,"in_msg":null,"out_msgs":[]}`
		return `{"type":"transactions","finality":"finalized","trace_external_hash_norm":"` + noHash + `","transactions":[` + tx + `]}`
	}
	for sent, want := range map[string]Status{event(nobody): Pass, event("0:" + strings.Repeat("A", 64)): Fail, `{"type":"transactions"}`: Fail, `{`: Fail} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "event: connected\ndata: {\"status\":\"subscribed\"}\n\nevent: event\ndata: %s\n\n", sent)
		}))
		c, err := newClient(Options{BaseURL: server.URL, RequestTime: 10 * time.Second, MaxBody: 1 << 20})
		require.NoError(t, err)
		p := &probe{ctx: t.Context(), client: c, facts: &facts{}}
		p.transactionEvent(nobody)
		require.Equal(t, want == Fail, p.failure != "", "%s: %s", sent, p.failure)
		c.close()
		server.Close()
	}
}
