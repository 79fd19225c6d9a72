package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/store/sqlbuild"
)

// ErrSweeping is the error of [Writer.Drop] while a sweep runs: a state that a drop moves from one table to another could be in neither
// when the sweep reads it, and lose its cells.
var ErrSweeping = errors.New("unused cells are being removed")

// refuseInSweep returns [ErrSweeping] while a sweep of any process runs. The caller has the writer's lock.
func refuseInSweep(ctx context.Context, tx pgx.Tx) error {
	var state sweepState
	rows, err := tx.Query(ctx, selectSweep)
	if err == nil {
		err = state.scan(rows)
	}
	if err != nil {
		return fmt.Errorf("sweep of cells: %w", err)
	}
	if state.running {
		return ErrSweeping
	}
	return nil
}

// End records that the sweep has ended, completely or not. It does nothing when another one has begun since.
func (s *CellSweep) End(ctx context.Context) error {
	return s.w.endSweep(ctx, endThis, s.number)
}

// EndSweep records that no sweep runs, whoever began it.
func (w *Writer) EndSweep(ctx context.Context) error { return w.endSweep(ctx, endSweep) }

func (w *Writer) endSweep(ctx context.Context, statement string, args ...any) error {
	s := CellSweep{w: w}
	err := s.locked(ctx, func(tx pgx.Tx) error {
		ended, err := tx.Exec(ctx, statement, args...)
		if err != nil || ended.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, deleteCellUses)
		return err
	})
	return sqlbuild.Fault(ctx, "sweep of cells", err)
}
