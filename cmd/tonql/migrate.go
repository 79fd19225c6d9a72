package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"

	"tonql/migrations"
)

func migrateCommand() *cli.Command {
	return &cli.Command{
		Name:  "migrate",
		Usage: "apply the migrations that the database lacks",
		Description: `Migrates the database schema in place and prints its version. 'tonql up' and 'tonql index' do the same when they
start; all other commands only check the version. A schema that is newer than this tonql is refused.`,
		Flags: join(dataFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			lc := newLifecycle(ctx, log)
			defer lc.stopAll()
			db, err := openDatabaseBeside(ctx, c, lc)
			if err != nil {
				return err
			}
			if err := migrate(ctx, db, lc); err != nil {
				return err
			}
			handle := db.SQLDB()
			defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
			applied, _, err := migrations.Version(ctx, handle)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Root().Writer, "schema version %d\n", applied)
			return err
		}),
	}
}
