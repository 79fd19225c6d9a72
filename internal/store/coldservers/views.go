package coldservers

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// Hide removes the views of the rows of cold servers before migrations, which could not change tables that views read. Requests for rows on these servers fail until
// [Servers.Show].
func (s *Servers) Hide(ctx context.Context) error {
	var exist bool
	if err := s.pool.QueryRow(ctx, `SELECT to_regclass('cold_servers') IS NOT NULL`).Scan(&exist); err != nil || !exist {
		return sqlbuild.Fault(ctx, "views of cold servers", err)
	}
	return s.change(ctx, cold.Remove)
}

// Hidden reports whether the views of the rows of cold servers are missing.
func (s *Servers) Hidden(ctx context.Context) (hidden bool, err error) {
	err = s.pool.QueryRow(ctx, selectHidden, cold.CompleteSchema).Scan(&hidden)
	return hidden, sqlbuild.Fault(ctx, "views of cold servers", err)
}

const selectHidden = `SELECT EXISTS (SELECT FROM cold_servers) AND to_regnamespace($1) IS NULL`

// Show creates the views of the rows of cold servers as the tables are now.
func (s *Servers) Show(ctx context.Context) error {
	return s.change(ctx, cold.Build)
}

func (s *Servers) change(ctx context.Context, change func(context.Context, pgx.Tx) error) error {
	err := locks.Transaction(ctx, s.pool, func(tx pgx.Tx) error {
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		return change(ctx, tx)
	})
	return sqlbuild.Fault(ctx, "views of cold servers", err)
}
