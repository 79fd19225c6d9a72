package migrations

import (
	"database/sql"
	"fmt"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// loggingProvider is provider; it logs what it applies, unless log is nil. Databases of branches may lack a migration below their
// newest one.
func loggingProvider(db *sql.DB, log *slog.Logger) (*goose.Provider, error) {
	if log == nil {
		return provider(db)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("migration lock: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker), goose.WithGoMigrations(river()),
		goose.WithAllowOutofOrder(true), goose.WithSlog(log), goose.WithVerbose(true))
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}
