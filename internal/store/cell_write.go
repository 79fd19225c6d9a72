package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/sqlbuild"
)

// cellStep writes the code and data cells of a batch that may not be stored yet.
type cellStep struct {
	missing map[chain.Hash]chain.BOC
	// used are the cells of the batch that the writer does not have in memory, stored or not.
	used   []chain.Hash
	memory *int64 // number of the sweep that the memory is valid for
	sweep  cellsweep.State
}

func prepareCells(w *Writer, u *batchState) {
	u.cells.missing, u.cells.memory = map[chain.Hash]chain.BOC{}, w.swept
	for _, mb := range u.Blocks {
		for hash, boc := range mb.Cells {
			if !w.cells.Contains(hash) {
				u.cells.missing[hash] = boc
			}
		}
	}
}

const selectCellHashes = `SELECT hash FROM cells WHERE hash = ANY($1)`

func queueCellLookup(u *batchState, b *pgx.Batch) {
	c := &u.cells
	c.used = make([]chain.Hash, 0, len(c.missing))
	for hash := range c.missing {
		c.used = append(c.used, hash)
	}
	if len(c.used) == 0 {
		return
	}
	b.Queue(selectCellHashes, sqlbuild.HashArray(c.used)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { delete(c.missing, r.Hash()) })
	})
}

func copyCells(ctx context.Context, u *batchState) error {
	if m := u.cells.memory; m != nil && *m != u.cells.sweep.Number {
		return cellsweep.ErrSwept
	}
	c := u.Copies
	for hash, boc := range u.cells.missing {
		c.Row(2)
		c.Hash(&hash)
		c.Bytes(boc)
	}
	if err := c.Send(ctx, u.Tx, "cells", `hash, boc`); err != nil || !u.cells.sweep.Running {
		return err
	}
	c.Reset()
	for i := range u.cells.used {
		c.Row(1)
		c.Hash(&u.cells.used[i])
	}
	return c.Send(ctx, u.Tx, "cell_uses", `hash`)
}

// rememberCells records the cells of a committed batch as stored.
func (w *Writer) rememberCells(u *batchState) {
	switch number := u.cells.sweep.Number; {
	case w.swept == nil:
		w.swept = &number
	case *w.swept != number: // of a batch that did not depend on what is in memory
		return
	}
	for hash := range u.cells.missing {
		w.cells.Add(hash, struct{}{})
	}
}

// RenewCells forgets which cells are stored. It is called where blocks have all their cells from now on, also those of blocks before them:
// with a new run of the indexer.
func (w *Writer) RenewCells() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cells.Purge()
	w.swept = nil
}

// BeginSweep begins a sweep of cells. See [cellsweep.Begin].
func (w *Writer) BeginSweep(ctx context.Context) (*cellsweep.Sweep, error) {
	s, err := cellsweep.Begin(ctx, w.pool)
	if err != nil {
		return nil, err
	}
	w.RenewCells()
	return s, nil
}

// EndSweep records that no sweep of cells runs, whoever began it.
func (w *Writer) EndSweep(ctx context.Context) error { return cellsweep.EndAny(ctx, w.pool) }

// CellGarbage returns how many transactions were dropped whose cells may not be in use.
func (w *Writer) CellGarbage(ctx context.Context) (cellsweep.Garbage, error) {
	return cellsweep.ReadGarbage(ctx, w.pool)
}
