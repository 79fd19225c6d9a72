package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/backup"
	"tonql/internal/chain"
	"tonql/internal/config"
)

func backupCommand() *cli.Command {
	return &cli.Command{
		Name: "backup", Usage: "back up the private database and the files of the data folder", ArgsUsage: "DIR",
		Description: `Writes a base backup of the private PostgreSQL, the trusted blocks and the local chain to a new folder, and verifies it. It can
run beside 'tonql up', which continues to index and serve. The configuration file is not part of it.

   tonql backup /backups/monday --secrets include
   tonql restore /backups/monday --data /new/folder

A database of --database-url is backed up by the tools of its server; docs/deployment.md describes how.`,
		Flags: join(config.Arguments(
			text("secrets", "", "include or exclude: whether the backup contains the key of webhook secrets; required if the data folder has one").
				OneOf(string(backup.KeyInclude), string(backup.KeyExclude)),
		), dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error { return onFolder(ctx, c, createBackup) },
	}
}

func restoreCommand() *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "restore a backup into an empty data folder", ArgsUsage: "DIR",
		Description: `Checks a backup of 'tonql backup' completely, and copies it into the data folder, which has to be new or empty. The next
'tonql up' continues from the state at the end of the backup, and indexes what came after it.`,
		Flags: join(config.Arguments(
			text("webhook-key-file", "", "your copy of webhook.key, for a backup without it").Path(),
			boolean("without-webhook-key", "restore a backup without its key: the secrets of webhooks are lost"),
		), dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error { return onFolder(ctx, c, restoreBackup) },
	}
}

// onFolder runs a command on the folder that its only argument names.
func onFolder(ctx context.Context, c *cli.Command, run func(context.Context, *cli.Command, *lifecycle, string) error) error {
	if c.Args().Len() != 1 {
		return chain.Invalidf("expected the folder of the backup; see tonql %s --help", c.Name)
	}
	log, err := logger(c)
	if err != nil {
		return err
	}
	slog.SetDefault(log)
	folder, err := filepath.Abs(c.Args().First())
	if err != nil {
		return err
	}
	if c.String("database-url") != "" {
		return chain.Invalidf("--database-url names a server that tonql does not run: use pg_basebackup or pgBackRest of that server; " +
			"docs/deployment.md has the commands, and says which files of the data folder belong to a backup")
	}
	lc := newLifecycle(ctx, log)
	defer lc.stopAll()
	return run(ctx, c, lc, folder)
}

func createBackup(ctx context.Context, c *cli.Command, lc *lifecycle, folder string) error {
	database := databaseOptions(c, lc)
	if _, err := os.Stat(filepath.Join(database.Dir, "cluster", "PG_VERSION")); errors.Is(err, fs.ErrNotExist) {
		return chain.Invalidf("data folder %s has no private database to back up", chain.Quote(c.String("data")))
	}
	started, note := time.Now(), ""
	db, err := openDatabaseBeside(ctx, c, lc)
	if err != nil {
		return err
	}
	m, err := backup.Create(ctx, backup.CreateOptions{
		Data: c.String("data"), Into: folder, Database: database, Key: backup.Key(c.String("secrets")), Version: version, Log: lc.log,
	})
	if err != nil {
		return err
	}
	// A schema of an earlier version has no cold servers.
	if list, err := db.Reader().ColdRanges(ctx); err == nil && len(list) > 0 {
		if err := db.Cold().Claim(ctx, ""); err != nil {
			return fmt.Errorf("backup %s is complete, but a restored copy of it could change the cold servers: %w", folder, err)
		}
		note = "\nblocks on cold servers are not part of it: back these servers up, too"
	}
	lc.log.Info("backup complete", "folder", folder, "files", len(m.Files), "took", time.Since(started).Round(time.Millisecond))
	if m.KeyExcluded {
		note += "\nwebhook.key is not part of it: a restore needs your copy"
	}
	_, err = fmt.Fprintf(c.Root().Writer, "backup %s is complete and verified%s\n", folder, note)
	return err
}

func restoreBackup(ctx context.Context, c *cli.Command, lc *lifecycle, folder string) error {
	m, err := backup.Restore(ctx, backup.RestoreOptions{
		From: folder, Data: c.String("data"), Database: databaseOptions(c, lc),
		KeyFile: c.String("webhook-key-file"), WithoutKey: c.Bool("without-webhook-key"), Log: lc.log,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Root().Writer, "restored the backup of %s, made by tonql %s, into %s\n", m.Created.Format(time.RFC3339), m.Version, c.String("data"))
	return err
}
