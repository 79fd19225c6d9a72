package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// The move brings rows of earlier versions into the form that the writer gives them: the raw transaction from transaction_bocs into the
// row, compressed; columns that it makes unnecessary to NULL; states from account_states into the row. It examines transactions in the
// order of masterchain blocks, in which they lie in the table, and stores its position with the rows that it changes. A row that
// would not read as before stays as it is, and is counted.

// MoveStep is the result of a step of the move.
type MoveStep struct {
	Rows int  // changed
	Done bool // every row was examined
}

// MoveRest counts rows that stay in the form of an earlier version.
type MoveRest struct {
	WithoutRaw  int64 // there is no raw transaction; the states may be in the row
	Differing   int64 // the raw transaction or the row is damaged, or they contradict each other
	WithoutRest int64 // the state after it has no rest, or is not the one that the transaction names
}

// Total is their sum.
func (r MoveRest) Total() int64 { return r.WithoutRaw + r.Differing + r.WithoutRest }

const (
	// maxMoveBytes bounds the raw transactions of a step, except that a step has at least one.
	maxMoveBytes = 8 << 20
	// skimmed is how many rows a step examines after one that had nothing to change.
	skimmed = 8192
)

const (
	selectMovePosition = `SELECT m.mc_seqno, m.lt, m.account, m.done_at IS NOT NULL FROM transactions_move m`

	// Rows after a position, with whether they may have another form, and the length of their raw transaction then.
	selectMovePage = `SELECT t.mc_seqno, t.lt, t.account, t.boc IS NULL OR t.prev_hash IS NOT NULL OR t.states IS NULL,
			CASE WHEN t.boc IS NULL OR t.prev_hash IS NOT NULL OR t.states IS NULL THEN coalesce(octet_length(t.boc),
				(SELECT octet_length(o.boc) FROM transaction_bocs o WHERE o.account = t.account AND o.lt = t.lt), 0) ELSE 0 END
		FROM transactions t WHERE (t.mc_seqno, t.lt) >= ($1, $2) AND (t.mc_seqno, t.lt, t.account) > ($1, $2, $3)
		ORDER BY t.mc_seqno, t.lt, t.account LIMIT $4`

	updateTransactionsMove = `UPDATE transactions_move SET mc_seqno = $1, lt = $2, account = $3, moved = moved + $4,
		without_raw = without_raw + $5, differing = differing + $6, without_rest = without_rest + $7,
		done_at = CASE WHEN $8 THEN now() END`
)

// Mover runs the move of one database. It is not safe for concurrent use.
type Mover struct {
	dictionaries *dictionary.Cache
	sampler      dictionary.Sampler
	// present is the dictionary in use, nil for none. The database may have lost it in a failover: each step that uses it ensures that
	// it is there.
	present *dictionary.Dictionary
	loaded  bool // present was read
	skim    bool // the last step had nothing to change
}

// NewMover returns a Mover that reads raw transactions with these dictionaries.
func NewMover(dictionaries *dictionary.Cache) *Mover { return &Mover{dictionaries: dictionaries} }

// movePosition is the last row that was examined.
type movePosition struct {
	seqno, lt int64
	account   []byte
}

// Step examines rows until up to limit of them may have the form of an earlier version, and moves those. The caller lets no other move
// run. Step calls lock before it changes the first row, to keep other writers away; a step that changes none does not call it. Without
// an error it has moved the position with the rows, so it may be interrupted at any time.
func (m *Mover) Step(ctx context.Context, tx pgx.Tx, limit int, lock func() error) (MoveStep, error) {
	var at movePosition
	var done bool
	err := sqlbuild.Each(ctx, tx, "position", func(r *sqlbuild.Row) {
		at, done = movePosition{r.Int8(), r.Int8(), r.Bytes()}, r.Bool()
	}, selectMovePosition)
	if err != nil || done {
		return MoveStep{Done: done}, err
	}
	if err := m.load(ctx, tx); err != nil {
		return MoveStep{}, err
	}
	keys, done, err := m.page(ctx, tx, &at, limit)
	if err != nil {
		return MoveStep{}, err
	}
	plan, err := m.plan(ctx, tx, keys)
	if err != nil {
		return MoveStep{}, err
	}
	m.skim = plan.rows() == 0
	if plan.rows() > 0 {
		if err := lock(); err != nil {
			return MoveStep{}, err
		}
		if err := plan.write(ctx, tx, m.present); err != nil {
			return MoveStep{}, err
		}
	}
	_, err = tx.Exec(ctx, updateTransactionsMove, at.seqno, at.lt, at.account, plan.rows(), plan.rest.WithoutRaw, plan.rest.Differing,
		plan.rest.WithoutRest, done)
	if err != nil {
		return MoveStep{}, fmt.Errorf("position: %w", err)
	}
	return MoveStep{Rows: plan.rows(), Done: done}, nil
}

// load reads the dictionary to begin with, once.
func (m *Mover) load(ctx context.Context, tx pgx.Tx) (err error) {
	if m.loaded {
		return nil
	}
	var invalid error
	err = sqlbuild.Each(ctx, tx, "dictionaries", func(r *sqlbuild.Row) { m.present, invalid = dictionary.Scan(r) }, dictionary.SelectEarliest)
	if err == nil {
		err = invalid
	}
	m.loaded = err == nil
	return err
}

// page returns the keys of rows after a position that may have another form, and moves the position to the last one that it examined.
// done is whether there are no more.
func (m *Mover) page(ctx context.Context, tx pgx.Tx, at *movePosition, limit int) (keys []chain.TransactionKey, done bool, err error) {
	examined, read, bytes, full := limit, 0, int64(0), false
	if m.skim {
		examined = max(limit, skimmed)
	}
	err = sqlbuild.Each(ctx, tx, "transactions", func(r *sqlbuild.Row) {
		read++
		seqno, lt, account, other, size := r.Int8(), r.LT(), r.Address(), r.Bool(), int64(r.Int4())
		if full = full || len(keys) == limit || len(keys) > 0 && bytes+size > maxMoveBytes; full {
			return
		}
		*at = movePosition{seqno, int64(lt), account.Bytes()}
		if bytes += size; other {
			keys = append(keys, chain.TransactionKey{Account: account, LT: lt})
		}
	}, selectMovePage, at.seqno, at.lt, at.account, examined)
	return keys, !full && read < examined, err
}
