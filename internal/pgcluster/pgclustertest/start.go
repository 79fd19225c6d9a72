// Package pgclustertest starts clusters of PostgreSQL servers for tests.
package pgclustertest

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/store"
	"tonql/internal/temptest"
	"tonql/migrations"
)

const timeout = pacetest.Slow * 2 * time.Minute // of a start and of a stop

// Start starts a cluster that ends with the test. It skips the test where pg_basebackup is missing.
func Start(tb testing.TB, opts pgcluster.Options) *pgcluster.Cluster {
	tb.Helper()
	needBaseBackup(tb)
	dir, remove, err := temptest.Folder("tonql-test-cluster-")
	require.NoError(tb, err)
	opts.Dir = dir
	if opts.Logger == nil && testing.Verbose() && os.Getenv("TONQL_TEST_CLUSTER_LOG") != "" {
		opts.Logger = slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), timeout)
	defer cancel()
	c, err := pgcluster.Start(ctx, opts)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		require.NoError(tb, c.Stop(ctx))
		require.NoError(tb, remove())
	})
	return c
}

// Open opens a migrated database of a cluster, for writing on the primary and for reading on the servers that reading names;
// without one it reads the primary. It is closed with the test.
func Open(tb testing.TB, c *pgcluster.Cluster, reading ...string) *store.DB {
	tb.Helper()
	db, err := store.Open(tb.Context(), store.Config{WriteURL: c.DSN("tonql", "primary"), ReadURLs: reading, MaxReadConns: 4, MaxWriteConns: 3})
	require.NoError(tb, err)
	tb.Cleanup(db.Close)
	handle := db.SQLDB()
	defer func() { require.NoError(tb, handle.Close()) }()
	_, err = migrations.Up(tb.Context(), handle)
	require.NoError(tb, err)
	return db
}

// needBaseBackup skips a test where PostgreSQL lacks the program that makes standbys.
func needBaseBackup(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("pg_basebackup"); err == nil {
		return
	}
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_basebackup"); err != nil || len(found) == 0 {
		tb.Skip("pg_basebackup is not installed (Debian: apt-get install postgresql)")
	}
}
