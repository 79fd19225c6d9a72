package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// A trace with more transactions than one step may drop is dropped in pieces. The first step removes what makes it a trace: its row, and its
// actions. So no reader finds it any more, not as complete, and dropped_traces has it. The next steps remove its transactions, with the entries
// that lead from their accounts to it: without its row these lead to nothing.

const (
	insertDroppedTraces = `INSERT INTO dropped_traces (trace_id, end_lt, mc_seqno_start, mc_seqno_end)
		SELECT t.trace_id, t.end_lt, t.mc_seqno_start, t.mc_seqno_end FROM traces t WHERE t.trace_id = ANY($1) ON CONFLICT DO NOTHING`

	selectDroppedTrace = `SELECT trace_id, end_lt, mc_seqno_start, mc_seqno_end FROM dropped_traces ORDER BY mc_seqno_start, trace_id LIMIT 1`

	selectDropPiece = `SELECT t.account, t.lt, t.mc_seqno, t.out_msg_count FROM transactions t WHERE t.mc_seqno BETWEEN $1 AND $2 AND t.trace_id = $3
		ORDER BY t.mc_seqno, t.lt LIMIT $4`

	deletePieceAccounts = `DELETE FROM large_trace_accounts k USING unnest($2::bytea[]) a(account) WHERE k.trace_id = $1 AND k.account = a.account`
	continueDrop        = `UPDATE dropped_traces SET mc_seqno_start = $2 WHERE trace_id = $1`
	endDrop             = `DELETE FROM dropped_traces WHERE trace_id = $1`

	// messagesInPiece is how many messages a piece has for each of its transactions at most: one transaction may send hundreds.
	messagesInPiece = 4
)

// detach removes the rows of traces and of their actions. Their transactions are left for [TableWriter.DropPiece].
func (w *TableWriter) detach(ctx context.Context, tx pgx.Tx, ids []chain.Hash) error {
	moved, err := w.Keys.complete(ctx, tx)
	if err != nil {
		return err
	}
	var actors participants
	b := &pgx.Batch{}
	b.Queue(insertDroppedTraces, sqlbuild.HashArray(ids))
	b.Queue(deleteActions, sqlbuild.HashArray(ids)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			id, lt := r.Hash(), r.LT()
			for _, account := range r.Addresses() {
				actors.note(w.Keys, account, lt, id)
			}
		})
	})
	b.Queue(deleteTraces, sqlbuild.HashArray(ids))
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("large traces: %w", err)
	}
	b = &pgx.Batch{}
	b.Queue(deleteAccountActions, actors.entries.accounts, actors.entries.lts, actors.entries.prefixes)
	if !moved {
		b.Queue(deleteActionAccounts, actors.Accounts, actors.LTs, actors.traces)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("accounts of the actions of large traces: %w", err)
	}
	return nil
}

// droppedTrace is a row of dropped_traces.
type droppedTrace struct {
	id     chain.Hash
	endLT  uint64
	within chain.SeqnoRange
}

// DropPiece returns the keys of up to limit transactions of a trace that was dropped, for the caller to remove, and removes what leads from
// their accounts to it. found is false when no dropped trace is left.
func (w *TableWriter) DropPiece(ctx context.Context, tx pgx.Tx, limit int) (keys sqlbuild.KeyArrays, found bool, err error) {
	var t droppedTrace
	err = sqlbuild.Each(ctx, tx, "dropped traces", func(r *sqlbuild.Row) {
		found = true
		t = droppedTrace{id: r.Hash(), endLT: r.LT(), within: chain.SeqnoRange{First: r.Uint32(), Last: r.Uint32()}}
	}, selectDroppedTrace)
	if err != nil || !found {
		return keys, false, err
	}
	p, err := w.readPiece(ctx, tx, t, limit)
	if err != nil {
		return keys, false, err
	}
	return p.keys, true, w.endPiece(ctx, tx, t, p)
}

// dropPiece is what one step removes of a trace.
type dropPiece struct {
	keys   sqlbuild.KeyArrays
	takers participants
	seqno  uint32 // the masterchain block of the last transaction
	last   bool   // no more transactions are left
}

// readPiece reads the next transactions of a trace in the order of their blocks, up to limit, at least one.
func (w *TableWriter) readPiece(ctx context.Context, tx pgx.Tx, t droppedTrace, limit int) (*dropPiece, error) {
	p := &dropPiece{keys: sqlbuild.NewKeyArrays(0), seqno: t.within.First}
	rows, messages, full := 0, 0, false
	err := sqlbuild.Each(ctx, tx, "transactions of a dropped trace", func(r *sqlbuild.Row) {
		account, lt, seqno, sent := r.Address(), r.LT(), r.Uint32(), int(r.Int2())
		rows++
		messages += sent
		if full = full || rows > 1 && messages > limit*messagesInPiece; full {
			return
		}
		p.keys.Add(&account, lt)
		p.takers.note(w.Keys, account, t.endLT, t.id)
		p.seqno = seqno
	}, selectDropPiece, int64(t.within.First), int64(t.within.Last), t.id[:], int64(limit))
	p.last = rows < limit && !full
	return p, err
}

// endPiece removes what leads from the accounts of a piece to its trace, and notes what is left.
func (w *TableWriter) endPiece(ctx context.Context, tx pgx.Tx, t droppedTrace, p *dropPiece) error {
	moved, err := w.Keys.complete(ctx, tx)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	b.Queue(deleteAccountTraces, p.takers.entries.accounts, p.takers.entries.lts, p.takers.entries.prefixes)
	if !moved {
		b.Queue(deleteTraceAccounts, p.takers.Accounts, p.takers.LTs, p.takers.traces)
	}
	if p.last {
		b.Queue(deleteLargeTraceAccounts, sqlbuild.HashArray([]chain.Hash{t.id}))
		b.Queue(endDrop, t.id[:])
	} else {
		b.Queue(deletePieceAccounts, t.id[:], p.takers.Accounts)
		b.Queue(continueDrop, t.id[:], int64(p.seqno))
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("accounts of a dropped trace: %w", err)
	}
	return nil
}
