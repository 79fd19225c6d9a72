package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/node"
	"tonql/internal/store"
	"tonql/internal/store/coldservers"
	"tonql/internal/store/moves"
	"tonql/internal/store/transactions"
)

// statuses lists the statuses of results in order, with their names.
func statuses(results ...Result) (lines []string) {
	for _, r := range results {
		lines = append(lines, string(r.Status)+" "+r.Name)
	}
	return lines
}

// sound requires that results say what to do if and only if something is wrong.
func sound(t *testing.T, results ...Result) {
	t.Helper()
	require.NotEmpty(t, results)
	for _, r := range results {
		require.NotEmpty(t, r.Name)
		require.NotEmpty(t, r.Detail, r.Name)
		require.Equal(t, r.Status == OK, r.Advice == "", "%v", r)
	}
}

func TestRun_ChecksThatHangFailInTime(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	hang := Check{Name: "hang", Run: func(context.Context) []Result { <-released; return nil }}
	slow := Check{Name: "slow", Run: func(ctx context.Context) []Result {
		<-ctx.Done()
		return []Result{fail("slow", "wait", "%v", ctx.Err())}
	}}
	fine := Check{Name: "fine", Run: func(context.Context) []Result { return []Result{ok("fine", "yes")} }}
	start := time.Now()
	results := Run(t.Context(), 10*time.Millisecond, hang, slow, fine)
	close(released)
	require.Equal(t, []string{"fail hang", "fail slow", "ok fine"}, statuses(results...))
	require.Less(t, time.Since(start), 10*grace)
	require.Equal(t, Fail, Worst(results))
	require.Equal(t, OK, Worst(nil))
	require.Equal(t, Warn, Worst([]Result{warn("a", "b", "c"), ok("d", "e")}))
}

func TestWrite_LinesAreBoundedAndPrintable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	hostile := fail("liteserver", "leave it", "%s", "\x1b[2J\n\xff"+strings.Repeat("é", 10_000))
	require.NoError(t, Write(&out, []Result{hostile}))
	require.Less(t, out.Len(), 2*maxDetail)
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	require.NotContains(t, out.String(), "\x1b")
	out.Reset()
	require.NoError(t, WriteJSON(&out, "v1", []Result{hostile, ok("a", "b")}))
	var report struct {
		Version, Status string
		Checks          []map[string]string
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	require.Equal(t, "fail", report.Status)
	require.Len(t, report.Checks, 2)
}

// healthy returns the diagnosis of a server without anything to improve.
func healthy() *store.Diagnosis {
	return &store.Diagnosis{Version: 150004, System: 7, Connections: 10, Reserved: 3, Bytes: 12_345_678, Settings: map[string]string{
		"autovacuum": "on", "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on",
		"server_encoding": "UTF8", "shared_buffers": "4GB", "max_wal_size": "8GB", "max_connections": "100",
		"hot_standby_feedback": "on", "max_standby_streaming_delay": "30s",
	}}
}

func TestPostgres_EachRiskHasItsLine(t *testing.T) {
	t.Parallel()
	results := Postgres(healthy(), 16)
	sound(t, results...)
	require.Equal(t, OK, Worst(results))
	require.Contains(t, results[0].Detail, "version 15.4, database of 12.3 MB; no extension is needed")
	for setting, c := range map[string]struct {
		value string
		want  Status
	}{
		"fsync": {"off", Fail}, "full_page_writes": {"off", Fail}, "autovacuum": {"off", Fail}, "server_encoding": {"SQL_ASCII", Fail},
		"synchronous_commit": {"off", Warn}, "data_checksums": {"off", Warn}, "shared_buffers": {"128MB", Warn}, "max_wal_size": {"512MB", Warn},
	} {
		d := healthy()
		d.Settings[setting] = c.value
		results := Postgres(d, 16)
		sound(t, results...)
		require.Equal(t, c.want, Worst(results), setting)
	}
	for name, c := range map[string]struct {
		change func(*store.Diagnosis)
		want   Status
	}{
		"an old version":            {func(d *store.Diagnosis) { d.Version = 140011 }, Fail},
		"a standby":                 {func(d *store.Diagnosis) { d.Standby = true }, Warn},
		"too few connections":       {func(d *store.Diagnosis) { d.Settings["max_connections"] = "20" }, Fail},
		"connections for the pools": {func(d *store.Diagnosis) { d.Settings["max_connections"] = "30" }, Fail},
		"most connections in use":   {func(d *store.Diagnosis) { d.Connections = 90 }, Warn},
		"a standby far behind": {func(d *store.Diagnosis) {
			d.Standbys = []store.Standby{{Name: "b", State: "streaming", Delay: time.Hour}}
		}, Fail},
		"a standby somewhat behind": {func(d *store.Diagnosis) {
			d.Standbys = []store.Standby{{Name: "b", State: "catchup", Delay: time.Minute}}
		}, Warn},
		"a standby that is up to date": {func(d *store.Diagnosis) { d.Standbys = []store.Standby{{Name: "b", State: "streaming"}} }, OK},
	} {
		d := healthy()
		c.change(d)
		results := Postgres(d, 16)
		sound(t, results...)
		require.Equal(t, c.want, Worst(results), name)
	}
}

func TestMoves_UnfinishedOnesAndRowsThatStayAreReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status moves.Status
		want   Status
		detail string
	}{
		{moves.Status{Share: 0.419}, Warn, "transactions: about 41 % of the rows are in the form of this version"},
		{moves.Status{Share: 1, Done: true}, OK, "removed when no reader needs it"},
		{moves.Status{Share: 1, Done: true, Freed: true, Moved: 7, Rest: transactions.MoveRest{WithoutRaw: 3}}, OK, "but 3 without a raw transaction"},
		{moves.Status{Share: 1, Done: true, Freed: true, Moved: 7}, OK, "all rows are in the form of this version"},
		{moves.Status{Share: 1, Done: true, Freed: true, Rest: transactions.MoveRest{Differing: 3}}, Warn, "3 rows are damaged"},
		{moves.Status{Share: 1, Done: true, Rest: transactions.MoveRest{WithoutRest: 9}}, Warn, "9 account states"},
	} {
		c.status.Name = moves.OfTransactions
		results := Moves([]moves.Status{c.status})
		sound(t, results...)
		require.Len(t, results, 1)
		require.Equal(t, c.want, results[0].Status)
		require.Contains(t, results[0].Detail, c.detail)
	}
	require.Empty(t, Moves(nil))
}

func TestKeyPools_OnesThatTheGatewayLacksAreReported(t *testing.T) {
	t.Parallel()
	pools := []store.KeyPool{{Network: "mainnet", Name: "alice", Keys: 2}, {Network: "mainnet", Name: "bob", Keys: 3}, {Network: "testnet", Name: "carol", Keys: 1}}
	results := KeyPools(pools, "mainnet", []string{"alice"})
	sound(t, results...)
	require.Len(t, results, 1)
	require.Equal(t, Warn, results[0].Status)
	require.Contains(t, results[0].Detail, `3 keys name the private liteservers "bob"`)
	require.Empty(t, KeyPools(pools, "mainnet", []string{"bob", "alice"}))
	require.Empty(t, KeyPools(nil, "mainnet", nil))
}

// A role without rights to the state of a standby is not shown a delay of 0.
func TestPostgres_HiddenDelayIsNotReportedAsNone(t *testing.T) {
	t.Parallel()
	d := healthy()
	d.Standbys = []store.Standby{{Name: "b"}}
	results := Postgres(d, 16)
	sound(t, results...)
	last := results[len(results)-1]
	require.Equal(t, "standby b", last.Name)
	require.Contains(t, last.Detail, "pg_monitor")
	require.NotContains(t, last.Detail, "behind")
}

func TestReplica_ForeignAndDelayedOnesAreReported(t *testing.T) {
	t.Parallel()
	standby := func(change func(*store.Diagnosis)) Status {
		d := healthy()
		d.Standby = true
		change(d)
		results := Replica(d, healthy(), 16)
		sound(t, results...)
		return Worst(results)
	}
	require.Equal(t, OK, standby(func(*store.Diagnosis) {}))
	require.Equal(t, Fail, standby(func(d *store.Diagnosis) { d.System = 8 }))
	require.Equal(t, Warn, standby(func(d *store.Diagnosis) { d.Delay = time.Minute }))
	require.Equal(t, Fail, standby(func(d *store.Diagnosis) { d.Delay = time.Hour }))
	require.Equal(t, Warn, standby(func(d *store.Diagnosis) { d.Settings["hot_standby_feedback"] = "off" }))
	require.Equal(t, OK, Worst(Replica(healthy(), healthy(), 16)), "the primary itself")
	d := healthy()
	d.Host = "10.0.0.2:5432"
	for _, r := range Replica(d, healthy(), 16) {
		require.Equal(t, "replica 10.0.0.2:5432", r.Name, "one of several")
	}
}

func TestLiteservers_EachStateHasItsLine(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	good := node.Survey{Name: "1.1.1.1:1", HeadSeqno: 5_000_000, HeadTime: now.Add(-2 * time.Second), Clock: now, OldestSeqno: 1}
	pruned := good
	pruned.OldestSeqno = 4_000_000
	behind := good
	behind.HeadSeqno -= 100
	stale := good
	stale.HeadTime = now.Add(-5 * time.Minute)
	halted := good
	halted.HeadTime = now.Add(-time.Hour)
	gone := node.Survey{Name: "2.2.2.2:2", Err: errors.New("cannot be reached")}
	for name, c := range map[string]struct {
		list  []node.Survey
		first uint32
		want  []string
	}{
		"two archives":           {[]node.Survey{good, good}, 1, []string{"ok liteserver 1.1.1.1:1", "ok liteserver 1.1.1.1:1", "ok liteservers"}},
		"one":                    {[]node.Survey{good}, 0, []string{"ok liteserver 1.1.1.1:1", "warn liteservers"}},
		"one gone":               {[]node.Survey{good, gone, good}, 0, []string{"ok liteserver 1.1.1.1:1", "fail liteserver 2.2.2.2:2", "ok liteserver 1.1.1.1:1", "ok liteservers"}},
		"all gone":               {[]node.Survey{gone}, 0, []string{"fail liteserver 2.2.2.2:2", "fail liteservers"}},
		"behind":                 {[]node.Survey{good, behind}, 0, []string{"ok liteserver 1.1.1.1:1", "warn liteserver 1.1.1.1:1", "ok liteservers"}},
		"stale and halted":       {[]node.Survey{stale, halted}, 0, []string{"warn liteserver 1.1.1.1:1", "fail liteserver 1.1.1.1:1", "warn liteservers"}},
		"none has the first":     {[]node.Survey{pruned, pruned}, 1, []string{"ok liteserver 1.1.1.1:1", "ok liteserver 1.1.1.1:1", "ok liteservers", "warn liteservers"}},
		"both have the first":    {[]node.Survey{pruned, pruned}, 4_500_000, []string{"ok liteserver 1.1.1.1:1", "ok liteserver 1.1.1.1:1", "ok liteservers"}},
		"an empty global config": {nil, 0, []string{"fail liteservers"}},
	} {
		results := Liteservers(c.list, now, c.first, false)
		sound(t, results...)
		require.Equal(t, c.want, statuses(results...), name)
	}
	require.Contains(t, Liteservers([]node.Survey{pruned}, now, 0, true)[0].Detail, "at least 1 million blocks back")
}

func TestClock_MedianOfLiteserversDecides(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	at := func(offsets ...time.Duration) (list []node.Survey) {
		for _, o := range offsets {
			list = append(list, node.Survey{Clock: now.Add(o)})
		}
		return list
	}
	require.Equal(t, OK, Clock(at(0, time.Second, 24*time.Hour), now).Status, "one server does not decide")
	require.Equal(t, Warn, Clock(at(20*time.Second, 20*time.Second, 0), now).Status)
	require.Equal(t, Fail, Clock(at(-time.Hour), now).Status)
	require.Equal(t, OK, Clock([]node.Survey{{Err: errors.New("gone")}}, now).Status)
	require.Equal(t, OK, DatabaseClock(time.Second).Status)
	require.Equal(t, Warn, DatabaseClock(-10*time.Second).Status)
	require.Equal(t, Fail, DatabaseClock(time.Hour).Status)
}

func TestFolder_WhatIsMissingOrFullIsReported(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o600))
	require.NotEqual(t, Fail, Worst(Folder(filepath.Join(folder, "not", "there", "yet"), false)))
	require.Equal(t, Fail, Worst(Folder(filepath.Join(folder, "file"), false)))
	require.Equal(t, Fail, Space(folder, 1<<20, true).Status)
	require.Equal(t, Warn, Space(folder, 1<<20, false).Status)
	require.Equal(t, Warn, Space(folder, 5<<30, true).Status)
	require.Equal(t, OK, Space(folder, 50<<30, true).Status)
	require.Equal(t, Warn, descriptors(64).Status)
	require.Equal(t, OK, descriptors(65536).Status)
	sound(t, Descriptors())
}

func TestWebhookKey_MissingOneFailsOnlyWithEndpoints(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "webhook.key")
	require.Equal(t, OK, WebhookKey(path, true, fs.ErrNotExist, 0).Status)
	require.Equal(t, Fail, WebhookKey(path, true, fs.ErrNotExist, 2).Status)
	require.Equal(t, OK, WebhookKey(path, false, nil, 2).Status)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.Equal(t, OK, WebhookKey(path, true, nil, 2).Status)
	require.Equal(t, Fail, WebhookKey(path, true, errors.New("not base64"), 2).Status)
	require.NoError(t, os.Chmod(path, 0o644))
	require.Equal(t, Warn, WebhookKey(path, true, nil, 2).Status)
}

func TestExposed_ProxiesAndLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		e    Exposure
		want []string
	}{
		"the defaults":               {Exposure{Listen: "127.0.0.1:8080", Network: "devnet"}, []string{"ok proxies", "ok limits"}},
		"behind an unlisted proxy":   {Exposure{Listen: "127.0.0.1:8080", Network: "mainnet", Limited: true}, []string{"warn proxies", "ok limits"}},
		"behind a listed proxy":      {Exposure{Listen: "127.0.0.1:8080", Network: "mainnet", Limited: true, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}, []string{"ok proxies", "ok limits"}},
		"public without limits":      {Exposure{Listen: ":8080", Network: "mainnet"}, []string{"ok proxies", "warn limits"}},
		"public on the local chain":  {Exposure{Listen: ":8080", Network: "devnet"}, []string{"ok proxies", "ok limits"}},
		"every address as its proxy": {Exposure{Listen: ":8080", Network: "mainnet", Limited: true, Proxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}}, []string{"fail proxies", "ok limits"}},
	} {
		results := Exposed(c.e)
		sound(t, results...)
		require.Equal(t, c.want, statuses(results...), name)
	}
}

func TestCold_ServersThatCannotBeReadFail(t *testing.T) {
	t.Parallel()
	require.Empty(t, Cold(nil))
	results := Cold([]coldservers.State{
		{Server: "tonql_cold_1"}, {Server: "tonql_cold_2", Err: errors.New("refused")}, {Server: "tonql_cold_3", Interrupted: true},
		{Server: "tonql_cold_4", Lost: true}, {Server: "tonql_cold_5", Copied: true, Interrupted: true},
	})
	require.Len(t, results, 5)
	for i, want := range []Status{OK, Fail, Warn, Fail, Fail} {
		require.Equal(t, want, results[i].Status)
		require.Contains(t, results[i].Detail, "tonql_cold_"+string(rune('1'+i)))
		require.Equal(t, want != OK, results[i].Advice != "")
	}
}
