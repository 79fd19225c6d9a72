package graphql_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/graph"
)

// A value of an enum in other letters is refused, wherever a variable has it. It selected the first value before.
func TestVariables_EnumsAreCaseSensitive(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 3)
	for query, good := range map[string]any{
		`query($v: Sort) { transactions(sort: $v) { nodes { lt } } }`:                                  "ASC",
		`query($v: TransactionKind) { transactions(where: {kind: $v}) { nodes { lt } } }`:              "TICK_TOCK",
		`query($v: TransactionWhere) { transactions(where: $v) { nodes { lt } } }`:                     map[string]any{"kind": "TICK_TOCK"},
		`query($v: [TransactionOutcome!]) { transactions(where: {outcomes: $v}) { nodes { lt } } }`:    []any{"BOUNCED"},
		`query($v: TransactionOutcome!) { transactions(where: {outcomes: [$v]}) { nodes { lt } } }`:    "BOUNCED",
		`query($v: MessageWhere) { messages(where: $v) { nodes { hash } } }`:                           map[string]any{"kind": "EXTERNAL_OUT"},
		`query($v: TokenOrder) { jettonMasters(orderBy: $v) { nodes { totalSupply } } }`:               "SUPPLY",
		`query($v: TransferDirection = OUT) { transactions(where: {direction: $v}) { nodes { lt } } }`: "IN",
	} {
		_, a := post(t, w.h, query, map[string]any{"v": good})
		require.Empty(t, a.Errors, query)
		for _, spell := range []func(string) string{lower, title} {
			_, a := post(t, w.h, query, map[string]any{"v": inLetters(good, spell)})
			require.Len(t, a.Errors, 1, query)
			require.Contains(t, a.Errors[0].Message, "is none of the values of", query)
			require.Equal(t, "GRAPHQL_VALIDATION_FAILED", a.Errors[0].Extensions["code"])
			require.Empty(t, a.Data)
		}
	}
}

// A value of another type is described in terms of JSON and of the schema: with the type of the schema, and without names of Go.
func TestVariables_WrongTypesAreNamedAsInJSON(t *testing.T) {
	t.Parallel()
	h := newHandler(t)
	const (
		first = `query($v: Int) { transactions(first: $v) { nodes { lt } } }`
		flag  = `query($v: Boolean!) { __typename @include(if: $v) }`
		after = `query($v: String!) { transactions(after: $v) { nodes { lt } } }`
		node  = `query($v: ID!) { node(id: $v) { id } }`
		where = `query($v: TransactionWhere) { transactions(where: $v) { nodes { lt } } }`
		order = `query($v: Sort) { transactions(sort: $v) { nodes { lt } } }`
		kinds = `query($v: [TransactionOutcome!]) { transactions(where: {outcomes: $v}) { nodes { lt } } }`
	)
	object, list := map[string]any{"a": 1}, []any{1, "x"}
	for _, c := range []struct {
		query string
		value any
		want  string
	}{
		{first, object, "expected Int, not an object"},
		{first, list, "expected Int, not an array"},
		{first, 1.5, "expected Int, not 1.5"},
		{first, "x", "expected Int, not a string"},
		{first, true, "expected Int, not true"},
		{flag, 5, "expected Boolean, not 5"},
		{flag, "true", "expected Boolean, not a string"},
		{after, object, "expected String, not an object"},
		{after, false, "expected String, not false"},
		{node, list, "expected ID, not an array"},
		{where, list, "expected TransactionWhere, an object, not an array"},
		{where, 1.5, "expected TransactionWhere, an object, not 1.5"},
		{where, map[string]any{"kind": list}, "expected a value of an enum, a string, not an array"},
		{order, object, "expected a value of an enum, a string, not an object"},
		{kinds, object, "expected a value of an enum, a string, not an object"},
		{kinds, []any{"BOUNCED", object}, "expected a value of an enum, a string, not an object"},
	} {
		_, a := post(t, h, c.query, map[string]any{"v": c.value})
		require.Len(t, a.Errors, 1, c.query)
		require.Equal(t, c.want, a.Errors[0].Message, c.query)
		require.Equal(t, "GRAPHQL_VALIDATION_FAILED", a.Errors[0].Extensions["code"])
	}
}

// Null for an argument with a default is the default, as many clients send null for a variable without a value.
func TestVariables_NullIsTheDefaultOfAnArgument(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 4)
	block := w.txs[1].Block
	for _, query := range []string{
		`transactions(%s) { nodes { hash } }`, `messages(%s) { nodes { hash } }`, `blocks(%s) { nodes { rootHash } }`,
		`account(address: "` + w.wallets[1].String() + `") { transactions(%s) { nodes { hash } } }`,
		fmt.Sprintf(`block(by: {id: {workchain: %d, shard: %q, seqno: %d}}) { transactions(%%s) { nodes { hash } } }`, block.Workchain, block.Shard, block.Seqno),
		`trace(by: {transaction: "` + w.txs[0].Hash.String() + `"}) { transactions(%s) { nodes { hash } } }`,
	} {
		read := func(arguments, declared string) string {
			rec, a := post(t, w.h, "query"+declared+" { "+fmt.Sprintf(query, arguments)+" }", map[string]any{"s": nil})
			require.Empty(t, a.Errors, rec.Body.String())
			return string(a.Data)
		}
		want := read("first: 3", "")
		require.Equal(t, want, read("first: 3, sort: $s", "($s: Sort)"), query)
		require.Equal(t, want, read("first: 3, sort: null", ""), query)
	}
}

// "One of these" of an empty list is no row, in every filter of every list. It was every row before: a client that requested the objects of
// no account received those of all.
func TestFilters_AnEmptyListSelectsNothing(t *testing.T) {
	t.Parallel()
	h := newPortfolio(t, 3)
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	restricts := func(name string) bool {
		return !slices.Contains([]string{"excludeAccounts", "excludeTypes", "supported"}, name)
	}
	tested := map[string]bool{}
	for _, list := range schema.Query.Fields {
		where := list.Arguments.ForName("where")
		if where == nil {
			continue
		}
		input := schema.Types[where.Type.Name()]
		for _, f := range input.Fields {
			if f.Type.Elem == nil {
				continue
			}
			rec, a := post(t, h.h, `{ list: `+list.Name+`(where: {`+f.Name+`: []}) { nodes { __typename } pageInfo { hasNextPage endCursor } } }`, nil)
			require.Empty(t, a.Errors, "%s %s: %s", list.Name, f.Name, rec.Body)
			const empty = `{"list":{"nodes":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}`
			if restricts(f.Name) {
				require.JSONEq(t, empty, string(a.Data), "%s by %s", list.Name, f.Name)
				tested[list.Name] = true
			}
		}
	}
	require.Greater(t, len(tested), 10, "lists with such filters: %v", slices.Sorted(maps.Keys(tested)))

	var all struct {
		JettonWallets struct{ Nodes []json.RawMessage }
		Account       struct {
			Received, None struct{ Nodes []json.RawMessage }
		}
	}
	h.query(t, `{ jettonWallets(where: {owners: null}) { nodes { balance } } account(address: "`+h.people[0].String()+`") {
		received: jettonTransfers(where: {jettonWallets: null}) { nodes { lt } } none: jettonTransfers(where: {jettonWallets: []}) { nodes { lt } } } }`, nil, &all)
	require.NotEmpty(t, all.JettonWallets.Nodes, "null does not restrict")
	require.NotEmpty(t, all.Account.Received.Nodes)
	require.Empty(t, all.Account.None.Nodes, "within another object")
}

// Numbers that fit are accepted for every BigInt, with or without quotes, and nothing else is.
func TestBigInt_HasTheSameFormsEverywhere(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 1)
	queries := []string{
		`query($v: BigInt) { transactions(where: {minValue: $v}) { nodes { lt } } }`,
		`query($v: BigInt) { actions(where: {minAmount: $v}) { nodes { hash } } }`,
		`query($v: BigInt!) { nftItems(where: {indexes: [$v]}) { nodes { index } } }`,
	}
	for _, query := range queries {
		for _, good := range []any{"5", 5, json.Number("9007199254740993")} {
			_, a := post(t, w.h, query, map[string]any{"v": good})
			for _, e := range a.Errors {
				require.NotContains(t, e.Message, "BigInt", "%v in %s", good, query)
			}
		}
		for _, bad := range []any{"+5", "5.0", 5.5, "0x5", "1_000", "", " 5", true, json.Number("1e3")} {
			_, a := post(t, w.h, query, map[string]any{"v": bad})
			require.NotEmpty(t, a.Errors, "%v in %s", bad, query)
			require.Contains(t, a.Errors[0].Message, "BigInt", "%v in %s", bad, query)
		}
	}
}

func lower(s string) string { return strings.ToLower(s) }

func title(s string) string { return s[:1] + strings.ToLower(s[1:]) }

// inLetters changes the letters of every text in a value.
func inLetters(v any, spell func(string) string) any {
	switch v := v.(type) {
	case string:
		return spell(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = inLetters(v[i], spell)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = inLetters(v[k], spell)
		}
		return out
	default:
		return v
	}
}
