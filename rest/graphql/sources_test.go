package graphql_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Files of a record are requested from other servers, which costs as much as the record itself.
func TestPrice_OfFetchedSourcesIsThatOfARequest(t *testing.T) {
	t.Parallel()
	w, _ := emptyTestIndex(t)
	cost := func(fields string) int {
		rec, a := post(t, w.h, `{ codeSources(codeHash: "`+strings.Repeat("ab", 32)+`") { verifier `+fields+` } }`, nil)
		require.Empty(t, a.Errors)
		var beside struct {
			Extensions struct{ Cost struct{ Requested int } }
		}
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &beside))
		return beside.Extensions.Cost.Requested
	}
	plain := cost("")
	require.Greater(t, plain, 500)
	t.Log(plain, cost("sources { compiler }"))
	require.GreaterOrEqual(t, cost("sources { compiler }"), plain+500)
}
