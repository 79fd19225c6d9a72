package graphql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/graph"
	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/feed"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// filtered is the index of a chain on which every step of the scenario has happened, with its subscriptions and lists.
type filtered struct {
	*testing.T
	live   *live
	schema graphql.ExecutableSchema
	exec   *executor.Executor
	first  uint32 // the masterchain block before the first indexed one
}

func newFiltered(t *testing.T) *filtered {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*5*time.Minute)
	t.Cleanup(cancel)
	network := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0xa9}, Scenario: true, ActionsPerMinute: 60, ShardPeriod: 24}, Blocks: 75,
	})
	db := testdb.New(t)
	stop := network.Index(t, db, indexer.Options{})
	network.WaitIndexed(t, db)
	stop()
	info, err := db.Reader().MasterchainInfo(ctx)
	require.NoError(t, err)
	f := &filtered{T: t, live: gatewayTo(t, db, nil, resolvers.Options{Network: "devnet"}, nil), first: info.First.Seqno - 1}
	f.schema = newSubscriptions(t, db)
	f.exec = executor.New(f.schema)
	return f
}

// newSubscriptions returns the schema with a feed, for streams that the test reads itself.
func newSubscriptions(t *testing.T, db *store.DB) graphql.ExecutableSchema {
	t.Helper()
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "devnet"})
	f := feed.New(db.Reader(), feed.Options{Listen: db.Listen, Logger: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done); svc.Close() })
	return graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{Service: svc, Feed: f}})
}

// open subscribes and returns the stream, or the texts of the errors.
func (f *filtered) open(kind string, where map[string]any, after string) (*feed.Stream, []string) {
	f.Helper()
	of := f.schema.Schema().Types["Subscription"].Fields.ForName(kind).Arguments.ForName("where").Type.Name()
	p := &graphql.RawParams{
		Query:     fmt.Sprintf(`subscription($where: %s, $after: String, $block: UInt32) { %s(where: $where, after: $after, afterMcSeqno: $block) { cursor } }`, of, kind),
		Variables: map[string]any{"where": where},
	}
	if p.Variables["block"] = f.first; after != "" {
		p.Variables = map[string]any{"where": where, "after": after}
	}
	text, err := json.Marshal(p.Variables)
	require.NoError(f, err)
	d := json.NewDecoder(bytes.NewReader(text)) // numbers as the transports decode them
	d.UseNumber()
	p.Variables = nil
	require.NoError(f, d.Decode(&p.Variables))
	sink := &feed.Sink{}
	ctx := graphql.StartOperationTrace(feed.WithSink(f.Context(), sink))
	op, errs := f.exec.CreateOperationContext(ctx, p)
	if len(errs) == 0 {
		next, opened := f.exec.DispatchOperation(ctx, op)
		if sink.Stream == nil {
			errs = next(opened).Errors
		}
	}
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Message
	}
	return sink.Stream, texts
}

// untilHead ends when the stream has read all indexed blocks. A stream checks it between batches, in its own goroutine.
type untilHead struct {
	context.Context //nolint:containedctx // of one test
	stream          *feed.Stream
}

func (c untilHead) Err() error {
	if c.stream.Behind() == 0 {
		return context.Canceled
	}
	return c.Context.Err() //nolint:wrapcheck // the contract of Err
}

// events returns all events of a filter up to the head.
func (f *filtered) events(kind string, where map[string]any, after string) []*feed.Event {
	f.Helper()
	stream, errs := f.open(kind, where, after)
	require.Empty(f, errs, "%s %v", kind, where)
	defer stream.Close()
	var all []*feed.Event
	for {
		events, err := stream.Next(untilHead{f.Context(), stream})
		if err != nil {
			require.ErrorIs(f, err, context.Canceled)
			require.Zero(f, stream.Behind())
			return all
		}
		all = append(all, events...)
	}
}

// list returns the ids of all rows that a list of the root selects, or the texts of the errors.
func (f *filtered) list(kind string, where map[string]any) (ids, errs []string) {
	f.Helper()
	of := f.schema.Schema().Types["Query"].Fields.ForName(kind).Arguments.ForName("where").Type.Name()
	query := fmt.Sprintf(`query($where: %s, $after: String) { list: %s(where: $where, first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`, of, kind)
	var after *string
	for {
		_, a := post(f.T, f.live.Config.Handler, query, map[string]any{"where": where, "after": after})
		for _, err := range a.Errors {
			errs = append(errs, err.Message)
		}
		if errs != nil {
			return nil, errs
		}
		var data struct {
			List struct {
				Nodes    []struct{ ID string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		require.NoError(f, json.Unmarshal(a.Data, &data))
		for _, n := range data.List.Nodes {
			ids = append(ids, n.ID)
		}
		if !data.List.PageInfo.HasNextPage {
			return ids, nil
		}
		after = data.List.PageInfo.EndCursor
	}
}

// listed returns the ids of the rows that the lists of the root select with what a subscription filters by. Fields of several accounts are
// one account in these lists, so their results are united.
func (f *filtered) listed(kind string, where map[string]any) []string {
	f.Helper()
	several := map[string]map[string][]string{
		"messages": {"accounts": {"source", "destination"}, "sources": {"source"}, "destinations": {"destination"}},
		"traces":   {"accounts": {"account"}}, "actions": {"accounts": {"account"}},
	}[kind]
	for field, to := range several {
		accounts, given := where[field].([]string)
		if !given {
			continue
		}
		united := []string{}
		for _, account := range accounts {
			for _, name := range to {
				one := maps.Clone(where)
				delete(one, field)
				one[name] = account
				united = append(united, f.listed(kind, one)...)
			}
		}
		slices.Sort(united)
		return slices.Compact(united)
	}
	ids, errs := f.list(kind, where)
	require.Empty(f, errs, "%s %v", kind, where)
	slices.Sort(ids)
	return ids
}

// require checks one filter: the events are those rows of all that match, in their order, and the rows of the list, also after each cursor
// of some. It returns whether the filter selects some rows and not others.
func (f *filtered) require(kind string, all []*feed.Event, c filterCase) (selective bool) {
	f.Helper()
	name := fmt.Sprintf("%s %v", kind, c.where)
	events := f.events(kind, c.where, "")
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = idOf(e)
	}
	if c.matches != nil {
		want := []string{}
		for _, e := range all {
			if c.matches(e) {
				want = append(want, idOf(e))
			}
		}
		require.Equal(f, want, ids, name)
	}
	sorted := slices.Sorted(slices.Values(ids))
	require.ElementsMatch(f, f.listed(kind, c.where), sorted, name)
	for _, at := range []int{0, len(events) / 2, len(events) - 1} {
		if at < 0 || at >= len(events) {
			continue
		}
		rest := []string{}
		for _, e := range f.events(kind, c.where, events[at].Cursor.String()) {
			rest = append(rest, idOf(e))
		}
		require.Equal(f, ids[at+1:], rest, "%s after event %d", name, at)
	}
	return len(events) > 0 && len(events) != len(all) // a set of supported types may select more
}

func idOf(e *feed.Event) string { return e.Node.(chain.Identified).NodeID() } //nolint:forcetypeassert // nodes of feeds have ids

// subscriptionFilters are the fields of the schema by which subscriptions are filtered.
func subscriptionFilters(s *ast.Schema) map[string]ast.FieldList {
	found := map[string]ast.FieldList{}
	for _, field := range s.Types["Subscription"].Fields {
		if where := field.Arguments.ForName("where"); where != nil {
			found[field.Name] = s.Types[where.Type.Name()].Fields
		}
	}
	return found
}

// Each field of each filter lets through the events that match and no others, as the list of the root with the same filter, also when a
// subscription resumes. A field of the schema without cases fails.
func TestSubscriptionFilters_SelectWhatTheListSelects(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	f := newFiltered(t)
	for kind, fields := range subscriptionFilters(f.schema.Schema()) {
		all := f.events(kind, nil, "")
		require.NotEmpty(t, all, kind)
		ids, errs := f.list(kind, nil)
		require.Empty(t, errs)
		var published []string
		for _, e := range all {
			published = append(published, idOf(e))
		}
		require.ElementsMatch(t, ids, published, kind)
		cases := f.cases(kind, all)
		for _, field := range fields {
			list := cases[field.Name]
			require.NotEmpty(t, list, "give the field %s of the filter of %s cases", field.Name, kind)
			selective := false
			for _, c := range list {
				require.Contains(t, c.where, field.Name)
				selective = f.require(kind, all, c) || selective
			}
			require.True(t, selective, "no case of %s of %s selects some events and not others", field.Name, kind)
		}
	}
}

// Subscriptions and lists are filtered by the same fields. Lists of the root have fields of one account, and those that name rows or a
// masterchain block, after which a subscription has no events.
func TestSubscriptionFilters_HaveTheFieldsOfTheList(t *testing.T) {
	t.Parallel()
	s := newSubscriptions(t, testdb.New(t)).Schema()
	onlyLists := []string{"account", "block", "destination", "hashes", "mcSeqno", "messages", "source", "traces", "transactions"}
	for kind, fields := range subscriptionFilters(s) {
		lists := s.Types[s.Types["Query"].Fields.ForName(kind).Arguments.ForName("where").Type.Name()].Fields
		for _, field := range fields {
			list := lists.ForName(field.Name)
			if list == nil && field.Type.Elem != nil {
				list = lists.ForName(strings.TrimSuffix(field.Name, "s")) // of one account
			}
			if kind == "messages" && field.Name == "accounts" {
				continue // source or destination
			}
			require.NotNil(t, list, "the list of %s cannot be filtered by %s", kind, field.Name)
			require.Equal(t, list.Type.Name(), field.Type.Name(), "%s: %s", kind, field.Name)
		}
		for _, field := range lists {
			if !slices.Contains(onlyLists, field.Name) {
				require.NotNil(t, fields.ForName(field.Name), "the subscription to %s cannot be filtered by %s", kind, field.Name)
			}
		}
	}
}

// hostileValues are values of types of the schema that no filter takes.
var hostileValues = map[string][]any{
	"Address": {"zz", 5, "-1:" + strings.Repeat("0", 63), strings.Repeat("A", 5_000)}, "BigInt": {"x", -1.5, "1e400", strings.Repeat("9", 5_000)},
	"Boolean": {"yes", 2}, "DateTime": {"yesterday", "1600-01-01T00:00:00Z", "9999-01-01T00:00:00Z", -1}, "Hash": {"00", strings.Repeat("z", 64), 7},
	"Int": {"x", 1.5, 1 << 40}, "MessageKind": {"INWARD", 1}, "Opcode": {"0x1ffffffff", -1, "op"}, "Shard": {"x", -1, "80000000000000001"},
	"String": {[]any{1}, map[string]any{"a": 1}}, "TransactionKind": {"ordinary", 3}, "TransactionOutcome": {"LOST", 0}, "TransferDirection": {"SIDEWAYS", 9},
}

// refused returns the texts of the errors with which a subscription over a WebSocket is refused.
func refused(s *socket, kind, input string, where map[string]any) []string {
	s.Helper()
	s.subscribe("a", fmt.Sprintf(`subscription($where: %s) { %s(where: $where) { cursor } }`, input, kind), map[string]any{"where": where})
	s.Logf("%s %.200s", kind, fmt.Sprint(where)) // an accepted subscription shows as a missing response
	m := s.receive()
	require.Equal(s, "error", m.Type, "%.200s", fmt.Sprint(where))
	var errs []struct{ Message string }
	require.NoError(s, json.Unmarshal(m.Payload, &errs))
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Message
	}
	return texts
}

// What no filter takes is refused with the error of the list: values of each type, and lists that are too long.
func TestSubscriptionFilters_RefuseWhatTheListRefuses(t *testing.T) {
	t.Parallel()
	f := &filtered{T: t, live: newLive(t, nil)}
	f.schema = newSubscriptions(t, f.live.db)
	s, socket := f.schema.Schema(), f.live.connect(t)
	compared, of := 0, map[string]string{}
	for _, field := range s.Types["Subscription"].Fields {
		if where := field.Arguments.ForName("where"); where != nil {
			of[field.Name] = where.Type.Name()
		}
	}
	for kind, fields := range subscriptionFilters(s) {
		lists := s.Types[s.Types["Query"].Fields.ForName(kind).Arguments.ForName("where").Type.Name()].Fields
		refuse := func(where map[string]any) {
			errs := refused(socket, kind, of[kind], where)
			text := fmt.Sprintf("%.200s", fmt.Sprintf("%s %v", kind, where))
			require.NotEmpty(t, errs, text)
			require.Less(t, len(errs[0]), 500, text)
			for name := range where {
				if list := lists.ForName(name); list == nil || list.Type.String() != fields.ForName(name).Type.String() {
					return
				}
			}
			_, want := f.list(kind, where)
			require.Equal(t, want, errs, text)
			compared++
		}
		for _, field := range fields {
			values := hostileValues[field.Type.Name()]
			require.NotEmpty(t, values, "add hostile values of the type %s", field.Type.Name())
			for _, v := range values {
				if field.Type.Elem != nil {
					v = []any{v}
				}
				refuse(map[string]any{field.Name: v})
			}
			if field.Type.Elem == nil {
				continue
			}
			long := make([]any, chain.MaxInputs+1)
			for i := range long {
				long[i] = map[string]any{
					"Address": testdb.Address().String(), "String": fmt.Sprintf("type%d", i), "TransactionOutcome": "FAILED",
				}[field.Type.Name()]
			}
			refuse(map[string]any{field.Name: long})
		}
	}
	require.Greater(t, compared, 60)
}

// A trace with too many transactions to be shown is sent to those who are subscribed to one of its accounts, in whatever block it took part.
func TestSubscription_LargeTracesMatchTheirAccounts(t *testing.T) {
	t.Parallel()
	l := newLive(t, nil)
	l.block(t, 1)
	blocks, chosen := testdb.LargeTrace()
	s := l.connect(t)
	for i := range chosen {
		s.subscribe(string('a'+rune(i)), `subscription($a: [Address!]) { traces(where: {accounts: $a}) { node { hash } } }`,
			map[string]any{"a": []string{chosen[i].Account.String()}})
	}
	s.subscribe("none", `subscription($a: [Address!]) { traces(where: {accounts: $a}) { node { hash } } }`, map[string]any{"a": addresses(1)})
	for _, mb := range blocks {
		require.NoError(t, l.db.Writer().Apply(t.Context(), mb))
	}
	var ids []string
	for range chosen {
		m := s.receive()
		require.Contains(t, string(m.Payload), chosen[0].Hash.String())
		ids = append(ids, m.ID)
	}
	require.ElementsMatch(t, []string{"a", "b", "c"}, ids)
	s.say(`{"type":"ping"}`)
	require.Equal(t, "pong", s.receive().Type)
}
