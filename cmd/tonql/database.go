package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"tonql/internal/embeddedpg"
	"tonql/internal/store"
	"tonql/migrations"
)

// openDatabase connects to --database-url or starts a private PostgreSQL in the data folder.
func openDatabase(ctx context.Context, c *cli.Command, s *stages) (*store.DB, error) {
	url := c.String("database-url")
	if url == "" {
		server, err := embeddedpg.Start(ctx, databaseOptions(c, s))
		if err != nil {
			return nil, err
		}
		s.onStop("database", server.Stop)
		s.background("database supervisor", server.Supervise)
		url = server.DSN()
		s.log.Info("database started", "version", server.Version(), "folder", c.String("data"))
	}
	return openPools(ctx, c, s, url)
}

// openDatabaseBeside is openDatabase for a command that does a little: when another tonql runs the private PostgreSQL of
// the data folder, its server is used.
func openDatabaseBeside(ctx context.Context, c *cli.Command, s *stages) (*store.DB, error) {
	db, err := openDatabase(ctx, c, s)
	if !errors.Is(err, embeddedpg.ErrInUse) {
		return db, err
	}
	url, running := embeddedpg.RunningDSN(databaseOptions(c, s))
	if !running {
		return nil, err
	}
	return openPools(ctx, c, s, url)
}

func databaseOptions(c *cli.Command, s *stages) embeddedpg.Options {
	return embeddedpg.Options{Dir: filepath.Join(c.String("data"), "postgres"), Logger: s.log}
}

func openPools(ctx context.Context, c *cli.Command, s *stages, url string) (*store.DB, error) {
	connections := c.Int("database-connections")
	db, err := store.Open(ctx, store.Config{
		WriteURL: url, ReadURL: c.String("read-database-url"),
		MaxWriteConns: max(2, connections/4), MaxReadConns: max(4, connections-connections/4),
	})
	if err != nil {
		return nil, err
	}
	s.onStop("database pools", func(context.Context) error { db.Close(); return nil })
	return db, nil
}

// migrate brings the schema up to date.
func migrate(ctx context.Context, db *store.DB, s *stages) error {
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }() // a failed close of an idle handle loses nothing
	n, err := migrations.Up(ctx, handle)
	if err != nil {
		return err
	}
	if n > 0 {
		s.log.Info("schema brought up to date", "migrations", n)
	}
	return nil
}

// openCurrent opens a database that commands read or mend: its schema is the one this binary knows.
func openCurrent(ctx context.Context, c *cli.Command, s *stages) (*store.DB, error) {
	db, err := openDatabase(ctx, c, s)
	if err != nil {
		return nil, err
	}
	return db, checkSchema(ctx, db)
}

// checkSchema refuses to serve a database whose schema is older or newer than this binary.
func checkSchema(ctx context.Context, db *store.DB) error {
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }() // as above
	applied, known, err := migrations.Version(ctx, handle)
	if err != nil {
		return err
	}
	switch {
	case applied < known:
		return fmt.Errorf("the database has schema %d and this tonql needs %d: run 'tonql migrate'", applied, known)
	case applied > known:
		return fmt.Errorf("the database has schema %d and this tonql knows only %d: use the newer tonql", applied, known)
	default:
		return nil
	}
}
