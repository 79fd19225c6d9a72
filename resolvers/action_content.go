package resolvers

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/loaders"
)

// actionTransactions loads the transactions of an action, oldest first, without those that the index lacks.
func actionTransactions(ctx context.Context, a *chain.Action) ([]*chain.Transaction, error) {
	rows, err := loaders.Many(ctx, loaders.From(ctx).TransactionByHash, a.TxHashes)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(t *chain.Transaction) bool { return t == nil })
	slices.SortFunc(rows, func(x, y *chain.Transaction) int {
		return cmp.Or(cmp.Compare(x.LT, y.LT), x.Account.Compare(y.Account))
	})
	return rows, nil
}
