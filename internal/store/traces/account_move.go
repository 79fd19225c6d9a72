package traces

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The move fills account_traces and account_actions from trace_accounts and action_accounts, which a database has that was
// written by an earlier version. It goes through the old rows in the order of their key; its position is stored with
// the rows that it writes. Until it is done, the writer writes both forms and readers use the old one.

// AccountMove is the progress of the move.
type AccountMove struct {
	Rows    int  // moved in this step
	Done    bool // all rows are moved
	Dropped bool // the old tables are gone, too
}

const (
	selectMove = `SELECT m.actions, m.account, m.lt, m.trace_id, m.action_lt, m.action_id, m.done_at IS NOT NULL,
		to_regclass('trace_accounts') IS NULL FROM account_keys_move m`
	selectReplacedTraces = `SELECT k.account, k.end_lt, k.trace_id, EXISTS (SELECT 1 FROM traces t WHERE t.trace_id = k.trace_id AND t.nodes IS NULL)
		FROM trace_accounts k WHERE (k.account, k.end_lt, k.trace_id) > ($1, $2, $3) ORDER BY k.account, k.end_lt, k.trace_id LIMIT $4`
	selectReplacedActions = `SELECT k.account, k.trace_end_lt, k.trace_id, k.end_lt, k.action_id, k.type FROM action_accounts k
		WHERE (k.account, k.trace_end_lt, k.trace_id, k.end_lt, k.action_id) > ($1, $2, $3, $4, $5)
		ORDER BY k.account, k.trace_end_lt, k.trace_id, k.end_lt, k.action_id LIMIT $6`
	updateMove   = `UPDATE account_keys_move SET account = $1, lt = $2, trace_id = $3, action_lt = $4, action_id = $5`
	beginActions = `UPDATE account_keys_move SET actions = true, account = '', lt = 0, trace_id = '', action_lt = 0, action_id = ''`
	finishMove   = `UPDATE account_keys_move SET done_at = now()`

	// The tables may be gone already.
	selectMovedBefore = `SELECT to_regclass('trace_accounts') IS NULL OR COALESCE(m.done_at <= now() - $1::interval, false)
		FROM account_keys_move m`

	// A reader that waits for its locks does not hold up the others behind the DROP.
	lockTimeout  = `SET LOCAL lock_timeout = '1s'`
	dropReplaced = `DROP TABLE IF EXISTS trace_accounts, action_accounts`
)

// movePosition is the last old row that is moved.
type movePosition struct {
	actions       bool // of action_accounts; all of trace_accounts are moved
	account       []byte
	lt, actionLT  int64
	trace, action []byte
}

// Move moves up to limit rows. The caller holds the lock that writers take. Without an error it has moved the position with the rows, so it may be interrupted at any time.
func (k *AccountKeys) Move(ctx context.Context, tx pgx.Tx, limit int) (AccountMove, error) {
	var at movePosition
	var done, dropped bool
	rows, err := tx.Query(ctx, selectMove)
	if err != nil {
		return AccountMove{}, fmt.Errorf("position: %w", err)
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		at = movePosition{actions: r.Bool(), account: r.Bytes(), lt: r.Int8(), trace: r.Bytes(), actionLT: r.Int8(), action: r.Bytes()}
		done, dropped = r.Bool(), r.Bool()
	})
	switch {
	case err != nil:
		return AccountMove{}, fmt.Errorf("position: %w", err)
	case done || dropped:
		return AccountMove{Done: done, Dropped: dropped}, nil
	}
	move := moveTraces
	if at.actions {
		move = moveActions
	}
	n, err := move(ctx, tx, k, &at, limit)
	if err != nil {
		return AccountMove{}, err
	}
	switch {
	case n == limit:
		_, err = tx.Exec(ctx, updateMove, at.account, at.lt, at.trace, at.actionLT, at.action)
	case !at.actions:
		_, err = tx.Exec(ctx, beginActions)
	default:
		_, err = tx.Exec(ctx, finishMove)
	}
	if err != nil {
		return AccountMove{}, fmt.Errorf("position: %w", err)
	}
	return AccountMove{Rows: n, Done: at.actions && n < limit}, nil
}

// DropReplaced drops the old tables when the last row was moved at least keep ago, and reports whether they are gone. No
// transaction of a writer that begins after the move uses them, so the caller need not hold the lock of writers: the wait
// for a long reader delays no block.
func DropReplaced(ctx context.Context, tx pgx.Tx, keep time.Duration) (dropped bool, err error) {
	if err := tx.QueryRow(ctx, selectMovedBefore, keep).Scan(&dropped); err != nil {
		return false, fmt.Errorf("end of the move: %w", err)
	}
	if !dropped {
		return false, nil
	}
	for _, s := range [...]string{lockTimeout, dropReplaced} {
		if _, err := tx.Exec(ctx, s); err != nil {
			return false, fmt.Errorf("old tables: %w", err)
		}
	}
	return true, nil
}

// moveTraces moves rows of trace_accounts after a position, which it moves on.
func moveTraces(ctx context.Context, tx pgx.Tx, keys *AccountKeys, at *movePosition, limit int) (n int, err error) {
	rows, err := tx.Query(ctx, selectReplacedTraces, at.account, at.lt, at.trace, limit)
	if err != nil {
		return 0, fmt.Errorf("accounts of traces: %w", err)
	}
	var moved entries
	var large largeAccounts
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		account, lt, trace := r.Address(), r.LT(), r.Hash()
		moved.add(keys.Of(account), lt, trace[:], 0)
		if r.Bool() {
			large.add(trace, &account)
		}
		at.account, at.lt, at.trace = account.Bytes(), int64(lt), trace.Bytes()
		n++
	})
	if err != nil {
		return 0, fmt.Errorf("accounts of traces: %w", err)
	}
	b := &pgx.Batch{}
	moved.queueTraces(b)
	large.queue(b)
	return n, sendMoved(ctx, tx, b)
}

// moveActions is the same for action_accounts.
func moveActions(ctx context.Context, tx pgx.Tx, keys *AccountKeys, at *movePosition, limit int) (n int, err error) {
	rows, err := tx.Query(ctx, selectReplacedActions, at.account, at.lt, at.trace, at.actionLT, at.action, limit)
	if err != nil {
		return 0, fmt.Errorf("accounts of actions: %w", err)
	}
	var moved entries
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		account, lt, trace := r.Address(), r.LT(), r.Hash()
		at.account, at.lt, at.trace = account.Bytes(), int64(lt), trace.Bytes()
		at.actionLT, at.action = r.Int8(), r.Bytes()
		moved.add(keys.Of(account), lt, trace[:], chain.ActionTypeBits(r.Text()))
		n++
	})
	if err != nil {
		return 0, fmt.Errorf("accounts of actions: %w", err)
	}
	b := &pgx.Batch{}
	moved.queueActions(b)
	return n, sendMoved(ctx, tx, b)
}

func sendMoved(ctx context.Context, tx pgx.Tx, b *pgx.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("entries of accounts: %w", err)
	}
	return nil
}
