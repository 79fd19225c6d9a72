package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// Migrations of releases to come. The first release adds a column and an index, the second removes the column.
var (
	expandingMigrations = map[string]string{
		"99990_added.sql": `-- +goose Up
SET LOCAL lock_timeout = '2s';
INSERT INTO schema_gateways (migration, needed) VALUES (99990, NULL);
ALTER TABLE transactions ADD COLUMN added int NOT NULL DEFAULT 7;
-- +goose Down
`,
		"99991_added_index.sql": `-- +goose NO TRANSACTION
-- +goose Up
INSERT INTO schema_gateways (migration, needed) VALUES (99991, NULL) ON CONFLICT DO NOTHING;
CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_added ON transactions (added);
-- +goose Down
`,
	}
	contractingMigration = map[string]string{"99992_removed.sql": `-- +goose Up
SET LOCAL lock_timeout = '2s';
INSERT INTO schema_gateways (migration, needed) VALUES (99992, 99991);
ALTER TABLE transactions DROP COLUMN added;
-- +goose Down
`}
)

// binaryWith builds tonql with further migrations and returns its path.
func binaryWith(t *testing.T, migrations ...map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	folder, err := filepath.Abs("../../migrations")
	require.NoError(t, err)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, files := range migrations {
		for name, text := range files {
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			overlay.Replace[filepath.Join(folder, name)] = path
		}
	}
	text, err := json.Marshal(overlay)
	require.NoError(t, err)
	list, path := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "tonql")
	require.NoError(t, os.WriteFile(list, text, 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-o", path, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// follower receives every masterchain block by a subscription. When a stream ends, it resumes on the next gateway.
type follower struct {
	last    atomic.Uint32
	streams atomic.Uint32
}

// follow runs until ctx ends. It returns an error if a gateway refuses, or a block is missing or repeated.
func (f *follower) follow(ctx context.Context, lb *balanced) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	cursor := ""
	for ctx.Err() == nil {
		after := ""
		if cursor != "" {
			after = fmt.Sprintf(", after: %q", cursor)
		}
		base := *lb.bases[lb.next.Add(1)%uint64(len(lb.bases))].Load()
		target := base + "/graphql?query=" + url.QueryEscape("subscription { blocks(where: {workchain: -1}"+after+") { cursor mcSeqno } }")
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("Accept", "text/event-stream")
		resp, err := client.Do(req)
		if err != nil {
			continue // refused, or closed before a response
		}
		err = f.read(resp, &cursor)
		_ = resp.Body.Close() // it has ended
		if err != nil {
			return err
		}
	}
	return nil
}

// read receives the events of one stream.
func (f *follower) read(resp *http.Response, cursor *string) error {
	if resp.StatusCode != http.StatusOK {
		return errors.New("subscription: " + resp.Status)
	}
	f.streams.Add(1)
	return scanBlocks(resp.Body, func(event *blockEvent) error {
		if event.Errors != nil {
			return fmt.Errorf("event: %s", event.Errors)
		}
		seqno := event.Data.Blocks.McSeqno
		if last := f.last.Swap(seqno); last != 0 && seqno != last+1 {
			return fmt.Errorf("block %d follows block %d", seqno, last)
		}
		*cursor = event.Data.Blocks.Cursor
		return nil
	})
}

// endsWith requires that a process ends by itself, with an error that contains all parts.
func (p *process) endsWith(parts ...string) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		require.Fail(p.t, "it still runs with a schema that it does not support")
	}
	require.Error(p.t, p.err)
	for _, part := range parts {
		require.Contains(p.t, p.stderr.String(), part)
	}
}

// Two releases are rolled out without a failed request or a lost event: the indexer first, which migrates, then a gateway after the other.
// Gateways of the version before the first release continue on its schema, and end at the second one's, which removes what they read.
func TestRollingUpgrade_NoRequestFails(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	old, err := binary()
	require.NoError(t, err)
	expanded, contracted := binaryWith(t, expandingMigrations), binaryWith(t, expandingMigrations, contractingMigration)
	dir, address := t.TempDir(), emptyDatabase(t)
	chainNet := start(t, "devnet", "--data", filepath.Join(dir, "chain"), "--block-interval", "500ms")
	config := chainNet.expect(`global config +(\S+)`, time.Minute)
	own, _, found := strings.Cut(strings.TrimPrefix(runCommand(t, "migrate", "--database-url", address, "--data", filepath.Join(dir, "migrate")), "schema version "), "\n")
	require.True(t, found)
	_, err = strconv.Atoi(own)
	require.NoError(t, err)

	started := 0
	run := func(path, command string, flags ...string) *process {
		started++
		return startCommand(t, exec.Command(path, append([]string{
			command, "--database-url", address, "--data", filepath.Join(dir, strconv.Itoa(started)), "--global-config", config,
		}, flags...)...))
	}
	index := func(path string) *process { return run(path, "index", "--from", "1") }
	serve := func(path string) (*process, string) {
		p := run(path, "serve", "--listen", "127.0.0.1:0")
		return p, "http://" + p.expect(`serves on http://([^/]+)/`, time.Minute)
	}
	// A gateway that is newer than the schema does not start.
	run(expanded, "serve", "--listen", "127.0.0.1:0").endsWith("the database has schema "+own+" and this tonql needs 99991", "run 'tonql migrate'")

	indexer := index(old)
	gateways, lb := make([]*process, 2), &balanced{bases: make([]atomic.Pointer[string], 2), client: http.Client{Timeout: 30 * time.Second}}
	defer lb.client.CloseIdleConnections()
	for i := range gateways {
		p, base := serve(old)
		gateways[i] = p
		lb.bases[i].Store(&base)
	}
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, *lb.bases[0].Load(), 3) })

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var sent atomic.Uint64
	var load sync.WaitGroup
	failures := make(chan error, 100)
	fail := func(err error) {
		select {
		case failures <- err:
		default:
		}
	}
	for _, path := range []string{
		"/api/v3/masterchainInfo", "/api/v3/transactions?limit=50", "/api/v3/traces?limit=10", "/api/v2/getMasterchainInfo",
		"/graphql?query=%7Btransactions(first:10)%7Bnodes%7Bhash%7D%7D%7D",
	} {
		load.Go(func() {
			for ctx.Err() == nil {
				status, err := lb.get(t.Context(), path)
				if err == nil && status != http.StatusOK {
					err = errors.New(path + ": " + http.StatusText(status))
				}
				if err != nil {
					fail(err)
				}
				sent.Add(1)
			}
		})
	}
	var stream follower
	load.Go(func() {
		if err := stream.follow(ctx, lb); err != nil {
			fail(err)
		}
	})
	served := func() { // requests and events reach the clients, and none has failed
		t.Helper()
		from, block := sent.Load(), stream.last.Load()
		eventually(t, time.Minute, "requests are served", func() bool {
			return len(failures) > 0 || sent.Load() > from+100 && stream.last.Load() > block+2
		})
		select {
		case err := <-failures:
			require.NoError(t, err, "of %d requests", sent.Load())
		default:
		}
	}
	replace := func(path string) {
		t.Helper()
		for i := range gateways {
			gateways[i].interrupt(15 * time.Second)
			served()
			p, base := serve(path)
			gateways[i] = p
			lb.bases[i].Store(&base)
			served()
		}
	}
	served()

	// The first release: its indexer migrates, the one before ends.
	next := index(expanded)
	indexer.endsWith("the database has schema 9999", " and this tonql knows only "+own) // 99990 when it looks between the two migrations
	indexer = next
	served()
	early, earlyBase := serve(old) // one that restarts meanwhile
	require.Contains(t, early.stderr.String(), "database schema is newer and permits this gateway")
	for _, g := range gateways {
		eventually(t, time.Minute, "the gateway has checked the schema", func() bool {
			return strings.Contains(g.stderr.String(), "database schema is newer and permits this gateway")
		})
	}
	replace(expanded)
	eventually(t, time.Minute, "the old gateway follows", func() bool { return follows(t, earlyBase, stream.last.Load()) })

	// The second release.
	next = index(contracted)
	early.endsWith("the database has schema 99992 and this tonql knows only " + own)
	indexer.endsWith("the database has schema 99992 and this tonql knows only 99991")
	indexer = next
	run(old, "serve", "--listen", "127.0.0.1:0").endsWith("the database has schema 99992 and this tonql knows only " + own)
	served()
	replace(contracted)

	require.GreaterOrEqual(t, stream.streams.Load(), uint32(2), "the stream was resumed")
	cancel()
	load.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err, "of %d requests", sent.Load())
	}
	t.Log("requests:", sent.Load(), "streams:", stream.streams.Load(), "last block:", stream.last.Load())
	for _, p := range slices.Concat(gateways, []*process{indexer, chainNet}) {
		p.interrupt(15 * time.Second)
	}
}
