package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/testdb"
)

// request sends a GET and returns the response with its body.
func request(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp, string(body)
}

// A gateway on a standby alone serves all reading APIs, waits for blocks, and says at the start what it leaves to others.
func TestServe_StandbyAlone(t *testing.T) {
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	_, err := db.Access().PageSecret(t.Context()) // another gateway has created it
	require.NoError(t, err)
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	standby := c.Servers()[1]
	require.NoError(t, c.WaitReplayed(t.Context(), standby))
	p := start(t, "serve", "--data", t.TempDir(), "--database-url", standby.DSN("tonql"), "--listen", "127.0.0.1:0", "--shared-limits",
		"--ready-lag", "100000h")
	base := "http://" + p.expect(`serves on http://([^/]+)/`, time.Minute)
	require.Contains(t, p.stderr.String(), "database is a standby")

	graphql := base + `/graphql?query={blocks(first:1){edges{node{seqno}}}}`
	for _, url := range []string{base + "/api/v3/blocks?limit=1", base + "/api/v2/getMasterchainInfo", graphql, base + "/readyz"} {
		resp, body := request(t, url)
		require.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", url, body)
	}

	// A block that arrives while requests wait for it.
	arrived := make(chan error, 1)
	go func() { arrived <- db.Writer().Apply(context.WithoutCancel(t.Context()), testdb.Master(2)) }()
	for _, url := range []string{base + "/api/v3/blocks?limit=1", base + "/api/v2/getMasterchainInfo", graphql} {
		resp, body := request(t, url, "X-Min-Seqno", "2")
		require.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", url, body)
		require.Contains(t, body, `"seqno":2`, url)
		separator := "?"
		if strings.Contains(url, "?") {
			separator = "&"
		}
		resp, body = request(t, url+separator+"x_min_seqno=2")
		require.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", url, body)
		resp, _ = request(t, url+separator+"x_min_seqno=900")
		require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode, url)
		require.NotEmpty(t, resp.Header.Get("Retry-After"))
	}
	require.NoError(t, <-arrived)
	resp, _ := request(t, graphql+`&extensions={"minSeqno":2}`)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.NotContains(t, p.stderr.String(), "cannot execute")
	require.NotContains(t, p.stderr.String(), "LISTEN failed")
}
