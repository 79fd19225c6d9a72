package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var selectTransactionsOfMasterchain = `SELECT ` + transactionColumns + ` FROM (SELECT t.* FROM transactions t
	WHERE t.mc_seqno BETWEEN $1 AND $2 OFFSET 0) t ORDER BY t.mc_seqno, t.lt, t.account`

// TransactionsOfMasterchain lists all transactions that a run of masterchain blocks committed, by masterchain seqno, LT
// and account.
func (r *Reader) TransactionsOfMasterchain(ctx context.Context, within chain.SeqnoRange) ([]chain.Transaction, error) {
	const expected = 64 // transactions of one or few masterchain blocks
	return sqlbuild.Collect(ctx, r.pool, "transactions of masterchain blocks", expected, scanTransaction, selectTransactionsOfMasterchain,
		int64(within.First), int64(within.Last))
}

// AccountsOfTraces lists, for each trace, the accounts of its transactions by LT; one that has several transactions comes
// several times. A trace that is too large to be shown has none.
func (r *Reader) AccountsOfTraces(ctx context.Context, traces []chain.Trace) (map[chain.Hash][]chain.Address, error) {
	nodes, err := r.nodes(ctx, traces)
	if err != nil {
		return nil, err
	}
	found := make(map[chain.Hash][]chain.Address, len(nodes))
	for id, keys := range nodes {
		accounts := make([]chain.Address, len(keys))
		for i := range keys {
			accounts[i] = keys[i].Account
		}
		found[id] = accounts
	}
	return found, nil
}
