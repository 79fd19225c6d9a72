package graphql_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each answer tells what it is as of and what it cost; a refusal tells neither.
func TestAnswersTellSeqnoAndCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3)
	tell := func(query string) (told struct {
		Extensions struct {
			McSeqno *uint32
			Cost    *struct{ Requested, Limit int }
		}
	}) {
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		w.h.ServeHTTP(rec, r)
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &told))
		return told
	}
	small, large := tell(`{ transactions(first: 1) { nodes { hash } } }`), tell(`{ transactions(first: 50) { nodes { hash } } }`)
	require.Equal(t, uint32(3), *small.Extensions.McSeqno)
	require.Less(t, small.Extensions.Cost.Requested, large.Extensions.Cost.Requested)
	require.Equal(t, 50_000, large.Extensions.Cost.Limit)
	refused := tell(`{ nothing }`)
	require.Nil(t, refused.Extensions.McSeqno)
	require.Nil(t, refused.Extensions.Cost)
}
