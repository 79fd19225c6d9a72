package embeddedpg

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// A backup of a server that is written to meanwhile restores to a state that the server had: no transaction is half in it.
func TestBackup_RestoresAStateOfTheServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	opts := Options{Dir: t.TempDir()}
	s := startWith(t, opts)
	db := connect(t, s.DSN())
	_, err := db.Exec(testContext(t), "create table pairs (n int, side text)")
	require.NoError(t, err)
	stopWriting, written := make(chan struct{}), make(chan int, 1)
	go func() {
		n := 0
		for ; ; n++ {
			select {
			case <-stopWriting:
				written <- n
				return
			default:
			}
			batch := &pgx.Batch{} // one implicit transaction
			batch.Queue("insert into pairs values ($1, 'left')", n)
			batch.Queue("insert into pairs values ($1, 'right')", n)
			if err := db.SendBatch(context.Background(), batch).Close(); err != nil {
				written <- -1
				return
			}
		}
	}()
	backup := filepath.Join(t.TempDir(), "backup")
	backupErr := Backup(testContext(t), opts, backup)
	close(stopWriting)
	n := <-written
	require.NoError(t, backupErr)
	require.Positive(t, n)
	require.NoError(t, db.Close(testContext(t)))
	stop(t, s)

	restored := Options{Dir: filepath.Join(t.TempDir(), "restored"), Fast: true}
	require.NoError(t, Restore(testContext(t), restored, backup))
	require.ErrorContains(t, Restore(testContext(t), restored, backup), "has a database already")
	again := startWith(t, restored)
	db = connect(t, again.DSN())
	var rows, pairs, newest int
	require.NoError(t, db.QueryRow(testContext(t), "select count(*), count(distinct n), coalesce(max(n), -1) + 1 from pairs").Scan(&rows, &pairs, &newest))
	require.Equal(t, 2*pairs, rows)
	require.Equal(t, newest, pairs)
	require.LessOrEqual(t, pairs, n)
	require.NoError(t, db.Close(testContext(t)))
}

func TestBackup_DamageIsDetectedBeforeARestore(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	opts := Options{Dir: t.TempDir()}
	s := startWith(t, opts)
	insertValue(t, s.DSN(), "value")
	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, Backup(testContext(t), opts, backup))
	require.Error(t, Backup(testContext(t), opts, backup), "the folder exists")
	require.NoError(t, VerifyBackup(testContext(t), opts, backup))
	stop(t, s)
	require.ErrorContains(t, Backup(testContext(t), opts, backup+"2"), "no server runs")

	control := filepath.Join(backup, "global", "pg_control")
	data, err := os.ReadFile(control)
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	require.NoError(t, os.WriteFile(control, data, 0o600))
	into := Options{Dir: t.TempDir(), Fast: true}
	err = Restore(testContext(t), into, backup)
	require.ErrorIs(t, err, ErrBackup)
	require.ErrorContains(t, err, "pg_control")
	require.NoDirExists(t, clusterDir(into.Dir))
	require.ErrorIs(t, Restore(testContext(t), into, t.TempDir()), ErrBackup)
}

// A backup that is interrupted ends at once and kills its programs.
func TestBackup_EndsWithTheContext(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	opts := Options{Dir: t.TempDir()}
	s := startWith(t, opts)
	insertValue(t, s.DSN(), "value")
	ctx, cancel := context.WithTimeout(testContext(t), 30*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, Backup(ctx, opts, filepath.Join(t.TempDir(), "backup")), context.DeadlineExceeded)
}

// Programs that run for root know a folder by a descriptor. Errors name the folder.
func TestVerifyBackup_ErrorsNameTheFolder(t *testing.T) {
	t.Parallel()
	backup := t.TempDir()
	installed, err := findBinaries(testContext(t), Search{}.withDefaults(), 0, self())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(backup, "global"), 0o700))
	for name, content := range map[string]string{"PG_VERSION": strconv.Itoa(installed.major), filepath.Join("global", "pg_control"): ""} {
		require.NoError(t, os.WriteFile(filepath.Join(backup, name), []byte(content), 0o600))
	}
	err = VerifyBackup(testContext(t), Options{Dir: t.TempDir()}, backup)
	require.ErrorIs(t, err, ErrBackup)
	require.ErrorContains(t, err, filepath.Join(backup, "backup_manifest"))
	require.NotContains(t, err.Error(), openFolder)
}

func TestServerLog_LinesNameTheFolder(t *testing.T) {
	t.Parallel()
	l := serverLog{log: slog.New(slog.DiscardHandler), cluster: "/data/cluster"}
	l.add(`FATAL:  could not open file "/proc/self/fd/3/global/pg_control": Input/output error`)
	require.Equal(t, `FATAL:  could not open file "/data/cluster/global/pg_control": Input/output error`, l.tail())
}
