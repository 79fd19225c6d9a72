package graphql_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

func addresses(n int) []chain.Address {
	list := make([]chain.Address, n)
	for i := range list {
		list[i] = testdb.Address()
	}
	return list
}

// Each kind of event, with a filter.
func TestSubscription_EachKindIsFiltered(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	a := addresses(3)
	s := l.connect(t)
	for id, query := range map[string]string{
		"blocks":        `{ blocks(where: {workchain: 0}, afterMcSeqno: 1) { mcSeqno node { seqno workchain transactions(first: 5) { nodes { lt } } } } }`,
		"transactions":  `($a: [Address!]) { transactions(where: {accounts: $a, aborted: false, kind: ORD, workchain: 0}, afterMcSeqno: 1) { mcSeqno node { account { address } block { seqno } outMessages { destination { address } } } } }`,
		"messages":      `($a: [Address!]) { messages(where: {destinations: $a, opcode: "0x00000000", kind: INTERNAL, minValue: "1"}, afterMcSeqno: 1) { mcSeqno node { source { address } sourceTransaction { lt } } } }`,
		"accountStates": `($a: [Address!]!) { accountStates(accounts: $a, afterMcSeqno: 1) { mcSeqno account { address } node { balance } } }`,
		"traces":        `($a: [Address!]) { traces(where: {accounts: $a}, afterMcSeqno: 1) { mcSeqno node { transactionCount } } }`,
	} {
		query = "subscription Of" + query
		s.subscribe(id, query, map[string]any{"a": []string{a[1].String()}})
	}
	s.subscribe("actions", `subscription { actions(where: {types: ["jetton_transfer"]}) { mcSeqno node { type } } }`, nil)
	l.block(t, 2, a...)
	got := map[string]string{}
	for len(got) < 4 {
		m := s.receive()
		require.Equal(t, "next", m.Type, m.ID+string(m.Payload))
		require.Empty(t, got[m.ID], m.ID)
		got[m.ID] = string(m.Payload)
	}
	raw := func(i int) string { return strings.ToUpper(a[i].String()) }
	require.Contains(t, got["blocks"], `"mcSeqno":2,"node":{"seqno":2,"workchain":0,"transactions":{"nodes":[{"lt":`)
	require.Contains(t, got["transactions"], `"node":{"account":{"address":"`+raw(1)+`"},"block":{"seqno":2},"outMessages":[{"destination":{"address":"`+raw(2))
	require.Contains(t, got["messages"], `"source":{"address":"`+raw(0)+`"},"sourceTransaction":{"lt":`)
	require.Contains(t, got["accountStates"], `"account":{"address":"`+raw(1)+`"},"node":{"balance":"2"}`)
}

func TestSubscription_InvalidOnesAreRefused(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	s := l.connect(t)
	for query, says := range map[string]string{
		`subscription { blocks { mcSeqno } transactions { mcSeqno } }`:            "only one",
		`subscription { blocks(where: {shard: "8000000000000000"}) { mcSeqno } }`: "shard needs workchain",
		`subscription { blocks(after: "a", afterMcSeqno: 1) { mcSeqno } }`:        "not both",
		`subscription { actions(where: {types: ["a b"]}) { mcSeqno } }`:           "invalid characters",
		`subscription { transactions(where: {accounts: ["zz"]}) { mcSeqno } }`:    "an address is",
		`subscription { transactions { node { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { previous { hash } } } } } } } } } } } } } } } } } } } } } }`: "nested too deep",
	} {
		s.subscribe("a", query, nil)
		m := s.receive()
		require.Equal(t, "error", m.Type, query)
		require.Contains(t, string(m.Payload), says)
	}
	_, a := send(t, l.Config.Handler, http.MethodPost, "/graphql", `{"query":"subscription { blocks { mcSeqno } }"}`, map[string]string{"Content-Type": "application/json"})
	require.Contains(t, a.Errors[0].Message, "graphql-transport-ws")
}

// One subscriber and many cost the same number of statements.
func TestStatements_DoNotGrowWithSubscribers(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	l.block(t, 1)
	const query = `subscription($after: UInt32) { transactions(afterMcSeqno: $after) { node { hash inMessage { hash } outMessages { destination { state { balance } } } stateAfter { balance } } } }`
	statements := func(subscribers int, seqno uint32, queries func(i int) string) int64 {
		list := make([]*socket, subscribers)
		for i := range list {
			list[i] = l.connect(t)
			list[i].subscribe("a", queries(i), map[string]any{"after": seqno - 1})
		}
		before := l.count.n.Load()
		mb := l.block(t, seqno, addresses(5)...)
		for _, s := range list {
			for i := range mb.Transactions {
				var e struct {
					Transactions struct{ Node struct{ Hash string } }
				}
				s.event(&e)
				require.Equal(t, mb.Transactions[i].Hash.String(), e.Transactions.Node.Hash)
			}
		}
		for _, s := range list {
			require.NoError(t, s.ws.CloseNow())
		}
		return l.count.n.Load() - before
	}
	same := func(int) string { return query }
	one := statements(1, 2, same)
	require.LessOrEqual(t, statements(50, 3, same), one+5, "indexed ranges are polled occasionally")
	// Different queries for the same data share the rows.
	other := func(i int) string {
		return strings.Replace(query, "subscription", "subscription S"+strings.Repeat("x", i), 1)
	}
	require.LessOrEqual(t, statements(50, 4, other), 3*one)
}

// All gateways of one database publish, and one resumes after the cursor of another.
func TestSubscription_ResumesAtAnotherGateway(t *testing.T) {
	t.Parallel()
	one := newLive(t, nil)
	other := gatewayOn(t, one.db, nil)
	one.block(t, 1)
	const query = `subscription($after: String, $block: UInt32) { transactions(after: $after, afterMcSeqno: $block) { cursor mcSeqno node { hash } } }`
	type event struct {
		Transactions struct {
			Cursor  string
			McSeqno uint32
			Node    struct{ Hash string }
		}
	}
	a, b := one.connect(t), other.connect(t)
	a.subscribe("a", query, map[string]any{"block": 1})
	b.subscribe("a", query, map[string]any{"block": 1})
	mb := one.block(t, 2, addresses(4)...)
	var ea, eb event
	for i := range mb.Transactions {
		a.event(&ea)
		b.event(&eb)
		require.Equal(t, ea, eb)
		require.Equal(t, mb.Transactions[i].Hash.String(), ea.Transactions.Node.Hash)
		again := other.connect(t)
		again.subscribe("a", query, map[string]any{"after": ea.Transactions.Cursor})
		for j := i + 1; j < len(mb.Transactions); j++ {
			var e event
			again.event(&e)
			require.Equal(t, mb.Transactions[j].Hash.String(), e.Transactions.Node.Hash)
		}
		require.NoError(t, again.ws.CloseNow())
	}
}

// Server-sent events have cursors as ids; a new request continues after Last-Event-ID.
func TestEventStream_ResumesAfterTheLastEventID(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	first := l.block(t, 1, addresses(2)...)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	open := func(method, target, body string, header ...string) (*http.Response, *bufio.Scanner) {
		req, err := http.NewRequestWithContext(ctx, method, l.URL+target, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Accept", "text/event-stream")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp, bufio.NewScanner(resp.Body)
	}
	next := func(s *bufio.Scanner) (kind, id, data string) {
		for s.Scan() {
			name, value, _ := strings.Cut(s.Text(), ": ")
			switch name {
			case "event":
				kind = value
			case "id":
				id = value
			case "data":
				data = value
			case "data:":
			case "":
				if kind != "" {
					return kind, id, data
				}
			}
		}
		require.NoError(t, s.Err())
		require.Fail(t, "the stream has ended")
		return "", "", ""
	}
	body := func(query string) string {
		text, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		return string(text)
	}
	resp, s := open(http.MethodPost, "/graphql", body(`subscription { transactions(afterMcSeqno: 0) { node { hash } } }`), "Content-Type", "application/json")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "text/event-stream; charset=utf-8", resp.Header.Get("Content-Type"))
	kind, cursor, data := next(s)
	require.Equal(t, "next", kind)
	require.JSONEq(t, `{"data":{"transactions":{"node":{"hash":"`+first.Transactions[0].Hash.String()+`"}}}}`, data)

	// An EventSource repeats its URL with the last id.
	_, s = open(http.MethodGet, "/graphql?query="+strings.ReplaceAll(`subscription{transactions(afterMcSeqno:0){node{hash}}}`, " ", "+"), "", "Last-Event-ID", cursor)
	_, _, data = next(s)
	require.Contains(t, data, first.Transactions[1].Hash.String())

	_, s = open(http.MethodPost, "/graphql", body(`{ __typename }`), "Content-Type", "application/json")
	kind, _, data = next(s)
	require.Equal(t, "next", kind)
	require.JSONEq(t, `{"data":{"__typename":"Query"}}`, data)
	kind, _, _ = next(s)
	require.Equal(t, "complete", kind)

	_, s = open(http.MethodGet, "/graphql?query=mutation{sendMessage(boc:\"\"){hash}}", "")
	_, _, data = next(s)
	require.Contains(t, data, "errors")
	resp, _ = open(http.MethodPost, "/graphql", "x=1", "Content-Type", "application/x-www-form-urlencoded")
	require.Equal(t, http.StatusUnsupportedMediaType, resp.StatusCode)
}
