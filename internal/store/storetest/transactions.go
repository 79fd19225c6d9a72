package storetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// FullOf returns the transactions of blocks as the index has them, in the order of LTs and accounts, without states around them.
func FullOf(tb testing.TB, db *store.DB, blocks []*chain.MasterBlock) []chain.FullTransaction {
	tb.Helper()
	var keys []chain.TransactionKey
	for _, mb := range blocks {
		keys = append(keys, KeysOf(mb.Transactions)...)
	}
	txs, err := db.Reader().TransactionsByKey(tb.Context(), keys)
	require.NoError(tb, err)
	slices.SortFunc(txs, func(a, b chain.Transaction) int {
		if a.LT != b.LT {
			return int(int64(a.LT) - int64(b.LT))
		}
		return a.Account.Compare(b.Account)
	})
	full, err := db.Reader().Full(tb.Context(), txs)
	require.NoError(tb, err)
	for i := range full {
		full[i].States = nil // the form of the row
	}
	return full
}
