package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// stateStep sorts the account states of a batch. The state after a transaction of the batch can exist only when a later
// block was indexed earlier and found it as the state to begin with; a state to begin with may exist at any time.
type stateStep struct {
	states       []*chain.AccountState
	recordSource []*chain.AccountState
	found        map[chain.TransactionKey]bool
	newest       map[chain.Address]uint64 // LT of each account's newest state here
}

func prepareStates(_ *Writer, u *batchState) {
	s := &u.states
	s.found, s.newest = map[chain.TransactionKey]bool{}, map[chain.Address]uint64{}
	seen := map[chain.TransactionKey]bool{}
	made := map[chain.TransactionKey]bool{}
	later := u.LaterIndexed()
	add := func(state *chain.AccountState) {
		key := chain.TransactionKey{Account: state.Account, LT: state.LT}
		if seen[key] || state.Status == chain.Nonexist && state.LT == 0 {
			return
		}
		seen[key] = true
		if lt, ok := s.newest[state.Account]; !ok || lt < state.LT {
			s.newest[state.Account] = state.LT
		}
		if made[key] && !later {
			s.states = append(s.states, state)
		} else {
			s.recordSource = append(s.recordSource, state)
		}
	}
	for _, mb := range u.Blocks {
		for i := range mb.Transactions {
			made[mb.Transactions[i].Key()] = true
		}
	}
	for _, mb := range u.Blocks {
		for i := range mb.States {
			add(&mb.States[i])
		}
		for i := range mb.Transactions {
			if t := &mb.Transactions[i]; t.EndStatus == chain.Nonexist {
				add(deleted(t))
			}
		}
	}
}

// deleted is the state of an account that a transaction deleted; without its row the account would seem to exist.
func deleted(t *chain.Transaction) *chain.AccountState {
	return &chain.AccountState{
		Account: t.Account, LT: t.LT, TxHash: t.Hash, Hash: t.StateHashAfter, Status: chain.Nonexist,
	}
}

const selectStateKeys = `SELECT s.account, s.lt FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN account_states s ON s.account = k.account AND s.lt = k.lt`

func queueStateLookup(u *batchState, b *pgx.Batch) {
	s := &u.states
	if len(s.recordSource) == 0 {
		return
	}
	keys := sqlbuild.NewKeyArrays(len(s.recordSource))
	for _, state := range s.recordSource {
		keys.Add(&state.Account, state.LT)
	}
	b.Queue(selectStateKeys, keys.Accounts, keys.LTs).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			s.found[chain.TransactionKey{Account: r.Address(), LT: r.LT()}] = true
		})
	})
}

func copyStates(ctx context.Context, u *batchState) error {
	s := &u.states
	for _, state := range s.states {
		transactions.WriteState(u.Copies, state)
	}
	for _, state := range s.recordSource {
		if !s.found[chain.TransactionKey{Account: state.Account, LT: state.LT}] {
			transactions.WriteState(u.Copies, state)
		}
	}
	return u.Copies.Send(ctx, u.Tx, "account_states", transactions.StoredStateTable)
}

// upsertAccounts takes the newest states over from history, so that both tables agree by construction.
var upsertAccounts = `INSERT INTO accounts AS a (` + transactions.StateTable + `)
	SELECT ` + transactions.StateColumns + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN account_states s ON s.account = k.account AND s.lt = k.lt
	ON CONFLICT (account) DO UPDATE SET lt = excluded.lt, tx_hash = excluded.tx_hash, hash = excluded.hash,
		status = excluded.status, balance = excluded.balance, extra = excluded.extra, code_hash = excluded.code_hash,
		data_hash = excluded.data_hash, frozen_hash = excluded.frozen_hash, last_paid = excluded.last_paid,
		due_payment = excluded.due_payment, used_cells = excluded.used_cells, used_bits = excluded.used_bits
	WHERE a.lt < excluded.lt`

func finishAccounts(u *batchState, b *pgx.Batch) {
	if len(u.states.newest) == 0 {
		return
	}
	keys := sqlbuild.NewKeyArrays(len(u.states.newest))
	for account, lt := range u.states.newest {
		keys.Add(&account, lt)
	}
	b.Queue(upsertAccounts, keys.Accounts, keys.LTs)
}
