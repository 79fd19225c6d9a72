package indexer_test

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/testdb"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childDatabase); url != "" {
		runChild(url, os.Getenv(childConfig), os.Getenv(childFill)) // never returns
	}
	testdb.Main(closing{m})
}

func testContext(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), pacetest.Slow*12*time.Minute)
	tb.Cleanup(cancel)
	return ctx
}

// newNetwork starts a deterministic devnet with traffic, splits and merges, and mines it by hand up to a seqno.
func newNetwork(ctx context.Context, tb testing.TB, seqno uint32) *devnettest.Network {
	tb.Helper()
	return devnettest.Start(ctx, tb, devnettest.Options{
		Devnet: devnet.Options{Seed: testSeed(), Scenario: true, ActionsPerMinute: 120, ShardPeriod: 24}, Blocks: seqno, Node: nodeOptions,
	})
}

// nodeOptions suit tests that break servers: queries end early, and a broken server is tried again soon.
var nodeOptions = node.Options{Timeout: pacetest.Slow * 2 * time.Second, BrokenPause: 50 * time.Millisecond}

func testSeed() (seed [32]byte) {
	copy(seed[:], "the indexer's tests")
	return seed
}

// connect opens a node client.
func connect(ctx context.Context, tb testing.TB, config *liteclient.GlobalConfig) *node.Client {
	tb.Helper()
	opts := nodeOptions
	opts.Config = config
	c, err := node.Open(ctx, opts)
	require.NoError(tb, err)
	tb.Cleanup(c.Close)
	return c
}

// logger writes to the test's log if the test is verbose.
func logger(tb testing.TB) *slog.Logger {
	tb.Helper()
	if testing.Verbose() {
		return slog.New(slog.NewTextHandler(tb.Output(), nil))
	}
	return nil
}

// start runs an indexer until the test ends or stop is called.
func start(ctx context.Context, tb testing.TB, x *indexer.Indexer) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cancel()
			require.NoError(tb, <-done)
		}
	}
	tb.Cleanup(stop)
	return stop
}

// waitUntil waits for a condition of the index.
func waitUntil(ctx context.Context, tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			require.Fail(tb, "timed out waiting for "+what)
		case <-tick.C:
		}
	}
}

// waitIndexed waits until the index has one range, from first to last.
func waitIndexed(ctx context.Context, tb testing.TB, db *store.DB, first, last uint32) {
	tb.Helper()
	waitUntil(ctx, tb, "the indexed ranges", func() bool {
		ranges, err := db.Reader().Ranges(ctx)
		return err == nil && len(ranges) == 1 && ranges[0] == chain.SeqnoRange{First: first, Last: last}
	})
}

// run indexes until the index has one range, from first to last, and stops.
func run(ctx context.Context, tb testing.TB, src chain.Source, db *store.DB, first, last uint32, opts indexer.Options) {
	tb.Helper()
	opts.Logger = logger(tb)
	stop := start(ctx, tb, indexer.New(src, db, opts))
	waitIndexed(ctx, tb, db, first, last)
	stop()
}

func digest(ctx context.Context, tb testing.TB, db *store.DB) digests.Digest {
	tb.Helper()
	d, err := db.Reader().Digest(ctx, nil)
	require.NoError(tb, err)
	return d
}

func from(tb testing.TB, s string) indexer.From {
	tb.Helper()
	f, err := indexer.ParseFrom(s)
	require.NoError(tb, err)
	return f
}

// requireVerified compares every row of a range with the chain.
func requireVerified(ctx context.Context, tb testing.TB, src chain.Source, db *store.DB, first, last uint32) indexer.Report {
	tb.Helper()
	report, err := indexer.New(src, db, indexer.Options{}).VerifyRange(ctx, chain.SeqnoRange{First: first, Last: last})
	require.NoError(tb, err)
	require.True(tb, report.OK(), report.String())
	require.Equal(tb, report.Transactions, report.Replayed)
	return report
}
