package traces

import (
	"context"

	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// Reader reads traces and actions from the index. It is safe for concurrent use when its source is.
// Lists without matching rows are empty. Rows looked up by key come in any order, and missing rows are left out.
type Reader struct {
	pool         sqlbuild.Source
	keys         *AccountKeys
	transactions transactions.Reader
	unchanging   func() sqlbuild.Queryer
	dictionaries *dictionary.Cache
}

// NewReader returns a Reader over a pool or a snapshot. keys is the state of its database; txs reads transactions from the same
// source. unchanging returns the source of rows that never change, and dictionaries are those of the database, with which details of
// actions are compressed.
func NewReader(pool sqlbuild.Source, keys *AccountKeys, txs transactions.Reader, unchanging func() sqlbuild.Queryer, dictionaries *dictionary.Cache) Reader {
	return Reader{pool: pool, keys: keys, transactions: txs, unchanging: unchanging, dictionaries: dictionaries}
}

// lists returns how lists of an account are read. While the entries are not complete, this takes a query.
func (r *Reader) lists(ctx context.Context) (*AccountLists, error) {
	complete, err := r.keys.complete(ctx, r.pool)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "state of the index", err)
	}
	return &AccountLists{keys: r.keys, replaced: !complete}, nil
}
