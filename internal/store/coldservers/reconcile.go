package coldservers

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// Reconcile removes from cold servers, or from the one of that name, what interrupted steps have left there, which the index has itself. New blocks wait for it only
// when there is something to remove.
func (s *Servers) Reconcile(ctx context.Context, only string) error {
	return Reconcile(ctx, s.pool, only)
}

// Reconcile is [Servers.Reconcile] for the index that pool writes.
func Reconcile(ctx context.Context, pool *pgxpool.Pool, only string) error {
	err := locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		if err := locks.Cold(ctx, tx); err != nil {
			return err
		}
		names, err := cold.Servers(ctx, tx)
		if err != nil {
			return err //nolint:wrapcheck // it says what it reads
		}
		for _, name := range names {
			if only != "" && name != only {
				continue
			}
			if current, err := cold.Current(ctx, tx, name); err != nil {
				return err //nolint:wrapcheck // it names the server
			} else if current {
				continue
			}
			if err := locks.Apply(ctx, tx); err != nil {
				return err
			}
			if err := cold.Reconcile(ctx, tx, name); err != nil {
				return err //nolint:wrapcheck // as above
			}
		}
		return nil
	})
	return sqlbuild.Fault(ctx, "interrupted moves of blocks", err)
}
