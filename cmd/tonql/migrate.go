package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/config"
	"tonql/internal/store"
	"tonql/internal/store/moves"
	"tonql/migrations"
)

func migrateCommand() *cli.Command {
	return &cli.Command{
		Name:  "migrate",
		Usage: "apply the migrations that the database lacks",
		Description: `Migrates the database schema in place and prints its version. 'tonql up' and 'tonql index' do the same when they
start; all other commands only check the version. A schema that is newer than this tonql is refused. Gateways of the version before
continue if the migrations permit it. A migration that does not get a lock within two seconds is repeated, for about eight minutes.

With --background it also moves the rows of earlier versions into the form of this one, which an indexer otherwise does by itself.
Gateways and an indexer can run at the same time. Interrupted, it continues where it was.

   tonql migrate --database-url postgres://host/tonql
   tonql migrate --background --move-rate 2000`,
		Flags: join(config.Arguments(
			boolean("background", "also move the rows of earlier versions, and print the progress"),
		), moveFlags(), dataFlags(), logFlags()),
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
			if err := showCold(ctx, db, lc); err != nil { // a service continues without them, and tries again
				return err
			}
			handle := db.SQLDB()
			defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
			applied, _, err := migrations.Version(ctx, handle)
			if err != nil {
				return err
			}
			if _, err = fmt.Fprintf(c.Root().Writer, "schema version %d\n", applied); err != nil || !c.Bool("background") {
				return err
			}
			watchSchema(lc, db, checkSchema)
			return moveRows(ctx, c, log, db)
		}),
	}
}

// moveFlags limit the moves of rows of earlier versions.
func moveFlags() []config.Setting {
	return config.Theme("Indexing",
		number("move-rate", 0, "maximum rows of earlier versions that are moved into the form of this one in a second (0: as many as half of the time allows)").
			Between(0, math.MaxInt32),
	)
}

// moveRows runs all moves to their end, and prints what stays.
func moveRows(ctx context.Context, c *cli.Command, log *slog.Logger, db *store.DB) error {
	progress, rows := newProgressLog(log), 0
	mover := indexer.NewMover(db.Writer(), indexer.MoveOptions{
		Rate: c.Int("move-rate"), Logger: log,
		Progress: func(name string, step moves.Step) {
			if rows += step.Rows; progress.advance("") {
				logMove(ctx, log, db, name, rows)
			}
		},
	})
	if err := mover.Move(ctx); err != nil {
		return err
	}
	freed, err := mover.Free(ctx)
	if err != nil {
		return err
	}
	list, err := db.Writer().MoveStatuses(ctx)
	if err != nil {
		return err
	}
	return writeMoves(c.Root().Writer, list, freed)
}

// logMove logs the progress of a move.
func logMove(ctx context.Context, log *slog.Logger, db *store.DB, name string, rows int) {
	list, err := db.Writer().MoveStatuses(ctx)
	if err != nil {
		return // the next step reports a database that cannot be reached
	}
	for i := range list {
		if s := &list[i]; s.Name == name {
			log.Info("moving rows", "move", name, "percent", math.Floor(s.Share*1000)/10, "rows", rows)
		}
	}
}

func writeMoves(to io.Writer, list []moves.Status, freed bool) error {
	var all error
	line := func(format string, args ...any) {
		_, err := fmt.Fprintf(to, format+"\n", args...)
		all = errors.Join(all, err)
	}
	for i := range list {
		s := &list[i]
		switch {
		case s.Moved > 0:
			line("%s: all rows are examined, %d were moved", s.Name, s.Moved)
		default:
			line("%s: all rows are examined", s.Name)
		}
		for _, r := range []struct {
			n   int64
			why string
		}{
			{s.Rest.WithoutRaw, "they have no raw transaction"},
			{s.Rest.Differing, "they are damaged, or the raw transaction contradicts the columns; see tonql verify"},
			{s.Rest.WithoutRest, "the account state has no rest, which tonql index complete adds"},
		} {
			if r.n > 0 {
				line("%s: %d rows stay as they are: %s", s.Name, r.n, r.why)
			}
		}
	}
	if !freed {
		line("the replaced tables stay for readers that began before; an indexer removes them, or this command ten minutes later")
	}
	return all
}
