package storetest

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/sqlbuild"
)

// MoveStatesOut gives all states in rows of transactions a row of their own, as versions without the former wrote them.
func MoveStatesOut(t testing.TB, db *store.DB) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	keys := selectedKeys(t, handle, `SELECT account, lt FROM transactions WHERE states IS NOT NULL`)
	states, err := db.Reader().StoredStates(t.Context(), keys)
	require.NoError(t, err)
	require.Len(t, states, len(keys))
	hash := func(h *chain.Hash) []byte {
		if h == nil {
			return nil
		}
		return h[:]
	}
	for i := range states {
		s := &states[i]
		var due *int64
		if s.DuePayment != nil {
			due = new(int64(*s.DuePayment))
		}
		_, err := handle.ExecContext(t.Context(), `INSERT INTO account_states (account, lt, tx_hash, hash, status, balance, extra, code_hash,
			data_hash, frozen_hash, last_paid, due_payment, used_cells, used_bits, rest)
			VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10, $11, $12, $13, $14, $15)`,
			s.Account.Bytes(), int64(s.LT), s.TxHash[:], s.Hash[:], int16(s.Status), int64(s.Balance), sqlbuild.CurrenciesText(s.Extra),
			hash(s.CodeHash), hash(s.DataHash), hash(s.FrozenHash), int64(s.LastPaid), due, int64(s.UsedCells), int64(s.UsedBits), s.Rest)
		require.NoError(t, err)
	}
	_, err = handle.ExecContext(t.Context(), `UPDATE transactions SET states = NULL`)
	require.NoError(t, err)
}

// selectedKeys returns the keys that a query selects.
func selectedKeys(t testing.TB, handle *sql.DB, query string) []chain.TransactionKey {
	t.Helper()
	rows, err := handle.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var keys []chain.TransactionKey
	for rows.Next() {
		var account []byte
		var lt int64
		require.NoError(t, rows.Scan(&account, &lt))
		key := chain.TransactionKey{LT: uint64(lt)}
		sqlbuild.SetAddress(&key.Account, account)
		keys = append(keys, key)
	}
	require.NoError(t, rows.Err())
	return keys
}
