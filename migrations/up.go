package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
)

// Loggers are the destinations of log lines; nil ones discard them. Library gets each migration and statement from goose.
type Loggers struct{ Own, Library *slog.Logger }

// Up applies every migration the database does not have yet and returns how many it applied.
// A session lock makes it safe for several processes to start at once. A schema that is newer than this binary, before or
// after, is a [SchemaError], an index of a schema below [OldestUpgradable] an [EarlySchemaError].
//
// Migrations limit how long they wait for a lock, because statements of the service queue behind one that waits. A migration that does not
// get its lock is repeated, for about eight minutes.
func Up(ctx context.Context, db *sql.DB) (int, error) { return UpLogged(ctx, db, Loggers{}) }

// UpLogged is [Up] with a log.
func UpLogged(ctx context.Context, db *sql.DB, to Loggers) (int, error) {
	return up(ctx, db, files, to, retries{tries: 20, pause: time.Second, maxPause: 30 * time.Second})
}

// retries limit how often a migration is tried that does not get its lock, and the time in between, which doubles.
type retries struct {
	tries           int
	pause, maxPause time.Duration
}

func up(ctx context.Context, db *sql.DB, from fs.FS, to Loggers, limit retries) (int, error) {
	p, err := provider(db, from, to.Library)
	if err != nil {
		return 0, err
	}
	if err := notNewer(ctx, db, p); err != nil {
		return 0, err
	}
	if err := notEarly(ctx, db, p); err != nil {
		return 0, err
	}
	if err := errors.Join(inUTF8(ctx, db, p), inFirstSchema(ctx, db)); err != nil {
		return 0, err
	}
	done, tries, pause := 0, 0, limit.pause
	for {
		n, err := apply(ctx, p)
		if done += n; err == nil {
			// A newer tonql may have held the session lock before us.
			return done, notNewer(ctx, db, p)
		}
		if n > 0 {
			tries, pause = 0, limit.pause
		}
		if tries++; isDenied(err) {
			return done, fmt.Errorf("migrations: the role lacks a right: it has to own the database, as 'createdb --owner' makes it, and its tables: %w", err)
		}
		if !isLockTimeout(err) {
			return done, fmt.Errorf("migrations: %w", err)
		}
		if tries >= limit.tries {
			return done, fmt.Errorf("migrations: a lock was not free in %d tries: end long transactions, such as dumps, and repeat: %w", tries, err)
		}
		if to.Own != nil {
			to.Own.Warn("migration does not get its lock, retrying", "tries", tries, "pause", pause, "err", err)
		}
		select {
		case <-ctx.Done():
			return done, fmt.Errorf("migrations: %w", errors.Join(ctx.Err(), err))
		case <-time.After(pause):
		}
		pause = min(2*pause, limit.maxPause)
	}
}

// apply applies the migrations that the database lacks, up to the first that fails, and returns how many it applied.
func apply(ctx context.Context, p *goose.Provider) (int, error) {
	done, err := p.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		return len(partial.Applied), err //nolint:wrapcheck // the caller does
	}
	return len(done), err //nolint:wrapcheck // the caller does
}

const (
	lockNotAvailable      = "55P03" // SQLSTATE
	insufficientPrivilege = "42501" // SQLSTATE
)

func isLockTimeout(err error) bool { return hasCode(err, lockNotAvailable) }

func isDenied(err error) bool { return hasCode(err, insufficientPrivilege) }

func hasCode(err error, code string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == code
}
