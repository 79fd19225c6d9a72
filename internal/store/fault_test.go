package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// requireNoInternals checks that the public message contains no SQL, no table and no address of the database.
func requireNoInternals(t *testing.T, err error) {
	t.Helper()
	message := strings.ToLower(chain.PublicMessage(err))
	for _, text := range []string{"select", "transactions t", "sqlstate", "pg_", "relation", "/tmp", "127.0.0.1", "secretpass"} {
		require.NotContains(t, message, text)
	}
}

func TestReader_SlowStatementIsUnavailable(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	db, err := store.Open(t.Context(), store.Config{WriteURL: url, StatementTimeout: 100 * time.Millisecond})
	require.NoError(t, err)
	defer db.Close()
	err = db.Reader().Run(t.Context(), "SELECT pg_sleep(5)")
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "narrow")
	requireNoInternals(t, err)
}

func TestReader_InvalidStatementIsInternal(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	err := db.Reader().Run(t.Context(), "SELECT nothing FROM transactions")
	require.Equal(t, chain.Internal, chain.KindOf(err))
	require.Equal(t, "internal error", chain.PublicMessage(err))
	require.ErrorContains(t, err, "nothing") // for the log
}

func TestReader_CannotWrite(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	err := db.Reader().Run(t.Context(), "DELETE FROM transactions")
	require.ErrorContains(t, err, "read-only")
}

func TestReader_StatementEndsWithItsContext(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, db.Reader().Run(ctx, "SELECT pg_sleep(5)"), context.DeadlineExceeded)
	// The cancelled connection is replaced; the next query succeeds.
	_, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
}

func TestOpen_FailureHasAKindAndNoSecret(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		url  string
		kind chain.Kind
	}{
		"none":       {"", chain.Invalid},
		"not a URL":  {"postgres://u:secretpass@:bad:/x y", chain.Invalid},
		"no server":  {"postgres://u:secretpass@127.0.0.1:1/x?sslmode=disable", chain.Unavailable},
		"no socket":  {"host=" + t.TempDir() + " dbname=x", chain.Unavailable},
		"no such db": {strings.Replace(testdb.URL(t), "tonql_test_", "tonql_missing_", 1), chain.Unavailable},
	} {
		_, err := store.Open(t.Context(), store.Config{WriteURL: c.url, ConnectTimeout: 5 * time.Second})
		require.Error(t, err, name)
		require.Equal(t, c.kind, chain.KindOf(err), "%s: %v", name, err)
		require.NotContains(t, err.Error(), "secretpass", name)
		requireNoInternals(t, err)
	}
}

// The connections of both pools are terminated: the running query fails as Unavailable, and the next ones succeed.
func TestConnections_LostOnesAreReplaced(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.SmallChain()
	storetest.Apply(t, db.Writer(), blocks[:2])
	failed := make(chan error, 1)
	go func() { failed <- db.Reader().Run(t.Context(), "SELECT pg_sleep(30)") }()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	require.Eventually(t, func() bool {
		var n int
		err := handle.QueryRowContext(t.Context(), `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`).Scan(&n)
		return err == nil && n > 0
	}, time.Minute, 5*time.Millisecond)
	err := <-failed
	require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)
	requireNoInternals(t, err)
	_, err = handle.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'tonql%e%'`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return db.Writer().Apply(t.Context(), blocks[2:]...) == nil }, time.Minute, 10*time.Millisecond)
	require.Eventually(t, func() bool {
		ranges, err := db.Reader().Ranges(t.Context())
		return err == nil && len(ranges) == 1 && ranges[0].Len() == uint32(len(blocks))
	}, time.Minute, 10*time.Millisecond)
}

func TestPools_CountConnections(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	read, write := w.DB.Pools()
	require.Positive(t, read.Acquired)
	require.Positive(t, write.Max)
}
