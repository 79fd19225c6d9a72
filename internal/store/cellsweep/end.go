package cellsweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/sqlbuild"
)

// ErrSweeping is the error of a drop of blocks while a sweep runs: a state that a drop moves from one table to another could be in neither
// when the sweep reads it, and lose its cells.
var ErrSweeping = errors.New("unused cells are being removed")

// Refuse returns [ErrSweeping] while a sweep of any process runs. The caller has the writer's lock.
func Refuse(ctx context.Context, tx pgx.Tx) error {
	var state State
	rows, err := tx.Query(ctx, Select)
	if err == nil {
		err = state.Scan(rows)
	}
	if err != nil {
		return fmt.Errorf("sweep of cells: %w", err)
	}
	if state.Running {
		return ErrSweeping
	}
	return nil
}

// End records that the sweep has ended, completely or not. It does nothing when another one has begun since.
func (s *Sweep) End(ctx context.Context) error {
	return end(ctx, s.pool, endThis, s.number)
}

// EndAny records that no sweep runs, whoever began it.
func EndAny(ctx context.Context, pool *pgxpool.Pool) error { return end(ctx, pool, endSweep) }

func end(ctx context.Context, pool *pgxpool.Pool, statement string, args ...any) error {
	err := locked(ctx, pool, func(tx pgx.Tx) error {
		ended, err := tx.Exec(ctx, statement, args...)
		if err != nil || ended.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, deleteCellUses)
		return err
	})
	return sqlbuild.Fault(ctx, "sweep of cells", err)
}
