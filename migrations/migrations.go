// Package migrations is the database schema: numbered SQL files, embedded, applied in order and in place.
//
// A file does one thing, has an Up and a Down, and names for each index the query that needs it. A file that has been
// released is never edited; a change is a new file.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// FS is the migration files, for tools that hash or list them.
func FS() fs.FS { return files }

// Up applies every migration the database does not have yet and returns how many it applied.
// A session lock makes it safe for several processes to start at once.
func Up(ctx context.Context, db *sql.DB) (int, error) {
	p, err := provider(db)
	if err != nil {
		return 0, err
	}
	done, err := p.Up(ctx)
	if err != nil {
		return len(done), fmt.Errorf("migrations: %w", err)
	}
	return len(done), nil
}

// Down takes back the newest migration.
func Down(ctx context.Context, db *sql.DB) error {
	p, err := provider(db)
	if err != nil {
		return err
	}
	if _, err := p.Down(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// Version is the number of the newest applied migration, 0 for an empty database, and the newest one we know.
func Version(ctx context.Context, db *sql.DB) (applied, known int64, err error) {
	p, err := provider(db)
	if err != nil {
		return 0, 0, err
	}
	applied, known, err = p.GetVersions(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("schema version: %w", err)
	}
	return applied, known, nil
}

func provider(db *sql.DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("migration lock: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker), goose.WithGoMigrations(river()))
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}
