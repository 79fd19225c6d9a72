package graphql_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type extensions struct {
	Extensions struct {
		McSeqno *uint32
		Cost    *struct{ Requested, Limit int }
	}
}

// extensionsOf sends a query and returns its response without data.
func (w *testIndex) extensionsOf(t *testing.T, query string) (ext extensions) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &ext))
	return ext
}

// A response has the seqno of the index and the cost; a request error has neither.
func TestExtensions_HaveSeqnoAndCost(t *testing.T) {
	t.Parallel()
	extensionsOf := newTestIndex(t, 3).extensionsOf
	small, large := extensionsOf(t, `{ transactions(first: 1) { nodes { hash } } }`), extensionsOf(t, `{ transactions(first: 50) { nodes { hash } } }`)
	require.Equal(t, uint32(3), *small.Extensions.McSeqno)
	require.Less(t, small.Extensions.Cost.Requested, large.Extensions.Cost.Requested)
	require.Equal(t, 50_000, large.Extensions.Cost.Limit)
	refused := extensionsOf(t, `{ nothing }`)
	require.Nil(t, refused.Extensions.McSeqno)
	require.Nil(t, refused.Extensions.Cost)
}

// A query of the node is charged where it is requested, also by a variable, and once for each account.
func TestCost_OfQueriesOfTheNode(t *testing.T) {
	t.Parallel()
	extensionsOf := newTestIndex(t, 3).extensionsOf
	cost := func(arguments string) int {
		const account = `(address: "0:0000000000000000000000000000000000000000000000000000000000000001"`
		seen := extensionsOf(t, `query($yes: Boolean = true, $no: Boolean = false) { a: account`+account+arguments+`) { state { balance } } b: account`+account+`) { address }
			__typename @include(if: $yes) c: __typename @include(if: $no) }`)
		require.NotNil(t, seen.Extensions.Cost, arguments)
		return seen.Extensions.Cost.Requested
	}
	plain := cost("")
	for arguments, more := range map[string]int{", fromNode: false": 0, ", fromNode: null": 0, ", fromNode: $no": 0, ", fromNode: true": 500, ", fromNode: $yes": 500} {
		require.Equal(t, plain+more, cost(arguments), arguments)
	}
}

// The details of an action have one type, so fragments on many types cost as much as the most expensive one.
func TestCost_MembersOfAUnionAreAlternatives(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 3)
	cost := func(details string) int {
		response := w.extensionsOf(t, "{ actions(first: 50) { nodes { details { "+details+" } } } }")
		require.NotNil(t, response.Extensions.Cost, details)
		return response.Extensions.Cost.Requested
	}
	const dear, cheap = "... on TonTransferDetails { source destination value }", "... on TickTockDetails { account }"
	require.Equal(t, cost(dear), cost(dear+cheap))
	require.Equal(t, cost(dear), cost(cheap+dear))
	require.Equal(t, cost("... on TonTransferDetails { source destination value comment }"), cost(dear+" ... on TonTransferDetails { comment }"))
	require.Less(t, cost(dear), cost("__typename "+dear))
}
