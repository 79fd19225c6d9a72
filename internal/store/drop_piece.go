package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/sqlbuild"
)

// piece drops up to limit transactions of a large trace whose blocks were dropped before. found is false when there is none.
func (d *drop) piece(ctx context.Context, tx pgx.Tx, limit int) (found bool, err error) {
	tables := d.w.traceTables(batch.Outdated{})
	keys, found, err := tables.DropPiece(ctx, tx, limit)
	if err != nil || !found {
		return found, err
	}
	if err := cellsweep.Refuse(ctx, tx); err != nil {
		return true, err
	}
	var dropped chain.Dropped
	if err := sqlbuild.Each(ctx, tx, "dropped blocks", func(r *sqlbuild.Row) { dropped = indexrange.ScanDroppedGap(r) }, indexrange.SelectDropped); err != nil {
		return true, err
	}
	d.endLT, d.step.Piece = int64(dropped.EndLT), true
	if err := d.transactions(ctx, tx, keys); err != nil {
		return true, err
	}
	if _, err := tx.Exec(ctx, cellsweep.AddDropped, int64(d.step.Transactions)); err != nil {
		return true, fmt.Errorf("blocks: %w", err)
	}
	return true, nil
}
