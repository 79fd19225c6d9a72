package transactions

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Full adds to each transaction its messages and the account's states before and after it, in one round trip. A state
// that is not in the index has only its hash.
func (r *Reader) Full(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	q := NewFullQuery(ctx, r, txs)
	if q.Batch.Len() > 0 {
		if err := sqlbuild.SendBatch(sqlbuild.Checked(ctx), r.pool, FullName, &q.Batch); err != nil {
			return nil, err
		}
	}
	return q.Assemble(ctx, r)
}

// FullName is the name of the query of messages and states in errors.
const FullName = "messages and states of transactions"

// FullQuery reads what the rows of transactions lack: their messages, and states that stand elsewhere.
type FullQuery struct {
	Batch    pgx.Batch
	messages Messages
	states   stateQuery
	err      error
}

// NewFullQuery returns the query for the messages and states of txs, which r has read. The caller sends its batch, if it is not empty.
func NewFullQuery(ctx context.Context, r *Reader, txs []chain.Transaction) *FullQuery {
	q := &FullQuery{}
	q.err = q.messages.Read(ctx, txs)
	for i := range txs {
		q.err = errors.Join(q.err, q.start(&q.messages.Of[i], &txs[i]))
	}
	q.messages.Queue(&q.Batch, r.dictionaries)
	q.states.queue(&q.Batch)
	return q
}

// Named returns the transactions without the other ends of their messages, if all messages are known before the batch is sent.
func (q *FullQuery) Named() (full []chain.FullTransaction, ok bool) {
	return q.messages.Of, q.err == nil && q.messages.raw == len(q.messages.Of)
}

// start begins f with what the row of a transaction has, and requests the states that it lacks.
func (q *FullQuery) start(f *chain.FullTransaction, t *chain.Transaction) (err error) {
	var given bool // the state before
	if len(t.States) > 0 {
		f.StateBefore, f.StateAfter, given, err = readStates(t)
	} else {
		f.StateAfter = chain.AccountState{Account: t.Account, Hash: t.StateHashAfter}
		f.StateBefore = chain.AccountState{Account: t.Account, Hash: t.StateHashBefore}
		q.states.keys.Add(&t.Account, t.LT)
		given = t.OrigStatus == chain.Nonexist && t.PrevLT == 0
	}
	if !given {
		q.states.keys.Add(&t.Account, t.PrevLT)
	}
	return err
}

// Assemble returns the transactions with their messages and states, after the batch was sent. A state that is not in the index has only
// its hash. r must be the reader of the transactions.
func (q *FullQuery) Assemble(ctx context.Context, r *Reader) ([]chain.FullTransaction, error) {
	states, err := q.states.finish(ctx, r)
	if err = errors.Join(q.err, err); err != nil {
		return nil, sqlbuild.Fault(ctx, FullName, err)
	}
	at := make(map[chain.TransactionKey]*chain.AccountState, len(states))
	for i := range states {
		at[chain.TransactionKey{Account: states[i].Account, LT: states[i].LT}] = &states[i]
	}
	full, err := q.messages.Assemble(ctx, r.unchanging)
	if err != nil {
		return nil, err
	}
	for i := range full {
		f := &full[i]
		t := &f.Transaction
		setState(&f.StateBefore, at[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}])
		setState(&f.StateAfter, at[t.Key()])
		f.StateBefore.Rest, f.StateAfter.Rest = nil, nil
	}
	return full, nil
}

// setState completes a state of which only the hash is given by the one that was found, if it has this hash. Along one account the same
// LT may name another state when the account was deleted and came back.
func setState(s, found *chain.AccountState) {
	if found != nil && found.Hash == s.Hash {
		*s = *found
	}
}

// WithStates adds to each transaction its messages, without the transactions at their other ends, and the account's states before and after
// it. A state that is not in the index has only its hash.
func (r *Reader) WithStates(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	const what = "states of transactions"
	q := &FullQuery{}
	q.err = q.messages.Read(ctx, txs)
	for i := range txs {
		q.err = errors.Join(q.err, q.start(&q.messages.Of[i], &txs[i]))
	}
	if q.messages.raw < len(txs) {
		q.messages.Queue(&q.Batch, r.dictionaries)
	}
	q.states.queue(&q.Batch)
	if q.Batch.Len() > 0 {
		if err := sqlbuild.SendBatch(sqlbuild.Checked(ctx), r.pool, what, &q.Batch); err != nil {
			return nil, err
		}
	}
	return q.Assemble(ctx, r)
}
