// Package migrations is the database schema: numbered SQL files, embedded, applied in order and in place.
//
// A file does one thing, has an Up and a Down, and names for each index the query that needs it. A file that has been
// released is never edited; a change is a new file.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

const undefinedTable = "42P01" // SQLSTATE

//go:embed *.sql
var files embed.FS

// FS is the migration files, for tools that hash or list them.
func FS() fs.FS { return files }

// SchemaError means that the schema of a database cannot be used by this binary. Applied is the newest migration of the
// database, 0 for none; Known is the newest one that this binary has.
type SchemaError struct {
	Applied, Supported int64
	// Unknown lists applied migrations that this binary does not have, ascending. Missing lists those that it has and the database
	// lacks, below the newest applied one: branches number their migrations apart, so a smaller number may be the newer one.
	Unknown, Missing []int64
}

// Error names both versions and says what to do.
func (e *SchemaError) Error() string {
	switch {
	case e.Applied > e.Supported:
		return fmt.Sprintf("the database has schema %d and this tonql knows only %d: use the newer tonql", e.Applied, e.Supported)
	case len(e.Unknown) > 0:
		return fmt.Sprintf("the database has schema %d with migrations %d, which this tonql with schema %d does not have: use the tonql that applied them",
			e.Applied, e.Unknown, e.Supported)
	case e.Applied == e.Supported:
		return fmt.Sprintf("the database has schema %d without migrations %d, which this tonql needs: run 'tonql migrate'", e.Applied, e.Missing)
	default:
		return fmt.Sprintf("the database has schema %d and this tonql needs %d: run 'tonql migrate'", e.Applied, e.Supported)
	}
}

// Check returns a [SchemaError] unless the schema is exactly the one that this binary knows. It writes nothing.
func Check(ctx context.Context, db *sql.DB) error {
	p, err := provider(db, files, nil)
	if err != nil {
		return err
	}
	found, err := compare(ctx, db, p)
	if err != nil {
		return err
	}
	if found.Applied != found.Supported || len(found.Unknown) > 0 || len(found.Missing) > 0 {
		return found
	}
	return nil
}

// OldestUpgradable is the oldest schema whose indexes can be upgraded. Earlier ones have no contracts, whose history does not follow
// from the rows that they have.
const OldestUpgradable int64 = 12

// EarlySchemaError means that a database has rows of a schema below [OldestUpgradable].
type EarlySchemaError struct{ Applied, Supported int64 }

// Error names both versions and says what to do.
func (e *EarlySchemaError) Error() string {
	return fmt.Sprintf("the database has an index of schema %d; this tonql with schema %d upgrades schemas from %d: index the chain again, into an empty database",
		e.Applied, e.Supported, OldestUpgradable)
}

// notEarly returns an [EarlySchemaError] for an index of a schema below [OldestUpgradable]. A schema without blocks is one whose first
// migrations were interrupted.
func notEarly(ctx context.Context, db *sql.DB, p *goose.Provider) error {
	found, err := compare(ctx, db, p)
	if err != nil || found.Applied == 0 || found.Applied >= OldestUpgradable {
		return err
	}
	var indexed bool
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM blocks)`).Scan(&indexed); err != nil {
		return fmt.Errorf("blocks of schema %d: %w", found.Applied, err)
	}
	if indexed {
		return &EarlySchemaError{found.Applied, found.Supported}
	}
	return nil
}

// inUTF8 returns an error for an empty database of another encoding, in which texts such as names of tokens could not be stored. A
// database with an index is not refused for it.
func inUTF8(ctx context.Context, db *sql.DB, p *goose.Provider) error {
	found, err := compare(ctx, db, p)
	if err != nil || found.Applied > 0 {
		return err
	}
	var encoding string
	if err := db.QueryRowContext(ctx, `SELECT current_setting('server_encoding')`).Scan(&encoding); err != nil {
		return fmt.Errorf("encoding of the database: %w", err)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database has the encoding %s, with which not all texts can be stored: create it with 'createdb --template template0 --encoding UTF8'", encoding)
	}
	return nil
}

// inFirstSchema returns an error for an index in another schema than the one in which migrations create tables, the first of search_path: a
// second index would begin there and hide the first one.
func inFirstSchema(ctx context.Context, db *sql.DB) error {
	var at, first sql.NullString
	err := db.QueryRowContext(ctx, `SELECT (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)), current_schema()`,
		goose.DefaultTablename).Scan(&at, &first)
	if err != nil {
		return fmt.Errorf("schema of the index: %w", err)
	}
	if at.Valid && at != first {
		return fmt.Errorf("the index is in the schema %s, and search_path names %s first, where migrations would begin another one: name %s first", at.String, first.String, at.String)
	}
	return nil
}

func notNewer(ctx context.Context, db *sql.DB, p *goose.Provider) error {
	found, err := compare(ctx, db, p)
	if err != nil {
		return err
	}
	if found.Applied > found.Supported || len(found.Unknown) > 0 {
		return found
	}
	return nil
}

// compare reads which migrations the database has.
func compare(ctx context.Context, db *sql.DB, p *goose.Provider) (*SchemaError, error) {
	table, err := database.NewStore(database.DialectPostgres, goose.DefaultTablename)
	if err != nil {
		return nil, fmt.Errorf("schema version: %w", err)
	}
	embedded := map[int64]bool{0: true} // goose's row for the empty schema
	found := &SchemaError{}
	for _, source := range p.ListSources() {
		embedded[source.Version] = true
		found.Supported = max(found.Supported, source.Version)
	}
	rows, err := table.ListMigrations(ctx, db)
	var missing *pgconn.PgError
	if errors.As(err, &missing) && missing.Code == undefinedTable {
		return found, nil // an empty database
	}
	if err != nil {
		return nil, fmt.Errorf("schema version: %w", err)
	}
	for _, row := range rows {
		if !row.IsApplied {
			continue
		}
		found.Applied = max(found.Applied, row.Version)
		if !embedded[row.Version] {
			found.Unknown = append(found.Unknown, row.Version)
		}
		delete(embedded, row.Version)
	}
	delete(embedded, 0)
	for version := range embedded {
		if version < found.Applied {
			found.Missing = append(found.Missing, version)
		}
	}
	slices.Sort(found.Unknown)
	slices.Sort(found.Missing)
	return found, nil
}

// Down takes back the newest migration.
func Down(ctx context.Context, db *sql.DB) error {
	p, err := provider(db, files, nil)
	if err != nil {
		return err
	}
	if _, err := p.Down(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// Version is the number of the newest applied migration, 0 for an empty database, and the newest one we know.
func Version(ctx context.Context, db *sql.DB) (applied, embedded int64, err error) {
	p, err := provider(db, files, nil)
	if err != nil {
		return 0, 0, err
	}
	found, err := compare(ctx, db, p)
	if err != nil {
		return 0, 0, err
	}
	return found.Applied, found.Supported, nil
}

// provider reads migrations from a folder. It logs what it applies, unless log is nil. Databases of branches may lack a migration below
// their newest one.
func provider(db *sql.DB, from fs.FS, log *slog.Logger) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("migration lock: %w", err)
	}
	options := []goose.ProviderOption{goose.WithSessionLocker(locker), goose.WithGoMigrations(river()), goose.WithAllowOutofOrder(true)}
	if log != nil {
		options = append(options, goose.WithSlog(log), goose.WithVerbose(true))
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, from, options...)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}
