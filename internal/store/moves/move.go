package moves

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/dictionary"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
	"tonql/internal/store/transactions"
)

// Move is a change of the form of stored rows. It runs in the background, in steps, each in a database transaction of its own, while
// blocks are indexed and the index is read. It may be interrupted at any time, and then continues where it was.
type Move struct {
	// Name identifies the move in logs and metrics.
	Name string
	// Step changes up to limit rows. Several processes may call it: one step runs at a time.
	Step func(ctx context.Context, limit int) (Step, error)
	// Free gives back the room of what the move has replaced, after its last row. It reports false while the room is still needed, by
	// readers that began before.
	Free func(ctx context.Context) (bool, error)
}

// Step is the result of a step.
type Step struct {
	Rows int  // changed
	Done bool // there are no more
	// Locked is how long other writers had to wait for the step.
	Locked time.Duration
}

// Names of the moves.
const (
	OfAccountKeys  = "account keys"
	OfTransactions = "transactions"
)

// Runner moves rows of a database. Safe for concurrent use.
type Runner struct {
	pool   *pgxpool.Pool
	keys   *traces.AccountKeys
	moving sync.Mutex // guards mover
	mover  *transactions.Mover
}

// New returns the runner of a database. It shares keys and dictionaries with the writer of blocks.
func New(pool *pgxpool.Pool, keys *traces.AccountKeys, dictionaries *dictionary.Cache) *Runner {
	return &Runner{pool: pool, keys: keys, mover: transactions.NewMover(dictionaries)}
}

// Moves returns the moves of this version, in the order in which they run. Tables that they replace are dropped when their last row was
// moved at least keep ago.
func (m *Runner) Moves(keep time.Duration) []Move {
	return []Move{
		{
			Name: OfAccountKeys,
			Step: m.MoveAccounts,
			Free: func(ctx context.Context) (bool, error) { return m.dropMovedAccounts(ctx, keep) },
		},
		{Name: OfTransactions, Step: m.MoveTransactions, Free: m.freeMovedTransactions},
	}
}

// Status is the progress of a move.
type Status struct {
	Name  string
	Share float64 // estimate of the part of the rows that were examined, up to 1
	Done  bool    // all were
	Freed bool    // what the move replaces takes no room any more
	Moved int64   // number of rows; 0 for a move that does not count them
	Rest  transactions.MoveRest
}

// MoveStatuses reads the progress of all moves.
func (m *Runner) MoveStatuses(ctx context.Context) ([]Status, error) {
	list, err := Statuses(ctx, m.pool)
	return list, sqlbuild.Fault(ctx, "moves", err)
}

const (
	selectAccountMove = `SELECT m.actions, m.account, m.done_at IS NOT NULL, to_regclass('trace_accounts') IS NULL FROM account_keys_move m`

	selectTransactionMove = `SELECT m.done_at IS NOT NULL, m.freed, m.moved, m.without_raw, m.differing, m.without_rest, m.mc_seqno,
		(SELECT min(i.first) FROM indexed_ranges i), (SELECT max(i.last) FROM indexed_ranges i) FROM transactions_move m`
)

// Statuses reads the progress of all moves.
func Statuses(ctx context.Context, from sqlbuild.Queryer) ([]Status, error) {
	accounts, txs := Status{Name: OfAccountKeys}, Status{Name: OfTransactions}
	err := sqlbuild.Each(ctx, from, "move of account keys", func(r *sqlbuild.Row) {
		actions, account := r.Bool(), r.Bytes()
		accounts.Done, accounts.Freed = r.Bool(), r.Bool()
		accounts.Share = shareOfAccounts(account) / 2
		if actions {
			accounts.Share += 0.5
		}
	}, selectAccountMove)
	if err != nil {
		return nil, err
	}
	err = sqlbuild.Each(ctx, from, "move of transactions", func(r *sqlbuild.Row) {
		txs.Done, txs.Freed, txs.Moved = r.Bool(), r.Bool(), r.Int8()
		txs.Rest = transactions.MoveRest{WithoutRaw: r.Int8(), Differing: r.Int8(), WithoutRest: r.Int8()}
		at, first, last := r.Int8(), r.Int8OrZero(), r.Int8OrZero()
		if last > first {
			txs.Share = min(max(float64(at-first)/float64(last-first), 0), 1)
		}
	}, selectTransactionMove)
	if err != nil {
		return nil, err
	}
	list := []Status{accounts, txs}
	for i := range list {
		if list[i].Done {
			list[i].Share = 1
		}
	}
	return list, nil
}

// shareOfAccounts returns the part of the accounts that come before one: their ids are hashes.
func shareOfAccounts(account []byte) float64 {
	const workchain, prefix = 128, 2 // of the basechain
	if len(account) <= prefix || account[0] < workchain {
		return 0
	}
	return float64(binary.BigEndian.Uint16(account[1:])) / (1 << 16)
}

// MoveAccounts moves up to limit rows that lead from accounts to traces to the tables of this version, in one database
// transaction; see [traces.AccountKeys.Move].
func (m *Runner) MoveAccounts(ctx context.Context, limit int) (step Step, err error) {
	var locked time.Time
	err = locks.Transaction(ctx, m.pool, func(tx pgx.Tx) (err error) {
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		locked = time.Now()
		moved, err := m.keys.Move(ctx, tx, limit)
		step = Step{Rows: moved.Rows, Done: moved.Done}
		return err
	})
	if err != nil {
		return Step{}, sqlbuild.Fault(ctx, "move of account keys", err)
	}
	step.Locked = time.Since(locked)
	return step, nil
}

// MoveTransactions moves up to limit transactions into the form of this version, in one database transaction; see
// [transactions.Mover.Step]. It reads them beside other writers and keeps these away only while it changes rows.
func (m *Runner) MoveTransactions(ctx context.Context, limit int) (Step, error) {
	m.moving.Lock()
	defer m.moving.Unlock()
	var moved transactions.MoveStep
	var locked time.Time
	err := locks.Transaction(ctx, m.pool, func(tx pgx.Tx) (err error) {
		if err := locks.Move(ctx, tx); err != nil {
			return err
		}
		moved, err = m.mover.Step(ctx, tx, limit, func() error {
			if err := locks.Apply(ctx, tx); err != nil {
				return err
			}
			locked = time.Now()
			return nil
		})
		return err
	})
	if err != nil {
		return Step{}, sqlbuild.Fault(ctx, "move of transactions", err)
	}
	step := Step{Rows: moved.Rows, Done: moved.Done}
	if !locked.IsZero() {
		step.Locked = time.Since(locked)
	}
	return step, nil
}
