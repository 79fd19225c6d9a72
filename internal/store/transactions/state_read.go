package transactions

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var (
	// SelectStatesByKey reads states with a row of their own.
	SelectStatesByKey = `SELECT ` + StateColumns + `, s.rest FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN account_states s ON s.account = k.account AND s.lt = k.lt`

	// SelectTransactionsWithStates reads transactions that have the states around them in their row.
	SelectTransactionsWithStates = SelectTransactionsByKey + ` AND t.states IS NOT NULL`
)

// AccountStatesAt finds the states that transactions left their accounts in, without their rests.
func (r *Reader) AccountStatesAt(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error) {
	states, err := r.StoredStates(ctx, keys)
	for i := range states {
		states[i].Rest = nil
	}
	return states, err
}

// StoredStates finds the states of accounts after transactions, with everything that is stored of them.
func (r *Reader) StoredStates(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	q := stateQuery{keys: TransactionKeys(sqlbuild.Unique(keys))}
	b := &pgx.Batch{}
	q.queue(b)
	if err := sqlbuild.SendBatch(sqlbuild.Checked(ctx), r.pool, stateName, b); err != nil {
		return nil, err
	}
	states, err := q.finish(ctx, r)
	if err == nil {
		err = sqlbuild.Found(ctx, len(states), q.keys.Len())
	}
	return states, sqlbuild.Fault(ctx, stateName, err)
}

// StateBefore returns the state that a transaction found; nil when the row of the transaction does not have it.
func (r *Reader) StateBefore(ctx context.Context, key chain.TransactionKey) (*chain.AccountState, error) {
	keys := TransactionKeys([]chain.TransactionKey{key})
	var q stateQuery
	b := &pgx.Batch{}
	sqlbuild.Queue(b, &q.rows, 1, q.raw.scan, SelectTransactionsWithStates, keys.Accounts, keys.LTs)
	if err := sqlbuild.SendBatch(ctx, r.pool, stateName, b); err != nil {
		return nil, err
	}
	if err := q.raw.finish(ctx, r.dictionaries, r.unchanging(), q.rows); err != nil || len(q.rows) == 0 {
		return nil, sqlbuild.Fault(ctx, stateName, err)
	}
	before, _, given, err := readStates(&q.rows[0])
	if err != nil || !given || before.LT != q.rows[0].PrevLT {
		return nil, sqlbuild.Fault(ctx, stateName, err)
	}
	return &before, nil
}

const stateName = "account states"

// stateQuery reads states by the keys of the transactions that left them, from the rows of these transactions and from rows of their
// own.
type stateQuery struct {
	keys   sqlbuild.KeyArrays
	stored []chain.AccountState
	rows   []chain.Transaction
	raw    rawRows
}

func (q *stateQuery) queue(b *pgx.Batch) {
	n := q.keys.Len()
	if n == 0 {
		return
	}
	sqlbuild.Queue(b, &q.stored, n, ScanStoredState, SelectStatesByKey, q.keys.Accounts, q.keys.LTs)
	if slices.ContainsFunc(q.keys.LTs, func(lt int64) bool { return lt > 0 }) { // no transaction has the LT 0
		sqlbuild.Queue(b, &q.rows, n, q.raw.scan, SelectTransactionsWithStates, q.keys.Accounts, q.keys.LTs)
	}
}

// finish returns the states, each once.
func (q *stateQuery) finish(ctx context.Context, r *Reader) ([]chain.AccountState, error) {
	if err := q.raw.finish(ctx, r.dictionaries, r.unchanging(), q.rows); err != nil {
		return nil, err
	}
	states := make([]chain.AccountState, 0, len(q.rows)+len(q.stored))
	found := make(map[chain.TransactionKey]bool, len(q.rows))
	for i := range q.rows {
		t := &q.rows[i]
		_, after, _, err := readStates(t)
		if err != nil {
			return nil, err
		}
		found[t.Key()] = true
		states = append(states, after)
	}
	for i := range q.stored {
		if s := &q.stored[i]; !found[chain.TransactionKey{Account: s.Account, LT: s.LT}] {
			states = append(states, *s)
		}
	}
	return states, nil
}

// readStates reads the states around a transaction from its row. See [decodeStates].
func readStates(t *chain.Transaction) (before, after chain.AccountState, given bool, err error) {
	if given, err = decodeStates(t, &before, &after); err != nil {
		err = fmt.Errorf("%w: %s %d: %w", ErrDamaged, t.Account, t.LT, err)
	}
	return before, after, given, err
}

// SelectStateKeys finds which states the index has, with whether they have a row of their own.
const SelectStateKeys = `SELECT k.account, k.lt, s.lt IS NOT NULL FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	LEFT JOIN account_states s ON s.account = k.account AND s.lt = k.lt
	LEFT JOIN transactions t ON t.account = k.account AND t.lt = k.lt AND t.states IS NOT NULL
	WHERE s.lt IS NOT NULL OR t.lt IS NOT NULL`

// selectStatesBefore reads states from the rows of the transactions that left them. The hashes of the states are those that the next
// transactions name.
const selectStatesBefore = `SELECT t.account, t.lt, t.hash, t.now, t.states FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN transactions t ON t.account = k.account AND t.lt = k.lt AND t.states IS NOT NULL`

// QueueStatesBefore queues the statements for the states that transactions begin with. visit gets those that are in the index and that
// the transactions name.
func QueueStatesBefore(b *pgx.Batch, txs []*chain.Transaction, visit func(*chain.AccountState)) {
	keys, next := sqlbuild.NewKeyArrays(len(txs)), make(map[chain.TransactionKey]*chain.Transaction, len(txs))
	for _, t := range txs {
		keys.Add(&t.Account, t.PrevLT)
		next[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}] = t
	}
	b.Queue(selectStatesBefore, keys.Accounts, keys.LTs).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			t := chain.Transaction{Account: r.Address(), LT: r.LT(), Hash: r.Hash(), Now: r.Uint32(), States: r.Bytes()}
			n := next[t.Key()]
			if n == nil || n.PrevHash != t.Hash {
				return
			}
			t.StateHashAfter = n.StateHashBefore
			if _, state, _, err := readStates(&t); err == nil {
				visit(&state)
			}
		})
	})
	b.Queue(SelectStatesByKey, keys.Accounts, keys.LTs).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			state := &chain.AccountState{}
			ScanStoredState(r, state)
			visit(state)
		})
	})
}

// StateAfter returns the state after a transaction with states in its row, with its rest.
func StateAfter(t *chain.Transaction) (chain.AccountState, error) {
	_, after, _, err := readStates(t)
	return after, err
}

// SameStates reports whether the row of a transaction has the states that were found by the keys of the transactions that left them. A
// row that was written when the state before was unknown need not have it.
func SameStates(t *chain.Transaction, found map[chain.TransactionKey]*chain.AccountState) bool {
	if len(t.States) > 0 && t.States[0]&statesBefore == statesUnknown {
		found = map[chain.TransactionKey]*chain.AccountState{t.Key(): found[t.Key()]}
	}
	return bytes.Equal(EncodeStates(t, found), t.States)
}
