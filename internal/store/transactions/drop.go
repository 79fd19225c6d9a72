package transactions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

const (
	dropTransactions = `DELETE FROM transactions t USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE t.account = k.account AND t.lt = k.lt
		RETURNING t.account, t.lt, t.in_msg_account, t.in_msg_lt, t.out_msg_count, t.verification`

	// A message goes with the last of its transactions.
	dropMessages = `DELETE FROM messages m USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE m.account = k.account AND m.lt = k.lt
			AND NOT EXISTS (SELECT FROM transactions t WHERE t.account = m.account AND t.lt = m.src_tx_lt)
			AND NOT EXISTS (SELECT FROM transactions t WHERE t.account = m.destination AND t.lt = m.dst_tx_lt)`

	dropStates = `DELETE FROM account_states s USING unnest($1::bytea[], $2::bigint[]) k(account, lt) WHERE s.account = k.account AND s.lt < k.lt`
)

// selectLeft reads the transactions after which the state of their account stays: a later transaction begins with it, now or when it is
// indexed. It need not stay when that after a later removed transaction, up to an LT, has stayed before.
var selectLeft = `SELECT ` + TransactionColumns + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN transactions t ON t.account = k.account AND t.lt = k.lt AND t.states IS NOT NULL
	WHERE NOT EXISTS (SELECT FROM account_states s WHERE s.account = k.account AND s.lt >= k.lt AND s.lt <= $3
		AND (s.lt = k.lt OR NOT EXISTS (SELECT FROM transactions n WHERE n.account = s.account AND n.lt = s.lt)))`

// Dropper removes transactions. Its buffer is empty between calls.
type Dropper struct {
	Copies       *sqlbuild.CopyBuffer
	Dictionaries *dictionary.Cache
	// Removed is called after the rows of transactions are removed, before those of their messages.
	Removed func(context.Context, pgx.Tx) error
}

// Drop removes transactions with their messages and states, and returns how many it removed, by verification. The state after the newest
// of an account's removed transactions stays, as a row of its own. endLT is the last LT of the dropped blocks.
func (d *Dropper) Drop(ctx context.Context, tx pgx.Tx, keys sqlbuild.KeyArrays, endLT uint64) (counts [chain.Verifications]int64, err error) {
	newest := newestOf(&keys)
	if err := d.leave(ctx, tx, newest, endLT); err != nil {
		return counts, err
	}
	rows, err := tx.Query(ctx, dropTransactions, keys.Accounts, keys.LTs)
	if err != nil {
		return counts, fmt.Errorf("transactions: %w", err)
	}
	messages := sqlbuild.NewKeyArrays(2 * keys.Len())
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		account, lt := r.Address(), r.LT()
		var in chain.Address
		if received := r.SetAddress(&in); received != nil {
			messages.Add(received, r.LT())
		} else {
			r.Skip(1)
		}
		for i := range uint64(r.Int2()) {
			messages.Add(&account, lt+1+i)
		}
		if v := chain.Verification(r.Int2()); int(v) < len(counts) {
			counts[v]++
		}
	})
	if err != nil {
		return counts, fmt.Errorf("transactions: %w", err)
	}
	if err := d.Removed(ctx, tx); err != nil {
		return counts, err
	}
	b := &pgx.Batch{}
	b.Queue(dropMessages, messages.Accounts, messages.LTs)
	b.Queue(dropStates, newest.Accounts, newest.LTs)
	b.Queue(deleteOutside, keys.Accounts, keys.LTs)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return counts, fmt.Errorf("messages and states: %w", err)
	}
	return counts, nil
}

// newestOf returns the newest key of each account.
func newestOf(keys *sqlbuild.KeyArrays) (newest sqlbuild.KeyArrays) {
	at := make(map[string]int, keys.Len())
	for i, account := range keys.Accounts {
		if j, seen := at[string(account)]; seen {
			newest.LTs[j] = max(newest.LTs[j], keys.LTs[i])
			continue
		}
		at[string(account)] = len(newest.LTs)
		newest.Accounts, newest.LTs = append(newest.Accounts, account), append(newest.LTs, keys.LTs[i])
	}
	return newest
}

// leave writes rows of the states after transactions that are removed next.
func (d *Dropper) leave(ctx context.Context, tx pgx.Tx, keys sqlbuild.KeyArrays, endLT uint64) error {
	rows, err := tx.Query(ctx, selectLeft, keys.Accounts, keys.LTs, int64(endLT))
	if err != nil {
		return fmt.Errorf("states after transactions: %w", err)
	}
	left, err := ReadAll(ctx, tx, d.Dictionaries, rows, keys.Len())
	if err != nil {
		return fmt.Errorf("states after transactions: %w", err)
	}
	d.Copies.Reset()
	for i := range left {
		state, err := StateAfter(&left[i])
		if err != nil {
			continue // tonql verify reports the row
		}
		WriteState(d.Copies, &state)
	}
	return d.Copies.Send(ctx, tx, "account_states", StoredStateTable)
}
