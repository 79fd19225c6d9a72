package migrations_test

import (
	"bytes"
	"context"
	"database/sql"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/migrations"
)

func TestMain(m *testing.M) { testdb.Main(m) }

// withMigration returns the migrations with another one.
func withMigration(t *testing.T, name, text string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{name: {Data: []byte(text)}}
	files, err := fs.Glob(migrations.FS(), "*.sql")
	require.NoError(t, err)
	for _, file := range files {
		content, err := fs.ReadFile(migrations.FS(), file)
		require.NoError(t, err)
		all[file] = &fstest.MapFile{Data: content}
	}
	return all
}

const addsColumn = `-- +goose Up
SET LOCAL lock_timeout = '2s';
INSERT INTO schema_gateways (migration, needed) VALUES (99990, NULL);
ALTER TABLE blocks ADD COLUMN added int;
-- +goose Down
`

// buffer is a log for several goroutines.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) count(of string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), of)
}

// dump begins a transaction that has read blocks, as a dump does; it reads until the end of the test or end.
func dump(t *testing.T, handle *sql.DB) (end func()) {
	t.Helper()
	tx, err := handle.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), `SELECT count(*) FROM blocks`)
	require.NoError(t, err)
	return func() { require.NoError(t, tx.Rollback()) }
}

// A statement that waits for an exclusive lock makes all readers wait behind it. A migration gives up after its limit, so that they
// continue while a long transaction holds the lock, and is repeated until that has ended.
func TestUp_ReadersContinueWhileAMigrationWaitsForALock(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	handle := testdb.New(t).SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	end := dump(t, handle)
	from := withMigration(t, "99990_added.sql", addsColumn)
	var log buffer
	migrated := make(chan error, 1)
	go func() {
		_, err := migrations.UpWith(t.Context(), handle, from,
			migrations.Loggers{Own: slog.New(slog.NewTextHandler(&log, nil))}, 1000)
		migrated <- err
	}()
	read := func() {
		// Without the limit it would wait for the end of the long transaction.
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := handle.ExecContext(ctx, `SELECT count(*) FROM blocks`)
		require.NoError(t, err)
	}
	for tries := range 2 {
		require.Eventually(t, func() bool {
			var waits bool
			err := handle.QueryRowContext(t.Context(), `SELECT count(*) > 0 FROM pg_locks WHERE relation = 'blocks'::regclass
				AND mode = 'AccessExclusiveLock' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waits)
			return err == nil && waits
		}, time.Minute, time.Millisecond, "the migration waits for its lock")
		read()
		require.Eventually(t, func() bool { return log.count("migration does not get its lock") > tries }, time.Minute, time.Millisecond)
	}
	select {
	case err := <-migrated:
		require.Fail(t, "the migration ended before the transaction that holds the lock", err)
	default:
	}
	end()
	require.NoError(t, <-migrated)
	read()
	_, err := handle.ExecContext(t.Context(), `SELECT added FROM blocks`)
	require.NoError(t, err)
	_, _, err = migrations.CheckGateway(t.Context(), handle)
	require.NoError(t, err)
}

func TestUp_LockThatIsNeverFreeIsAnError(t *testing.T) {
	t.Parallel()
	handle := testdb.New(t).SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	end := dump(t, handle)
	defer end()
	from := withMigration(t, "99990_added.sql", strings.Replace(addsColumn, "'2s'", "'1ms'", 1))
	from["99989_first.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE first (n int);\n-- +goose Down\n")}
	var log buffer
	n, err := migrations.UpWith(t.Context(), handle, from, migrations.Loggers{Own: slog.New(slog.NewTextHandler(&log, nil))}, 3)
	require.ErrorContains(t, err, "a lock was not free in 3 tries: end long transactions")
	require.ErrorContains(t, err, "99990")
	require.Equal(t, 1, n, "the migration before it is applied")
	require.Equal(t, 2, log.count("migration does not get its lock"), "two tries are followed by another one")
	_, err = handle.ExecContext(t.Context(), `SELECT added FROM blocks`)
	require.Error(t, err, "nothing is left of the migration that failed")
}

// An error that repetitions do not change is returned at once.
func TestUp_OtherErrorsAreNotRepeated(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	handle := testdb.New(t).SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	var log buffer
	_, err := migrations.UpWith(t.Context(), handle, withMigration(t, "99990_wrong.sql", "-- +goose Up\nSELECT 1/0;\n-- +goose Down\n"),
		migrations.Loggers{Own: slog.New(slog.NewTextHandler(&log, nil))}, 3)
	require.ErrorContains(t, err, "division by zero")
	require.Zero(t, log.count("retrying"))
}
