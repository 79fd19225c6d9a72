package embeddedpg

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

func TestStart_RefusesADamagedClusterAndKeepsIt(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, tc := range map[string]struct {
		damage   func(t *testing.T, cluster string)
		is       error
		wantText string
	}{
		"files of something else": {
			damage: func(t *testing.T, cluster string) {
				t.Helper()
				require.NoError(t, os.RemoveAll(cluster))
				require.NoError(t, os.Mkdir(cluster, 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(cluster, "holiday.jpg"), []byte("x"), 0o600))
			},
			is: ErrCluster, wantText: "is damaged (PG_VERSION or global/pg_control is missing or unreadable): restore it from a backup",
		},
		"control file cut": {
			damage: func(t *testing.T, cluster string) {
				t.Helper()
				require.NoError(t, os.Truncate(filepath.Join(cluster, "global", "pg_control"), 100))
			},
			is: ErrCluster, wantText: "move it away to start with an empty index",
		},
		"configuration gone": {
			damage: func(t *testing.T, cluster string) {
				t.Helper()
				require.NoError(t, os.Remove(filepath.Join(cluster, "postgresql.conf")))
			},
			is: ErrCluster, wantText: "is damaged",
		},
		"log gone": {
			damage: func(t *testing.T, cluster string) {
				t.Helper()
				segments, err := filepath.Glob(filepath.Join(cluster, "pg_wal", "0*"))
				require.NoError(t, err)
				require.NotEmpty(t, segments)
				for _, segment := range segments {
					require.NoError(t, os.Remove(segment))
				}
			},
			is: ErrCluster, wantText: "could not locate a valid checkpoint record",
		},
		"another major version": {
			damage: func(t *testing.T, cluster string) {
				t.Helper()
				require.NoError(t, os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("99\n"), 0o600))
			},
			is: ErrNoBinaries, wantText: "the database was made by PostgreSQL 99, which is not installed (found ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := start(t, dir)
			stop(t, s)
			tc.damage(t, clusterDir(dir))
			before, err := os.ReadDir(clusterDir(dir))
			require.NoError(t, err)
			_, err = Start(testContext(t), Options{Dir: dir, Fast: true, Binaries: Search{NoDownload: true}})
			require.ErrorIs(t, err, tc.is)
			require.ErrorContains(t, err, tc.wantText)
			requireNoServer(t, dir)
			after, err := os.ReadDir(clusterDir(dir))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(after), len(before), "no file is removed")
		})
	}
}

// An interrupted first start leaves an incomplete cluster.
func TestStart_ReplacesAnUnfinishedCluster(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(clusterDir(dir)+".new", "base"), 0o700))
	require.NoError(t, os.Mkdir(clusterDir(dir), 0o755)) // the user made the folder
	insertValue(t, start(t, dir).DSN(), "complete")
	require.NoDirExists(t, clusterDir(dir)+".new")
}

func TestSettings_OptionsWinOverDefaults(t *testing.T) {
	t.Parallel()
	o, err := Options{Dir: t.TempDir(), MaxConnections: 7, SynchronousCommit: "local", Settings: map[string]string{"jit": "on"}}.withDefaults()
	require.NoError(t, err)
	s := o.settings("/s", 512*mebibyte)
	require.Equal(t, "7", s["max_connections"])
	require.Equal(t, "local", s["synchronous_commit"])
	require.Equal(t, "on", s["jit"], "the options of the caller win")
	require.Equal(t, "64MB", s["shared_buffers"])
	require.Equal(t, "1024MB", o.settings("/s", 1<<40)["shared_buffers"])
	require.NotContains(t, s, "fsync")
	require.Equal(t, []string{"-c", "a=1", "-c", "b=2"}, arguments(map[string]string{"b": "2", "a": "1"}))
	_, err = Start(testContext(t), Options{})
	require.ErrorContains(t, err, "no data folder given")
}
