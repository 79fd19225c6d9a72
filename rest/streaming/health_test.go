package streaming_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// The service is healthy while the newest masterchain block is at most 15 seconds old, by the clock of the gateway, which may be behind.
func TestHealth_FollowsTheNewestBlock(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "test"}, nil)
	get := func(method string) (status int, header http.Header, body map[string]any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, g.URL+"/api/streaming/healthz", nil)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer resp.Body.Close()
		if method == http.MethodGet {
			require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&body))
		}
		return resp.StatusCode, resp.Header, body
	}
	component := func(body map[string]any) map[string]any {
		t.Helper()
		list, ok := body["components"].(map[string]any)
		require.True(t, ok)
		c, ok := list["ton-trace-emulator"].(map[string]any)
		require.True(t, ok)
		return c
	}
	status, _, body := get(http.MethodGet)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, map[string]any{"ok": false, "error": "the index cannot be read or is empty"}, component(body))
	for i, tc := range []struct {
		age     time.Duration
		healthy bool
	}{{20 * time.Second, false}, {5 * time.Second, true}, {-5 * time.Second, true}} {
		b := testdb.Master(uint32(10 + i))
		made := uint32(time.Now().Add(-tc.age).Unix())
		for _, block := range []*chain.Block{&b.Block, &b.ShardBlocks[0]} {
			block.GenUtime = made
		}
		require.NoError(t, db.Writer().Apply(t.Context(), b))
		require.Eventually(t, func() bool { // the head is read again after a moment
			status, _, body = get(http.MethodGet)
			return component(body)["last_finalized_mc_block_time"] == float64(made)
		}, limit, 10*time.Millisecond)
		require.Equal(t, tc.healthy, status == http.StatusOK, tc.age)
		require.Equal(t, tc.healthy, body["ok"], tc.age)
		require.InDelta(t, time.Now().Unix(), body["now"], 10)
		c := component(body)
		require.Equal(t, tc.healthy, c["ok"], tc.age)
		require.InDelta(t, tc.age.Seconds(), c["finalized_age_seconds"], 8)
		require.Equal(t, !tc.healthy, c["error"] == "the newest masterchain block is too old")
	}
	status, _, _ = get(http.MethodHead)
	require.Equal(t, http.StatusOK, status)
	status, header, _ := get(http.MethodPost)
	require.Equal(t, http.StatusMethodNotAllowed, status)
	require.Equal(t, "GET, HEAD", header.Get("Allow"))
}
