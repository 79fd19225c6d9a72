package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/backup"
	"tonql/internal/chain"
	"tonql/internal/embeddedpg"
	"tonql/internal/logs"
	"tonql/internal/snapshot"
	"tonql/internal/store"
	"tonql/internal/store/observe"
	"tonql/migrations"
	"tonql/rest/handler"
)

// openDatabase connects to --database-url, or starts a private PostgreSQL in the data folder.
func openDatabase(ctx context.Context, c *cli.Command, lc *lifecycle) (*store.DB, error) {
	return openPrivate(ctx, c, lc, false)
}

// openPrivate is openDatabase. With shared, the private PostgreSQL is stopped when no other command uses it any more, unless this one is
// interrupted or others take too long.
func openPrivate(ctx context.Context, c *cli.Command, lc *lifecycle, shared bool) (*store.DB, error) {
	url := c.String("database-url")
	if url == "" {
		if err := backup.Unfinished(c.String("data")); err != nil {
			return nil, err
		}
		server, err := embeddedpg.Start(ctx, databaseOptions(c, lc))
		if err != nil {
			return nil, err
		}
		lc.onStop("database", server.Stop)
		if shared {
			lc.onStop("other commands", func(ctx context.Context) error {
				if lc.parent.Err() != nil {
					return nil
				}
				return server.Unused(ctx)
			})
		}
		lc.background("database supervisor", server.Supervise)
		url = server.DSN()
		lc.supervised = true
		lc.log.Info("database started", "version", server.Version(), "folder", c.String("data"))
	}
	return openPools(ctx, c, lc, url)
}

// slowStatement is the duration of a round trip to the database from which it is logged.
const slowStatement = time.Second

// maxStatement is the length of a statement in a log line, in bytes.
const maxStatement = 200

// logStatement logs a statement: a slow one, and all at debug level.
func logStatement(ctx context.Context, log *slog.Logger, r observe.Statement) {
	level := slog.LevelDebug
	if r.Took >= slowStatement && r.Kind != observe.Write { // writes of many blocks take longer
		level = slog.LevelWarn
	}
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("kind", r.Kind.String()), slog.Duration("took", r.Took), slog.String("statement", logs.Shorten(strings.Join(strings.Fields(r.SQL), " "), maxStatement)),
	}
	if r.Err != nil {
		attrs = append(attrs, slog.String("err", r.Err.Error()))
	}
	log.LogAttrs(ctx, level, "statement", attrs...)
}

// What a slow statement costs a request: five tokens for each full half second. The requests of a client without a key then occupy half a processor of the
// database at most, also when it ends each of them in time with X-Timeout.
const (
	slowStep  = 500 * time.Millisecond
	slowPrice = 5
)

// chargeSlow charges a request for a slow statement. Statements of common requests take milliseconds; those that last are searches with conditions that
// many rows match one by one and few together. What ended because the server was lost waited for it: nobody knows that it worked.
func chargeSlow(ctx context.Context, r observe.Statement) {
	if r.Kind != observe.Write && !store.ServerLost(r.Err) {
		access.Charge(ctx, slowPrice*float64(r.Took/slowStep))
	}
}

// besideWait is how long a command waits for another tonql that is starting or stopping on the same data folder.
const besideWait = 30 * time.Second

// openDatabaseBeside is openDatabase for commands that may run beside another tonql. When another process runs the private
// PostgreSQL of the data folder, openDatabaseBeside connects to it. It waits for a process that is starting or stopping.
func openDatabaseBeside(ctx context.Context, c *cli.Command, lc *lifecycle) (*store.DB, error) {
	for started := time.Now(); ; {
		db, err := openPrivate(ctx, c, lc, true)
		if !errors.Is(err, embeddedpg.ErrInUse) {
			return db, err
		}
		if url, release, running := embeddedpg.Share(databaseOptions(c, lc)); running {
			if db, err = openPools(ctx, c, lc, url); err == nil {
				lc.onClose("share of the database", release)
				return db, nil
			}
			release()
		}
		if time.Since(started) > besideWait || ctx.Err() != nil {
			return nil, err
		}
	}
}

func databaseOptions(c *cli.Command, lc *lifecycle) embeddedpg.Options {
	return embeddedpg.Options{Dir: filepath.Join(c.String("data"), "postgres"), Logger: lc.log}
}

func openPools(ctx context.Context, c *cli.Command, lc *lifecycle, url string) (*store.DB, error) {
	connections := c.Int("database-connections")
	var db *store.DB
	err := lc.throughRestarts("connect to the database", func() (err error) {
		db, err = store.Open(ctx, store.Config{
			WriteURL: url, ReadURLs: readURLs(c.String("read-database-url")),
			Observe: func(ctx context.Context, r observe.Statement) {
				lc.store.observe(ctx, r)
				handler.RecordOf(ctx).AddDatabase(r.Took)
				logStatement(ctx, lc.log, r)
				traceStatement(ctx, r)
				chargeSlow(ctx, r)
			},
			Notified: func(severity, text string) {
				lc.log.Debug("database message", "component", "pgx", "kind", severity, "line", text)
			},
			MaxWriteConns: max(2, connections/4), MaxReadConns: max(4, connections-connections/4),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	lc.store.database.Store(db)
	lc.onClose("database pools", db.Close)
	return db, nil
}

// readURLs splits --read-database-url. A list of key=value pairs, which has spaces too, is one database.
func readURLs(given string) []string {
	fields := strings.Fields(given)
	for _, f := range fields {
		if !strings.Contains(f, "://") {
			return []string{given}
		}
	}
	return fields
}

// checkReadURLs checks the form of --read-database-url.
func checkReadURLs(given string) error {
	for _, url := range readURLs(given) {
		if err := store.CheckURL(url); err != nil {
			return err
		}
	}
	return nil
}

// migrate applies the migrations that the schema lacks. It refuses a schema that is newer than this binary, and a database with a part of
// a snapshot.
func migrate(ctx context.Context, db *store.DB, lc *lifecycle) error {
	if err := applyMigrations(ctx, db, lc); err != nil {
		return err
	}
	showColdLater(ctx, db, lc)
	return lc.throughRestarts("check the schema", func() error { return checkSchema(ctx, db) })
}

func applyMigrations(ctx context.Context, db *store.DB, lc *lifecycle) error {
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
	return lc.throughRestarts("migrate", func() error {
		if err := db.Cold().NotServer(ctx); err != nil {
			return err
		}
		if err := hideCold(ctx, db, handle); err != nil {
			return err
		}
		n, err := migrations.UpLogged(ctx, handle, migrationLoggers(lc))
		if n > 0 {
			lc.log.Info("schema migrated", "migrations", n)
		}
		return err
	})
}

func migrationLoggers(lc *lifecycle) migrations.Loggers {
	return migrations.Loggers{Own: lc.log, Library: logs.Library(lc.log, "goose", slog.LevelDebug, slog.LevelDebug)}
}

// schemaCheck refuses a database whose schema the command cannot use with a [migrations.SchemaError], and one with a part of a snapshot
// with a [snapshot.UnfinishedError].
type schemaCheck func(context.Context, *store.DB) error

// openCurrent opens the database for commands that do not migrate. It refuses a schema that is older or newer than this
// binary.
func openCurrent(ctx context.Context, c *cli.Command, lc *lifecycle) (*store.DB, error) {
	return openChecked(ctx, c, lc, checkSchema)
}

// openChecked opens the database for commands that do not migrate, and checks its schema. It does not create a private database.
func openChecked(ctx context.Context, c *cli.Command, lc *lifecycle, check schemaCheck) (*store.DB, error) {
	if err := requireDatabase(c, lc); err != nil {
		return nil, err
	}
	for started := time.Now(); ; {
		db, err := openDatabaseBeside(ctx, c, lc)
		if err != nil {
			return nil, err
		}
		// The process that ran the private PostgreSQL may have stopped it since.
		if err = check(ctx, db); !store.ConnectionLost(err) || time.Since(started) > besideWait || ctx.Err() != nil {
			return db, err
		}
		lc.log.Warn("database connection lost during startup, retrying", "err", err)
	}
}

// requireDatabase refuses a data folder without a private PostgreSQL when no other database is given: a new, empty one would hide that the
// folder is the wrong one.
func requireDatabase(c *cli.Command, lc *lifecycle) error {
	if c.String("database-url") != "" {
		return nil
	}
	folder := databaseOptions(c, lc).Dir
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return chain.NotFoundf("data folder %s has no database: name that of the service by --data, or its configuration file by --config, "+
			"or a database elsewhere by --database-url", chain.Quote(c.String("data")))
	} else if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// checkSchema refuses a database whose schema is older or newer than this binary, one with a part of a snapshot, and a cold server.
func checkSchema(ctx context.Context, db *store.DB) error {
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }() // as above
	if err := migrations.Check(ctx, handle); err != nil {
		return err
	}
	if err := db.Cold().NotServer(ctx); err != nil {
		return err
	}
	return snapshot.Complete(ctx, handle)
}

// gatewaySchema returns the check of a gateway, which continues while migrations of newer binaries permit it, and logs each such schema
// once. It is for one goroutine at a time.
func gatewaySchema(lc *lifecycle) schemaCheck {
	var logged int64
	return func(ctx context.Context, db *store.DB) error {
		handle := db.SQLDB()
		defer func() { _ = handle.Close() }() // as above
		applied, supported, err := migrations.CheckGateway(ctx, handle)
		if err == nil && applied > supported && applied != logged {
			logged = applied
			lc.log.Info("database schema is newer and permits this gateway", "schema", applied, "supported", supported)
		}
		if err == nil {
			err = db.Cold().NotServer(ctx)
		}
		if err == nil {
			err = snapshot.Complete(ctx, handle)
		}
		return err
	}
}

// schemaInterval is how often a running process checks whether a newer binary has migrated its database.
const schemaInterval = 5 * time.Second

// watchSchema ends the command when another binary migrates the schema to one that check refuses: rows that this binary would write after
// that could contradict the new schema, and its statements could fail. It also ends it when a snapshot is imported, whose tables are
// incomplete until the end.
func watchSchema(lc *lifecycle, db *store.DB, check schemaCheck) {
	lc.background("schema", func(ctx context.Context) error {
		tick := time.NewTicker(schemaInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
			var changed *migrations.SchemaError
			var importing *snapshot.UnfinishedError
			if err := check(ctx, db); errors.As(err, &changed) || errors.As(err, &importing) {
				return err
			}
			// The other components report a database that cannot be reached.
		}
	})
}
