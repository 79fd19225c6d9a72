package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/blocks"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	// A block without a frame, or an account state without a rest: the state after a transaction, or the one before it that no
	// indexed transaction made. 3 is an account that does not exist, which has no rest.
	selectIncomplete = `SELECT b.mc_seqno FROM blocks b WHERE b.mc_seqno BETWEEN $1 AND $2
			AND NOT EXISTS (SELECT FROM frames f WHERE f.workchain = b.workchain AND f.shard = b.shard AND f.seqno = b.seqno)
		UNION SELECT t.mc_seqno FROM transactions t CROSS JOIN LATERAL (
				SELECT s.lt, s.rest, s.status FROM account_states s WHERE s.account = t.account AND s.lt <= t.lt ORDER BY s.lt DESC LIMIT 2) q
			WHERE t.mc_seqno BETWEEN $1 AND $2 AND q.rest IS NULL AND q.status <> 3
			AND (q.lt = t.lt OR NOT EXISTS (SELECT FROM transactions p WHERE p.account = t.account AND p.lt = q.lt))
		ORDER BY 1`

	// A state that has another hash than the chain's stays as it is, for tonql verify to find.
	completeStates = `UPDATE account_states s SET rest = k.rest FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bytea[])
		k(account, lt, hash, rest) WHERE s.account = k.account AND s.lt = k.lt AND s.hash = k.hash AND s.rest IS NULL`
)

// MaxIncomplete is the largest number of masterchain blocks that [Reader.Incomplete] looks at.
const MaxIncomplete = 1024

// Incomplete lists, in order, the masterchain blocks of a range of at most [MaxIncomplete] that an earlier version indexed without
// everything that building them from their rows requires: that commit blocks without a frame, or whose transactions have account
// states without a rest.
func (r *Reader) Incomplete(ctx context.Context, within chain.SeqnoRange) ([]uint32, error) {
	return sqlbuild.Collect(ctx, r.pool, "incomplete blocks", MaxIncomplete, func(r *sqlbuild.Row, seqno *uint32) { *seqno = r.Uint32() },
		selectIncomplete, int64(within.First), min(int64(within.Last), int64(within.First)+MaxIncomplete-1))
}

// ApplyComplete adds, in one database transaction, to the rows of a masterchain block that is indexed what an earlier version did
// not store: the frames of its blocks, the rest of account states, and the cells of their own libraries. It returns the numbers of
// frames and states that were not there.
func (w *Writer) ApplyComplete(ctx context.Context, mb *chain.MasterBlock) (frames, states int64, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return 0, 0, sqlbuild.Fault(ctx, fmt.Sprintf("masterchain block %d", mb.Block.Seqno), err)
	}
	defer conn.Release()
	steps := []writeStep{
		{name: "cells", prepare: prepareCells, lookup: queueCellLookup, copy: copyCells},
	}
	u := w.newBatchState(&batch.Batch{Copies: &w.copies, Blocks: []*chain.MasterBlock{mb}, Careful: true, Outdated: batch.Outdated{}})
	prepareCells(w, u)
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		u.Tx = tx
		b := &pgx.Batch{}
		locks.QueueApply(b)
		u.Outdated.QueueBlocks(b, u.Blocks)
		b.Queue(cellsweep.Select).Query(u.cells.sweep.Scan)
		queueCellLookup(u, b)
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("existing rows: %w", err)
		}
		keys := sqlbuild.NewKeyArrays(len(mb.States))
		var hashes, rests [][]byte
		for i := range mb.States {
			if s := &mb.States[i]; s.Rest != nil {
				keys.Add(&s.Account, s.LT)
				hashes, rests = append(hashes, s.Hash[:]), append(rests, s.Rest)
			}
		}
		tag, err := tx.Exec(ctx, completeStates, keys.Accounts, keys.LTs, hashes, rests)
		if err != nil {
			return fmt.Errorf("account states: %w", err)
		}
		states = tag.RowsAffected()
		if states > 0 {
			if err := w.moveCompleted(ctx, tx, mb); err != nil {
				return err
			}
		}
		if frames, err = blocks.WriteFrames(ctx, tx, u.Blocks); err != nil {
			return err
		}
		return w.write(ctx, u, steps)
	})
	if err != nil {
		w.forget()
		return 0, 0, sqlbuild.Fault(ctx, fmt.Sprintf("masterchain block %d", mb.Block.Seqno), err)
	}
	w.rememberCells(u)
	return frames, states, nil
}

// Rows that the move has passed are counted by it no more.
const updateWithoutRest = `UPDATE transactions_move SET without_rest = greatest(without_rest - $1, 0) WHERE done_at IS NOT NULL OR mc_seqno > $2`

// moveCompleted moves states that have a rest now into the rows of the transactions that left them.
func (w *Writer) moveCompleted(ctx context.Context, tx pgx.Tx, mb *chain.MasterBlock) error {
	var keys []chain.TransactionKey
	for i := range mb.States {
		if s := &mb.States[i]; s.LT > 0 {
			keys = append(keys, chain.TransactionKey{Account: s.Account, LT: s.LT})
		}
	}
	n, err := transactions.MoveStates(ctx, tx, w.dictionaries, sqlbuild.Unique(keys))
	if err == nil && n > 0 {
		_, err = tx.Exec(ctx, updateWithoutRest, int64(n), int64(mb.Block.Seqno))
	}
	if err != nil {
		return fmt.Errorf("states of transactions: %w", err)
	}
	return nil
}
