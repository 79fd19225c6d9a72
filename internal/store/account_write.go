package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// stateStep sorts the account states of a batch. The state after a transaction of the batch is written into the row of the transaction,
// as is the state before it. A state of its own has only a row when no indexed transaction left it: the one to begin with. When the
// transaction that left it is indexed later, that row is deleted.
type stateStep struct {
	states   []*chain.AccountState // in order, each once
	byKey    map[chain.TransactionKey]*chain.AccountState
	made     map[chain.TransactionKey]bool // transactions of the batch
	inRow    map[chain.TransactionKey]bool // written into the row of the transaction
	existing map[chain.TransactionKey]existingState
	before   []*chain.Transaction // transactions that begin with a state that the batch lacks
	newest   map[chain.Address]*chain.AccountState
}

// existingState is where the index has a state.
type existingState uint8

const (
	inOwnRow existingState = iota + 1
	inTransaction
)

func prepareStates(_ *Writer, u *batchState) {
	s := &u.states
	txs, states := 0, 0
	for _, mb := range u.Blocks {
		txs, states = txs+len(mb.Transactions), states+len(mb.States)
	}
	*s = stateStep{
		states:   make([]*chain.AccountState, 0, states),
		byKey:    make(map[chain.TransactionKey]*chain.AccountState, states),
		made:     make(map[chain.TransactionKey]bool, txs),
		inRow:    make(map[chain.TransactionKey]bool, txs),
		existing: map[chain.TransactionKey]existingState{},
		newest:   make(map[chain.Address]*chain.AccountState, states),
	}
	for _, mb := range u.Blocks {
		for i := range mb.States {
			s.add(&mb.States[i])
		}
		for i := range mb.Transactions {
			t := &mb.Transactions[i]
			s.made[t.Key()] = true
			if t.EndStatus == chain.Nonexist {
				s.add(deleted(t))
			}
		}
	}
	for _, mb := range u.Blocks {
		for i := range mb.Transactions {
			t := &mb.Transactions[i]
			before := chain.TransactionKey{Account: t.Account, LT: t.PrevLT}
			if t.PrevLT > 0 && s.byKey[before] == nil && !s.made[before] {
				s.before = append(s.before, t)
			}
		}
	}
}

func (s *stateStep) add(state *chain.AccountState) {
	key := chain.TransactionKey{Account: state.Account, LT: state.LT}
	if s.byKey[key] != nil || state.Status == chain.Nonexist && state.LT == 0 {
		return
	}
	s.byKey[key] = state
	s.states = append(s.states, state)
	if n := s.newest[state.Account]; n == nil || n.LT < state.LT {
		s.newest[state.Account] = state
	}
}

// around returns the states around a transaction of the batch as its row has them.
func (s *stateStep) around(t *chain.Transaction) []byte {
	states := transactions.EncodeStates(t, s.byKey)
	if states != nil {
		s.inRow[t.Key()] = true
	}
	return states
}

// deleted is the state of an account that a transaction deleted; without it the account would seem to exist.
func deleted(t *chain.Transaction) *chain.AccountState {
	return &chain.AccountState{
		Account: t.Account, LT: t.LT, TxHash: t.Hash, Hash: t.StateHashAfter, Status: chain.Nonexist,
	}
}

// queueStateLookup finds the states that the index has already, and reads those that transactions begin with. The state after a
// transaction of the batch can exist only when a later block was indexed earlier and found it as the state to begin with; a state to
// begin with may exist at any time.
func queueStateLookup(u *batchState, b *pgx.Batch) {
	s := &u.states
	later := u.LaterIndexed()
	keys := sqlbuild.NewKeyArrays(len(s.states))
	for _, state := range s.states {
		if key := (chain.TransactionKey{Account: state.Account, LT: state.LT}); later || !s.made[key] {
			keys.Add(&key.Account, key.LT)
		}
	}
	if keys.Len() > 0 {
		b.Queue(transactions.SelectStateKeys, keys.Accounts, keys.LTs).Query(func(rows pgx.Rows) error {
			return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
				key := chain.TransactionKey{Account: r.Address(), LT: r.LT()}
				if s.existing[key] = inTransaction; r.Bool() {
					s.existing[key] = inOwnRow
				}
			})
		})
	}
	if len(s.before) > 0 {
		transactions.QueueStatesBefore(b, s.before, func(state *chain.AccountState) {
			s.byKey[chain.TransactionKey{Account: state.Account, LT: state.LT}] = state
		})
	}
}

// copyStates writes the states that are not in rows of transactions.
func copyStates(ctx context.Context, u *batchState) error {
	s := &u.states
	for _, state := range s.states {
		key := chain.TransactionKey{Account: state.Account, LT: state.LT}
		if !s.inRow[key] && s.existing[key] == 0 {
			transactions.WriteState(u.Copies, state)
		}
	}
	return u.Copies.Send(ctx, u.Tx, "account_states", transactions.StoredStateTable)
}

// upsertAccounts writes the newest states.
var upsertAccounts = `INSERT INTO accounts AS a (` + transactions.StateTable + `)
	SELECT k.account, k.lt, k.tx_hash, k.hash, k.status, k.balance, k.extra::jsonb, k.code_hash, k.data_hash, k.frozen_hash, k.last_paid,
		k.due_payment, k.used_cells, k.used_bits
	FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bytea[], $5::smallint[], $6::bigint[], $7::text[], $8::bytea[], $9::bytea[],
		$10::bytea[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[]) k(account, lt, tx_hash, hash, status, balance, extra,
		code_hash, data_hash, frozen_hash, last_paid, due_payment, used_cells, used_bits)
	ON CONFLICT (account) DO UPDATE SET lt = excluded.lt, tx_hash = excluded.tx_hash, hash = excluded.hash,
		status = excluded.status, balance = excluded.balance, extra = excluded.extra, code_hash = excluded.code_hash,
		data_hash = excluded.data_hash, frozen_hash = excluded.frozen_hash, last_paid = excluded.last_paid,
		due_payment = excluded.due_payment, used_cells = excluded.used_cells, used_bits = excluded.used_bits
	WHERE a.lt < excluded.lt`

func finishAccounts(u *batchState, b *pgx.Batch) {
	s := &u.states
	superseded := sqlbuild.NewKeyArrays(0)
	for key, where := range s.existing {
		if where == inOwnRow && s.inRow[key] {
			superseded.Add(&key.Account, key.LT)
		}
	}
	if superseded.Len() > 0 {
		b.Queue(transactions.DeleteStates, superseded.Accounts, superseded.LTs)
	}
	if len(s.newest) == 0 {
		return
	}
	rows := transactions.NewStateArrays(len(s.newest))
	for _, state := range s.newest {
		rows.Add(state)
	}
	b.Queue(upsertAccounts, rows.Arguments()...)
}
