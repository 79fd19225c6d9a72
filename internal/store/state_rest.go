package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

var selectStoredStates = `SELECT ` + transactions.StateColumns + `, s.rest FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN account_states s ON s.account = k.account AND s.lt = k.lt`

// StoredStates finds the states of accounts after transactions, with everything that is stored of them.
func (r *Reader) StoredStates(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := transactions.TransactionKeys(sqlbuild.Unique(keys))
	return sqlbuild.Collect(ctx, r.pool, "account states", len(keys), transactions.ScanStoredState, selectStoredStates, k.Accounts, k.LTs)
}
