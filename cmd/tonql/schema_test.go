package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/embeddedpg"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/migrations"
)

// runFailingCommand runs a command that must fail and returns its standard error.
func runFailingCommand(t *testing.T, args ...string) string {
	t.Helper()
	p := start(t, args...)
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		require.Fail(t, "the command does not end", args)
	}
	require.Error(t, p.err, args)
	return p.stderr.String()
}

// onDatabase returns the commands that use a database, with the arguments they need to start.
func onDatabase(url, data string) [][]string {
	config := filepath.Join("testdata", "global.config.json")
	commands := [][]string{
		{"up", "--listen", "127.0.0.1:0", "--devnet-listen", "127.0.0.1:0"},
		{"serve", "--listen", "127.0.0.1:0"},
		{"index", "--network", "testnet", "--global-config", config},
		{"index", "redetect", "--global-config", config},
		{"index", "reclassify"},
		{"verify", "--digest"},
		{"keys", "list"},
		{"keys", "create", "--owner", "alice"},
		{"keys", "revoke", "1"},
		{"keys", "rotate", "1"},
		{"merchants", "list"},
		{"merchants", "create", "shop"},
		{"merchants", "link", "shop"},
		{"merchants", "key", "shop"},
		{"merchants", "endpoint", "shop", "--url", "http://127.0.0.1:1/"},
		{"webhooks", "replay", "shop"},
		{"webhooks", "resend", "1"},
	}
	for i, c := range commands {
		place := 1 // flags come before the argument
		if len(c) > 1 && !strings.HasPrefix(c[1], "-") {
			place = 2
		}
		flags := []string{"--database-url", url, "--data", data}
		commands[i] = append(append(append([]string{}, c[:place]...), flags...), c[place:]...)
	}
	return commands
}

// emptyDatabase returns the URL of a database without a schema.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	server, err := embeddedpg.Start(t.Context(), embeddedpg.Options{
		Dir: filepath.Join(t.TempDir(), "postgres"), Fast: true, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	return server.DSN()
}

// schemaOf returns the applied version of the schema, and the newest supported one.
func schemaOf(t *testing.T, db *store.DB) (applied, supported int64) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	applied, supported, err := migrations.Version(t.Context(), handle)
	require.NoError(t, err)
	return applied, supported
}

// A binary that is older than the schema might write invalid rows, so every command fails.
func TestNewerSchema_EveryCommandRefuses(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := emptyDatabase(t)
	runCommand(t, "migrate", "--database-url", url)
	db, err := store.Open(t.Context(), store.Config{WriteURL: url})
	require.NoError(t, err)
	defer db.Close()
	handle := db.SQLDB()
	_, err = handle.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	require.NoError(t, err)
	require.NoError(t, handle.Close())
	_, supported := schemaOf(t, db)
	data := t.TempDir()
	for _, args := range append(onDatabase(url, data), []string{"migrate", "--database-url", url, "--data", data}) {
		output := runFailingCommand(t, args...)
		require.Contains(t, output, "schema 99999", args)
		require.Contains(t, output, "knows only "+strconv.FormatInt(supported, 10), args)
	}
	applied, _ := schemaOf(t, db)
	require.EqualValues(t, 99999, applied, "nothing was migrated")
}

// A process that runs when a newer binary migrates its database ends, and logs the reason.
func TestNewerSchema_RunningProcessEnds(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := emptyDatabase(t)
	p := start(t, "up", "--database-url", url, "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--no-scenario")
	p.expect(`Ctrl-C stops everything`, time.Minute)
	gateway := start(t, "serve", "--database-url", url, "--data", t.TempDir(), "--listen", "127.0.0.1:0")
	gateway.expect(`serves on`, time.Minute)
	db, err := store.Open(t.Context(), store.Config{WriteURL: url})
	require.NoError(t, err)
	defer db.Close()
	handle := db.SQLDB()
	_, err = handle.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	require.NoError(t, err)
	require.NoError(t, handle.Close())
	for _, running := range []*process{p, gateway} {
		select {
		case <-running.ended:
		case <-time.After(time.Minute):
			require.Fail(t, "it still runs with a schema that it does not support")
		}
		require.Error(t, running.err)
		require.Contains(t, running.stderr.String(), "schema 99999 and this tonql knows only ")
	}
}

// Only up, index and migrate change the schema; short commands fail instead, because other processes may be running.
func TestOlderSchema_SmallCommandsDoNotMigrate(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := emptyDatabase(t)
	db, err := store.Open(t.Context(), store.Config{WriteURL: url})
	require.NoError(t, err)
	defer db.Close()
	data := t.TempDir()
	for _, args := range onDatabase(url, data) {
		if args[0] == "up" || args[0] == "index" && args[1] != "redetect" && args[1] != "reclassify" {
			continue
		}
		output := runFailingCommand(t, args...)
		require.Contains(t, output, "the database has schema 0 and this tonql needs ", args)
		require.Contains(t, output, "run 'tonql migrate'", args)
	}
	applied, supported := schemaOf(t, db)
	require.Zero(t, applied)
	require.Contains(t, runCommand(t, "migrate", "--database-url", url), "schema version "+strconv.FormatInt(supported, 10))
	applied, _ = schemaOf(t, db)
	require.Equal(t, supported, applied)
	require.Contains(t, runCommand(t, "keys", "list", "--database-url", url), "OWNER")
}
