package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// RiverSchema is the PostgreSQL schema that holds the tables of River's job queue, apart from ours.
const RiverSchema = "river"

const (
	riverNumber  = 30 // of this migration
	riverVersion = 6  // of River's own schema
)

// river is the migration that makes the job queue: River brings its own statements.
func river() *goose.Migration {
	return goose.NewGoMigration(riverNumber,
		&goose.GoFunc{RunDB: func(ctx context.Context, db *sql.DB) error {
			if _, err := db.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS `+RiverSchema); err != nil {
				return fmt.Errorf("schema of jobs: %w", err)
			}
			return onPgx(ctx, db, migrateRiver)
		}},
		&goose.GoFunc{RunDB: func(ctx context.Context, db *sql.DB) error {
			if _, err := db.ExecContext(ctx, `DROP SCHEMA `+RiverSchema+` CASCADE`); err != nil {
				return fmt.Errorf("schema of jobs: %w", err)
			}
			return nil
		}})
}

// migrateRiver applies River's versions one by one: a later one uses a value that an earlier one adds to an enum.
func migrateRiver(ctx context.Context, conn *pgx.Conn) error {
	m, err := rivermigrate.New(riverpgxv5.New(nil), &rivermigrate.Config{
		Schema: RiverSchema, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return fmt.Errorf("migrations of jobs: %w", err)
	}
	for version := 1; version <= riverVersion; version++ {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			_, err := m.MigrateTx(ctx, tx, rivermigrate.DirectionUp, //nolint:staticcheck // one version at a time, each in its own transaction
				&rivermigrate.MigrateOpts{TargetVersion: version})
			return err
		})
		if err != nil {
			return fmt.Errorf("version %d of jobs: %w", version, err)
		}
	}
	return nil
}

// onPgx lends fn the driver's own connection.
func onPgx(ctx context.Context, db *sql.DB, fn func(context.Context, *pgx.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connection: %w", err)
	}
	defer func() { _ = conn.Close() }() // it goes back to its pool
	return conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("migrations need pgx, not %T", driver)
		}
		return fn(ctx, c.Conn())
	})
}
