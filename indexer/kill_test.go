package indexer_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/embeddedpg"
	"tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// Environment variables of the test binary when it runs as the process that is killed.
const (
	childDatabase = "TONQL_TEST_INDEX_DATABASE"
	childConfig   = "TONQL_TEST_INDEX_CONFIG"
	childFill     = "TONQL_TEST_INDEX_FILL" // last block of the range from 1, empty: follow the head
	childKeep     = "TONQL_TEST_INDEX_KEEP" // a duration: older blocks are dropped, and cells swept after every sweptAfter transactions
)

// runChild indexes until it is killed, or until the range up to block fill is complete.
func runChild(url, config, fill string) {
	ctx := context.Background()
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	src, err := node.Open(ctx, node.Options{GlobalConfig: config})
	fail(err)
	db, err := store.Open(ctx, store.Config{WriteURL: url, MaxReadConns: 4, MaxWriteConns: 3})
	fail(err)
	opts := indexer.Options{Batch: 8, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	if keep := os.Getenv(childKeep); keep != "" {
		opts.Recheck = 10 * time.Millisecond
		opts.Keep.Age, err = time.ParseDuration(keep)
		fail(err)
		x := indexer.New(src, db, opts)
		x.SetMinSweep(sweptAfter)
		fail(x.Run(ctx))
		os.Exit(0)
	}
	if fill == "" {
		fail(indexer.New(src, db, opts).Run(ctx))
		os.Exit(0)
	}
	last, err := strconv.ParseUint(fill, 10, 32)
	fail(err)
	fail(indexer.New(src, db, opts).Fill(ctx, uint32(last)))
	os.Exit(0)
}

// keepMining mines blocks during a test until stop is called; stop returns the last seqno. No block is mined while db lacks more than
// the given number of them, so that an indexer that a busy machine delays is not left behind.
func keepMining(ctx context.Context, t *testing.T, d *devnettest.Network, every time.Duration, db *store.DB, ahead uint32) (stop func() uint32) {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				done <- nil
				return
			case <-tick.C:
			}
			if ranges, err := db.Reader().Ranges(ctx); err != nil || len(ranges) == 0 || d.Head()-ranges[0].Last > ahead {
				continue
			}
			if _, err := d.Advance(context.WithoutCancel(ctx)); err != nil {
				done <- err
				return
			}
		}
	}()
	return func() uint32 {
		cancel()
		require.NoError(t, <-done)
		return d.Chain.Head().ID.SeqNo
	}
}

// TestIndex_SurvivesKills kills the indexing process twenty times, at random moments while the chain grows. In the end
// the database equals that of one uninterrupted run.
func TestIndex_SurvivesKills(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	kills, blocks := 20, uint32(100)
	if pacetest.Short() {
		kills, blocks = 4, 40
	}
	d := newNetwork(ctx, t, blocks)
	url := testdb.URL(t)
	binary, err := os.Executable()
	require.NoError(t, err)

	db := testdb.Open(t, url)
	mined := keepMining(ctx, t, d, pacetest.Slow*150*time.Millisecond, db, blocks)
	before := uint32(0)
	for i := range kills + 1 {
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, binary, "-test.run=^$")
		cmd.Env = append(os.Environ(), childDatabase+"="+url, childConfig+"="+d.GlobalConfigPath())
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		if i == kills {
			last := mined()
			waitIndexed(ctx, t, db, 1, last)
			require.NoError(t, cmd.Process.Kill())
			_ = cmd.Wait()
			requireEqualsOneRun(ctx, t, d, db, last)
			break
		}
		if i%2 == 0 { // every other one is killed after progress, the rest at random moments, also during the start
			waitUntil(ctx, t, "progress", func() bool { return blocksIndexed(ctx, t, db) > before })
		}
		<-time.After(time.Duration(rand.IntN(300)) * time.Millisecond)
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
		require.ErrorContains(t, cmd.Wait(), "killed", out.String())
		before = blocksIndexed(ctx, t, db)
	}
}

func blocksIndexed(ctx context.Context, t *testing.T, db *store.DB) (n uint32) {
	t.Helper()
	ranges, err := db.Reader().Ranges(ctx)
	require.NoError(t, err)
	for _, r := range ranges {
		n += r.Len()
	}
	return n
}

// requireEqualsOneRun indexes the same chain in one run and compares the databases byte by byte.
func requireEqualsOneRun(ctx context.Context, t *testing.T, d *devnettest.Network, db *store.DB, last uint32) {
	t.Helper()
	src := d.Client
	other := testdb.New(t)
	run(ctx, t, src, other, 1, last, indexer.Options{})
	require.Equal(t, digest(ctx, t, other), digest(ctx, t, db))
	requireVerified(ctx, t, src, db, 1, last)
}

// TestIndex_SurvivesKillsOfPostgres kills the database server five times while an indexer runs.
func TestIndex_SurvivesKillsOfPostgres(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	kills, blocks := 5, uint32(100)
	if pacetest.Short() {
		kills, blocks = 2, 40
	}
	d := newNetwork(ctx, t, blocks)
	dir := t.TempDir()
	server, err := embeddedpg.Start(ctx, embeddedpg.Options{Dir: dir, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	supervise, end := context.WithCancel(ctx)
	supervised := make(chan error, 1)
	go func() { supervised <- server.Supervise(supervise) }()
	t.Cleanup(func() {
		end()
		require.NoError(t, <-supervised)
	})

	db, err := store.Open(ctx, store.Config{WriteURL: server.DSN()})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	handle := db.SQLDB()
	_, err = migrations.Up(ctx, handle)
	require.NoError(t, err)
	require.NoError(t, handle.Close())

	mined := keepMining(ctx, t, d, pacetest.Slow*150*time.Millisecond, db, blocks)
	x := indexer.New(d.Client, db, indexer.Options{Batch: 8, Logger: logger(t)})
	stop := start(ctx, t, x)
	for range kills {
		before := x.Status().Transactions
		waitUntil(ctx, t, "progress", func() bool { return x.Status().Transactions > before })
		run := server.Done()
		require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
		<-run
	}
	last := mined()
	waitIndexed(ctx, t, db, 1, last)
	stop()
	require.Equal(t, indexer.Stopped, x.Status().State)
	requireEqualsOneRun(ctx, t, d, db, last)
}

// postmaster returns the process id of the running server.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
	require.NoError(t, err)
	line, _, _ := bytes.Cut(data, []byte("\n"))
	pid, err := strconv.Atoi(string(line))
	require.NoError(t, err)
	require.Greater(t, pid, 1)
	return pid
}
