package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
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
	pacetest.Long(t)
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
	// What a process writes to its two outputs arrives in any order.
	eventually(t, time.Minute, "the line of the log", func() bool { return strings.Contains(p.stderr.String(), "database is a standby") })

	graphql := base + `/graphql?query={blocks(first:1){edges{node{seqno}}}}`
	for _, url := range []string{base + "/api/v3/blocks?limit=1", base + "/api/v2/getMasterchainInfo", graphql, base + "/readyz"} {
		resp, body := request(t, url)
		require.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", url, body)
	}
	_, metrics := request(t, base+"/metrics")
	require.Contains(t, metrics, "\ntonql_webhook_backlog_age_seconds 0\n", "it delivers no webhooks, and exports how long they wait")

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

	// Commands that write say which server they need.
	for _, args := range [][]string{{"keys", "create", "--owner", "alice"}, {"merchants", "create", "shop"}} {
		text := runFailing(t, append(args, "--data", t.TempDir(), "--database-url", standby.DSN("tonql"))...)
		require.Contains(t, text, "the database is a standby, which stores nothing: give the URL of the primary as --database-url", args)
		require.NotContains(t, text, "another gateway", args)
	}
}

// Requests at every API while the primary is lost and a standby is promoted: each has a response, or 503 with Retry-After.
func TestServe_FailoverIsNoErrorForReaders(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	standby := c.Servers()[1]
	require.NoError(t, c.WaitReplayed(t.Context(), standby))
	p := start(t, "serve", "--data", t.TempDir(), "--database-url", c.DSN("tonql", "primary"), "--listen", "127.0.0.1:0", "--ready-lag", "100000h")
	base := "http://" + p.expect(`serves on http://([^/]+)/`, time.Minute)
	urls := []string{base + "/api/v3/blocks?limit=1", base + "/api/v2/getMasterchainInfo", base + `/graphql?query={blocks(first:1){edges{node{seqno}}}}`}
	stop := make(chan struct{})
	type outcome struct{ good, refused int }
	outcomes := make(chan outcome, len(urls))
	for _, url := range urls {
		go func() {
			var o outcome
			defer func() { outcomes <- o }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
				if err != nil {
					return
				}
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Errorf("%s: %v", url, err)
					return
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				switch {
				case err == nil && resp.StatusCode == http.StatusOK && strings.Contains(string(body), `"seqno":1`) && !strings.Contains(string(body), `"errors"`):
					o.good++
				case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
					o.refused++
				default:
					t.Errorf("%s: %d %s", url, resp.StatusCode, body)
					return
				}
			}
		}()
	}
	for range 2 {
		eventually(t, time.Minute, "responses", func() bool { resp, _ := request(t, urls[0]); return resp.StatusCode == http.StatusOK })
		former := c.Primary()
		require.NoError(t, former.Kill(t.Context()))
		next := c.Servers()[0]
		if former == next {
			next = c.Servers()[1]
		}
		require.NoError(t, c.Promote(t.Context(), next))
		eventually(t, time.Minute, "responses", func() bool { resp, _ := request(t, urls[0]); return resp.StatusCode == http.StatusOK })
		require.NoError(t, c.Rebuild(t.Context(), former))
	}
	close(stop)
	for range urls {
		o := <-outcomes
		t.Logf("%d responses, %d refused", o.good, o.refused)
		require.Positive(t, o.good)
		require.Less(t, o.refused*20, o.good, "most requests wait for the new primary")
	}
}
