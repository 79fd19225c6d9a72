package graphql_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type told struct {
	Extensions struct {
		McSeqno *uint32
		Cost    *struct{ Requested, Limit int }
	}
}

// tell asks, and gives what stands beside the data.
func (w *world) tell(t *testing.T, query string) (beside told) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &beside))
	return beside
}

// Each answer tells what it is as of and what it cost; a refusal tells neither.
func TestAnswersTellSeqnoAndCost(t *testing.T) {
	t.Parallel()
	tell := newWorld(t, 3).tell
	small, large := tell(t, `{ transactions(first: 1) { nodes { hash } } }`), tell(t, `{ transactions(first: 50) { nodes { hash } } }`)
	require.Equal(t, uint32(3), *small.Extensions.McSeqno)
	require.Less(t, small.Extensions.Cost.Requested, large.Extensions.Cost.Requested)
	require.Equal(t, 50_000, large.Extensions.Cost.Limit)
	refused := tell(t, `{ nothing }`)
	require.Nil(t, refused.Extensions.McSeqno)
	require.Nil(t, refused.Extensions.Cost)
}

// An action's details are of one type, so that asking for many types costs what the dearest of them does.
func TestMembersOfAUnionAreAlternatives(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3)
	cost := func(details string) int {
		answer := w.tell(t, "{ actions(first: 50) { nodes { details { "+details+" } } } }")
		require.NotNil(t, answer.Extensions.Cost, details)
		return answer.Extensions.Cost.Requested
	}
	const dear, cheap = "... on TonTransferDetails { source destination value }", "... on TickTockDetails { account }"
	require.Equal(t, cost(dear), cost(dear+cheap))
	require.Equal(t, cost(dear), cost(cheap+dear))
	require.Equal(t, cost("... on TonTransferDetails { source destination value comment }"), cost(dear+" ... on TonTransferDetails { comment }"))
	require.Less(t, cost(dear), cost("__typename "+dear))
}
