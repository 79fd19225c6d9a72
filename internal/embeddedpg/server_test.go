package embeddedpg

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// The server has the durable settings of production; most tests start a fast one.
func TestStart_KeepsDataAndAppliesSettings(t *testing.T) {
	t.Parallel()
	opts := Options{Dir: filepath.Join(t.TempDir(), "data"), Settings: map[string]string{"work_mem": "7MB"}}
	s := startWith(t, opts)
	insertValue(t, s.DSN(), "first")

	db := connect(t, s.DSN())
	for setting, want := range map[string]string{
		"listen_addresses": "", "synchronous_commit": "on", "fsync": "on", "jit": "off",
		"max_connections": "64", "work_mem": "7MB", "server_encoding": "UTF8", "TimeZone": "UTC", "data_checksums": "on",
	} {
		var got string
		require.NoError(t, db.QueryRow(testContext(t), "select current_setting($1)", setting).Scan(&got))
		require.Equal(t, want, got, setting)
	}
	var major int
	require.NoError(t, db.QueryRow(testContext(t), "select current_setting('server_version_num')::int / 10000").Scan(&major))
	require.GreaterOrEqual(t, major, oldestMajor)
	require.NoError(t, db.Close(testContext(t)))

	socket, err := os.Stat(s.socket)
	require.NoError(t, err)
	require.Equal(t, os.ModeDir|0o700, socket.Mode(), "only the owner may connect")

	stop(t, s)
	requireClosed(t, s.Done())
	require.NoError(t, s.Err(), "an orderly stop")
	require.NoError(t, s.Stop(testContext(t)), "stopping twice")
	require.ErrorIs(t, s.Restart(testContext(t)), ErrStopped)

	again := startWith(t, opts)
	insertValue(t, again.DSN(), "second")
	require.Equal(t, []string{"first", "second"}, insertedValues(t, again.DSN()))
}

func TestStart_QuotesTheDatabaseName(t *testing.T) {
	t.Parallel()
	s := startWith(t, Options{Dir: t.TempDir(), Fast: true, Database: `a "quoted" name`})
	var name, fsync string
	db := connect(t, s.DSN())
	require.NoError(t, db.QueryRow(testContext(t), "select current_database(), current_setting('fsync')").Scan(&name, &fsync))
	require.Equal(t, `a "quoted" name`, name)
	require.Equal(t, "off", fsync)
	require.NoError(t, db.Close(testContext(t)))
}

func TestStart_SocketPathIsShortInADeepFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 120), strings.Repeat("e", 120))
	s := start(t, dir)
	insertValue(t, s.DSN(), "deep")
	require.LessOrEqual(t, len(filepath.Join(s.socket, socketFile())), maxSocketPath)
}

func TestStart_RefusesAFolderInUse(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	for _, name := range []string{dir, link} {
		_, err := Start(testContext(t), Options{Dir: name, Fast: true})
		require.ErrorIs(t, err, ErrInUse)
		require.ErrorContains(t, err, "in use by another tonql (process ")
	}
	insertValue(t, s.DSN(), "unharmed")
	require.Equal(t, []string{"unharmed"}, insertedValues(t, s.DSN()))
}

func TestStop_DoesNotWaitForOpenTransactions(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := start(t, t.TempDir())
	db := connect(t, s.DSN())
	defer db.Close(context.Background())
	_, err := db.Exec(testContext(t), "begin; create table half (n int)")
	require.NoError(t, err)
	begun := time.Now()
	stop(t, s) // does not wait for the open transaction
	require.Less(t, time.Since(begun), pacetest.Slow*10*time.Second)
	require.Error(t, db.Ping(testContext(t)))
}

// The context ends at different steps of the start.
func TestStart_CancelledLeavesNothingRunning(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	for _, after := range []time.Duration{0, 30 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, 900 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		s, err := Start(ctx, Options{Dir: dir, Fast: true})
		cancel()
		if err == nil { // it started in time
			stop(t, s)
			continue
		}
		require.ErrorIs(t, err, context.DeadlineExceeded)
		requireNoServer(t, dir)
		require.NoFileExists(t, socketNote(dir))
	}
	insertValue(t, start(t, dir).DSN(), "after all")
}

// A command that shares the server of another one is not cut off when that one ends, and none begins to share it then.
func TestUnused_WaitsForThoseWhoShareTheServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	opts := Options{Dir: filepath.Join(t.TempDir(), "data"), Fast: true}
	s := startWith(t, opts)
	url, release, ok := Share(opts)
	require.True(t, ok)
	require.Equal(t, s.DSN(), url)

	short, cancel := context.WithTimeout(testContext(t), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Unused(short), context.DeadlineExceeded)

	release()
	require.NoError(t, s.Unused(testContext(t)))
	_, _, ok = Share(opts)
	require.False(t, ok, "it is about to stop")
	stop(t, s)
	_, _, ok = Share(opts)
	require.False(t, ok, "it has stopped")

	again := startWith(t, opts)
	_, release, ok = Share(opts)
	require.True(t, ok)
	release()
	stop(t, again)
}
