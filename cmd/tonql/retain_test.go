package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// A service that retains some seconds drops older blocks beside its clients: GraphQL and REST v3 say so, REST v2 reads them from the node,
// and the accounts are those that they were.
func TestUp_RetainsATime(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "200ms", "--keep", "5s")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	first := func() int {
		var seen struct {
			IndexStatus struct{ Ranges []struct{ First int } }
		}
		query(t, base, `{ indexStatus { ranges { first } } }`, &seen)
		if len(seen.IndexStatus.Ranges) == 0 {
			return 0
		}
		return seen.IndexStatus.Ranges[0].First
	}
	eventually(t, 2*time.Minute, "old blocks are dropped", func() bool { return first() > 5 })

	status, body := get(t, base+"/api/v3/transactions?mc_seqno=2")
	require.Equal(t, http.StatusGone, status, string(body))
	require.Contains(t, string(body), "masterchain block 2 was dropped")
	status, body = get(t, base+"/api/v3/actions?end_utime=1")
	require.Equal(t, http.StatusGone, status, string(body))

	resp, err := http.Post(base+"/graphql", "application/json", strings.NewReader(`{"query":"{ transactions(where: { mcSeqno: 2 }) { nodes { hash } } }"}`))
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	var refused struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&refused))
	require.Len(t, refused.Errors, 1)
	require.Equal(t, "RANGE_DROPPED", refused.Errors[0].Extensions.Code)

	status, body = get(t, base+"/api/v2/shards?seqno=2")
	require.Equal(t, http.StatusOK, status, string(body))
	status, body = get(t, base+"/api/v3/accountStates?address=-1:5555555555555555555555555555555555555555555555555555555555555555")
	require.Equal(t, http.StatusOK, status, string(body))
	require.Contains(t, string(body), `"status":"active"`)
	p.interrupt(10 * time.Second)

	result := runCommand(t, "verify", "--data", data, "--offline")
	require.Contains(t, result, "the rows match the hashes of their blocks")
}
