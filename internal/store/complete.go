package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

const (
	selectUnframed = `SELECT b.mc_seqno FROM blocks b WHERE b.mc_seqno BETWEEN $1 AND $2
		AND NOT EXISTS (SELECT FROM frames f WHERE f.workchain = b.workchain AND f.shard = b.shard AND f.seqno = b.seqno)
		GROUP BY b.mc_seqno ORDER BY b.mc_seqno LIMIT $3`

	// A state that has another hash than the chain's stays as it is, for tonql verify to find.
	completeStates = `UPDATE account_states s SET rest = k.rest FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bytea[])
		k(account, lt, hash, rest) WHERE s.account = k.account AND s.lt = k.lt AND s.hash = k.hash AND s.rest IS NULL`
)

// Unframed lists, in order, up to limit masterchain blocks of a range that commit blocks without a frame, which an earlier version
// indexed.
func (r *Reader) Unframed(ctx context.Context, within chain.SeqnoRange, limit int) ([]uint32, error) {
	return sqlbuild.Collect(ctx, r.pool, "blocks without a frame", limit, func(r *sqlbuild.Row, seqno *uint32) { *seqno = r.Uint32() },
		selectUnframed, int64(within.First), int64(within.Last), limit)
}

// ApplyComplete adds, in one database transaction, to the rows of a masterchain block that is indexed what an earlier version did
// not store: the frames of its blocks, the rest of account states, and the cells of their own libraries. It returns the number of
// states that it completed.
func (w *Writer) ApplyComplete(ctx context.Context, mb *chain.MasterBlock) (states int64, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return 0, sqlbuild.Fault(ctx, fmt.Sprintf("masterchain block %d", mb.Block.Seqno), err)
	}
	defer conn.Release()
	steps := []writeStep{
		{name: "frames", finish: finishFrames},
		{name: "cells", prepare: prepareCells, lookup: queueCellLookup, copy: copyCells},
	}
	u := w.newBatchState(&batch.Batch{Copies: &w.copies, Blocks: []*chain.MasterBlock{mb}, Careful: true})
	prepareCells(w, u)
	err = transaction(ctx, conn, func(tx pgx.Tx) error {
		u.Tx = tx
		b := &pgx.Batch{}
		b.Queue(takeApplyLock, lockApply)
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
		return w.write(ctx, u, steps)
	})
	if err != nil {
		w.forget()
		return 0, sqlbuild.Fault(ctx, fmt.Sprintf("masterchain block %d", mb.Block.Seqno), err)
	}
	for hash := range u.cells.missing {
		w.cells.Add(hash, struct{}{})
	}
	return states, nil
}
