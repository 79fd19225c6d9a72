package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/verdicts"
)

// verdictSteps are the steps of [Writer.ApplyVerdicts] that add what only execution yields.
var verdictSteps = []writeStep{
	{name: "states", prepare: prepareStates, lookup: queueStateLookup, copy: copyStates, finish: finishAccounts},
	{name: "cells", prepare: prepareCells, lookup: queueCellLookup, copy: copyCells},
	{name: "libraries", finish: finishLibraries},
}

// ApplyVerdicts writes, in one database transaction, the outcome of executing transactions of an indexed masterchain block once more: the
// unverified ones, and those that have one of the verifications in also. mb has these transactions with their verification, and the states,
// cells, libraries and mismatches that go with them. It returns the transactions that got another verdict; all others stay as they are.
func (w *Writer) ApplyVerdicts(ctx context.Context, mb *chain.MasterBlock, also ...chain.Verification) (changed map[chain.TransactionKey]chain.Verification, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, fmt.Sprintf("verdicts of masterchain block %d", mb.Block.Seqno), err)
	}
	defer conn.Release()
	u := w.newBatchState(&batch.Batch{Copies: &w.copies, Blocks: []*chain.MasterBlock{mb}, Careful: true, Outdated: batch.Outdated{}})
	for _, step := range verdictSteps {
		if step.prepare != nil {
			step.prepare(w, u)
		}
	}
	u.cells = cellStep{missing: maps.Clone(mb.Cells)} // all that its states need: the block was executed by itself
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) (err error) {
		u.Tx = tx
		b := &pgx.Batch{}
		locks.QueueApply(b)
		u.Outdated.QueueBlocks(b, u.Blocks)
		b.Queue(cellsweep.Select).Query(u.cells.sweep.Scan)
		for _, step := range verdictSteps {
			if step.lookup != nil {
				step.lookup(u, b)
			}
		}
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("existing rows: %w", err)
		}
		if changed, err = verdicts.Change(ctx, tx, mb, slices.Concat(also, []chain.Verification{chain.Unverified})); err != nil {
			return err
		}
		return w.write(ctx, u, verdictSteps)
	})
	if err != nil {
		w.forget()
		return nil, sqlbuild.Fault(ctx, fmt.Sprintf("verdicts of masterchain block %d", mb.Block.Seqno), err)
	}
	w.rememberCells(u)
	return changed, nil
}
