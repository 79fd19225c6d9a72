package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
)

// Reclassify classifies complete traces again, in one database transaction. It skips traces that are not in the index. It
// may run beside an indexer in another process.
func (w *Writer) Reclassify(ctx context.Context, ids []chain.Hash) error {
	return w.rewrite(ctx, func(tx pgx.Tx, t *traces.TableWriter, ranges []chain.SeqnoRange) error {
		return t.Reclassify(ctx, tx, ranges, ids)
	})
}

// Retrace assembles up to limit traces that begin in a range of masterchain blocks and have no rows yet, in one database
// transaction. It returns how many it found.
func (w *Writer) Retrace(ctx context.Context, within chain.SeqnoRange, limit int) (found int, err error) {
	err = w.rewrite(ctx, func(tx pgx.Tx, t *traces.TableWriter, ranges []chain.SeqnoRange) (err error) {
		found, err = t.Retrace(ctx, tx, ranges, within, limit)
		return err
	})
	return found, err
}

// JoinMessages continues traces across messages whose two sides were indexed in different databases, in one database transaction. The messages that
// caused others come first. Messages whose traces are continued already change nothing.
func (w *Writer) JoinMessages(ctx context.Context, keys []chain.MessageKey) error {
	return w.rewrite(ctx, func(tx pgx.Tx, t *traces.TableWriter, ranges []chain.SeqnoRange) error {
		return t.JoinMessages(ctx, tx, ranges, keys)
	})
}

// RenewWants classifies complete traces again that lacked records of earlier blocks when they were classified, some in each database transaction.
func (w *Writer) RenewWants(ctx context.Context) error {
	var after *traces.Want
	for {
		var last traces.Want
		var found bool
		err := w.rewrite(ctx, func(tx pgx.Tx, t *traces.TableWriter, ranges []chain.SeqnoRange) (err error) {
			last, found, err = t.RenewWants(ctx, tx, ranges, after)
			return err
		})
		if err != nil || !found {
			return err
		}
		after = &last
	}
}

// rewrite runs fn in a transaction beside which no other writer runs.
func (w *Writer) rewrite(ctx context.Context, fn func(tx pgx.Tx, t *traces.TableWriter, ranges []chain.SeqnoRange) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return sqlbuild.Fault(ctx, "traces", err)
	}
	defer conn.Release()
	w.open.Forget()
	var t traces.TableWriter
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		ranges, err := indexrange.Read(ctx, tx)
		if err != nil {
			return err
		}
		if err := w.details.Refresh(ctx, tx); err != nil {
			return err //nolint:wrapcheck // it names the dictionary
		}
		t = w.traceTables(batch.Outdated{})
		t.Present = true
		return fn(tx, &t, ranges)
	})
	if err != nil {
		w.forget()
	} else {
		w.details.Present = t.Details.Dictionary
	}
	return sqlbuild.Fault(ctx, "traces", err)
}
