package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store/storetest"
)

// A gap of the index before blocks that move, which nothing fills any more, is logged.
func TestRange_GapsBeforeMovedBlocksAreLogged(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	server := pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, server)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err := handle.ExecContext(t.Context(), `CREATE DATABASE cold`)
	require.NoError(t, err)
	of := server.Primary()
	for _, run := range [][]*chain.MasterBlock{blocks[:10], blocks[12:20], blocks[25:30]} {
		storetest.Apply(t, db.Writer(), run)
	}
	first := blocks[0].Block.Seqno
	p := start(t, "range", "move", "--to", of.DSN("cold"), "--through", strconv.Itoa(int(first)+22), "--database-url", of.DSN("tonql"), "--data", t.TempDir())
	<-p.ended
	require.NoError(t, p.err, p.stderr)
	log := p.stderr.String()
	require.Equal(t, 1, strings.Count(log, "gap of the index is not filled"), log)
	require.Contains(t, log, fmt.Sprintf("first=%d last=%d", first+10, first+11))

	// The database there is no index.
	for _, command := range [][]string{{"up", "--listen", "127.0.0.1:0"}, {"serve", "--listen", "127.0.0.1:0"}, {"migrate"}, {"verify", "--offline"}} {
		require.Contains(t, runFailing(t, append(command, "--database-url", of.DSN("cold"), "--data", t.TempDir())...), "the database is a cold server of an index", command)
	}
}

// Old blocks move to another server and back beside a running service, whose clients see nothing of it. While that server is down, requests
// for these blocks alone fail, and say which blocks they are.
func TestRange_BlocksMoveBesideTheService(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	there := pgclustertest.Start(t, pgcluster.Options{})
	to := there.Primary().DSN("tonql")
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "200ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "some blocks are indexed", func() bool {
		status, _ := get(t, base+"/api/v3/transactions?mc_seqno=30")
		return status == http.StatusOK
	})
	old := []string{
		"/api/v3/transactions?mc_seqno=3", "/api/v3/transactions?start_lt=1&sort=asc&limit=5", "/api/v3/traces?mc_seqno=4", "/api/v3/actions?sort=asc&limit=5",
		"/api/v3/blocks?mc_seqno=5", "/api/v3/masterchainBlockShards?seqno=6", "/api/v2/shards?seqno=6",
	}
	read := func() (bodies []string) {
		for _, path := range old {
			status, body := get(t, base+path)
			require.Equal(t, http.StatusOK, status, "%s: %s", path, body)
			text, _, _ := strings.Cut(string(body), `"@extra"`) // the time of the response
			text, _, _ = strings.Cut(text, `"address_book"`)    // what is detected later
			bodies = append(bodies, text)
		}
		return bodies
	}
	want := read()
	same := func() {
		t.Helper()
		for i, body := range read() {
			if want[i] != body {
				require.Fail(t, "the response changed", "%s: %s", old[i], difference(want[i], body))
			}
		}
	}
	same()

	result := runCommand(t, "range", "move", "--to", to, "--through", "20", "--step", "50", "--data", data)
	require.Contains(t, result, "tonql_cold_1")
	require.Contains(t, result, "masterchain blocks 1 to 20")
	require.Contains(t, result, "here: masterchain blocks 21 to ")
	same()
	require.Contains(t, runCommand(t, "verify", "--data", data, "--offline"), "the rows match the hashes of their blocks")

	require.NoError(t, there.Primary().Kill(t.Context()))
	status, body := get(t, base+"/api/v3/transactions?mc_seqno=4")
	require.Equal(t, http.StatusServiceUnavailable, status, string(body))
	require.Contains(t, string(body), "masterchain blocks 1 to 20 are on another server")
	for _, path := range []string{"/api/v3/masterchainInfo", "/api/v3/transactions?limit=5", "/api/v3/blocks?workchain=-1&limit=5", "/api/v2/getMasterchainInfo", "/readyz"} {
		status, body := get(t, base+path)
		require.Equal(t, http.StatusOK, status, "%s: %s", path, body)
	}
	require.NoError(t, there.Primary().Restart(t.Context()))
	eventually(t, time.Minute, "moved blocks are read again", func() bool {
		status, _ := get(t, base+old[0])
		return status == http.StatusOK
	})
	same()

	result = runCommand(t, "range", "thaw", "--data", data)
	require.Contains(t, result, "tonql_cold_1")
	require.Contains(t, result, "no blocks")
	require.Contains(t, result, "here: masterchain blocks 1 to ")
	same()
	result = runCommand(t, "range", "drop", "--server", "tonql_cold_1", "--data", data)
	require.Contains(t, result, "0 transactions were dropped")
	result = runCommand(t, "range", "drop", "--server", "tonql_cold_1", "--data", data) // its output was lost
	require.Contains(t, result, "0 transactions were dropped")
	require.Contains(t, runFailing(t, "range", "drop", "--server", "tonql_cold_7", "--data", data), "there is no cold server")
	require.NotContains(t, runCommand(t, "range", "list", "--data", data), "tonql_cold")
	same()
	p.interrupt(10 * time.Second)
	require.Contains(t, runCommand(t, "verify", "--data", data, "--offline"), "the rows match the hashes of their blocks")
}

// A restored backup beside the service reads the service's cold server and changes nothing there. When the service does not run any more, the restored index adopts the server.
func TestRange_RestoredCopyChangesNothingUntilItAdopts(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	there := pgclustertest.Start(t, pgcluster.Options{})
	to := there.Primary().DSN("tonql")
	folder := t.TempDir()
	data, restored, backup := filepath.Join(folder, "data"), filepath.Join(folder, "restored"), filepath.Join(folder, "backup")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "200ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "some blocks are indexed", func() bool { return follows(t, base, 35) })
	runCommand(t, "range", "move", "--to", to, "--through", "15", "--step", "50", "--data", data)
	require.Contains(t, runCommand(t, "backup", backup, "--data", data, "--secrets", "include"), "blocks on cold servers are not part of it")
	runCommand(t, "restore", backup, "--data", restored)

	list := runCommand(t, "range", "list", "--data", restored)
	require.Contains(t, list, "masterchain blocks 1 to 15")
	for _, args := range [][]string{{"move", "--to", to, "--through", "20"}, {"thaw"}} {
		require.Contains(t, runFailing(t, append(append([]string{"range"}, args...), "--data", restored)...), "tonql range adopt --server tonql_cold_1")
	}
	require.Contains(t, runCommand(t, "range", "move", "--to", to, "--through", "20", "--step", "50", "--data", data), "masterchain blocks 1 to 20")
	status, body := get(t, base+"/api/v3/transactions?mc_seqno=3")
	require.Equal(t, http.StatusOK, status, string(body))
	p.interrupt(20 * time.Second)
	require.Contains(t, runCommand(t, "verify", "--data", data, "--offline"), "the rows match the hashes of their blocks")

	require.Contains(t, runCommand(t, "range", "adopt", "--server", "tonql_cold_1", "--data", restored), "masterchain blocks 1 to 15")
	require.Contains(t, runCommand(t, "verify", "--data", restored, "--offline"), "the rows match the hashes of their blocks")
	require.Contains(t, runFailing(t, "range", "thaw", "--data", data), "tonql range adopt --server tonql_cold_1")
	require.Contains(t, runFailing(t, "range", "adopt", "--server", "tonql_cold_1", "--data", data), "lacks the rows of")
}

// A service of a new version starts while a cold server does not respond, without the blocks that are there, and has them when it can be migrated.
func TestRange_ServiceStartsWithoutItsColdServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	here, there := pgclustertest.Start(t, pgcluster.Options{}), pgclustertest.Start(t, pgcluster.Options{})
	data, url := filepath.Join(t.TempDir(), "data"), here.Primary().DSN("tonql")
	up := []string{"up", "--data", data, "--database-url", url, "--listen", "127.0.0.1:0", "--block-interval", "200ms"}
	p := start(t, up...)
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "some blocks are indexed", func() bool { return follows(t, base, 30) })
	runCommand(t, "range", "move", "--to", there.Primary().DSN("tonql"), "--through", "15", "--step", "50", "--data", data, "--database-url", url)
	p.interrupt(20 * time.Second)

	require.NoError(t, there.Primary().Kill(t.Context()))
	hide, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	_, err = hide.Exec(t.Context(), `DROP SCHEMA tonql_cold_1, tonql_complete CASCADE`) // as before migrations
	require.NoError(t, err)
	require.NoError(t, hide.Close(t.Context()))
	p = start(t, up...)
	base = "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 35) })
	require.Contains(t, p.stderr.String(), "cold servers are not migrated")
	status, body := get(t, base+"/api/v3/transactions?mc_seqno=3")
	require.Equal(t, http.StatusServiceUnavailable, status, string(body))
	require.Contains(t, string(body), "masterchain blocks 1 to 15 are on another server")
	require.Contains(t, runFailing(t, "migrate", "--data", data, "--database-url", url), "tonql_cold_1")
	require.NoError(t, there.Primary().Restart(t.Context()))
	runCommand(t, "migrate", "--data", data, "--database-url", url)
	eventually(t, time.Minute, "moved blocks are read again", func() bool {
		status, _ := get(t, base+"/api/v3/transactions?mc_seqno=3")
		return status == http.StatusOK
	})
	p.interrupt(20 * time.Second)
}

// One command at a time changes which blocks cold servers have; the second one is refused at once, and says why.
func TestRange_SecondCommandThatMovesBlocksIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	server := pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, server)
	storetest.Apply(t, db.Writer(), storetest.SmallChain()[:10])
	at := []string{"--database-url", server.Primary().DSN("tonql"), "--data", t.TempDir()}
	refused := func(args ...string) {
		t.Helper()
		require.Contains(t, runFailing(t, append(args, at...)...), "another command moves blocks to or from cold servers")
	}
	moving, err := db.Writer().LockRanges(t.Context())
	require.NoError(t, err)
	refused("range", "move", "--to", server.Primary().DSN("cold"), "--through", "5")
	refused("range", "thaw")
	refused("range", "adopt", "--server", "tonql_cold_1")
	refused("range", "drop", "--server", "tonql_cold_1")
	folder := filepath.Join(t.TempDir(), "snapshot")
	refused("snapshot", "export", folder)
	require.NoDirExists(t, folder)
	moving.Release()
	exporting, err := db.Writer().ShareRanges(t.Context())
	require.NoError(t, err)
	defer exporting.Release()
	refused("range", "thaw")
	runCommand(t, append([]string{"snapshot", "export", folder}, at...)...)
}
