package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// balanceHistory is a page of an account's transactions, seen as the balances they left.
func (r *Resolver) balanceHistory(ctx context.Context, a chain.Address, args span) (*chain.BalancePointConnection, error) {
	p, err := r.pageOf(chain.TransactionList, args)
	if err != nil {
		return nil, err
	}
	return connectLoaded(ctx, r.Service, p, func(k loaders.PageKey) ([]chain.BalancePoint, error) {
		txs, err := loaders.From(ctx).TransactionsOfAccounts.Load(ctx, loaders.PageOf[chain.Address]{Parent: a, Page: k})()
		points := make([]chain.BalancePoint, len(txs))
		for i := range txs {
			points[i].Transaction = &txs[i]
		}
		return points, err
	})
}

// balanceAfter is the balance that a transaction left; nil when the index does not hold that state.
func balanceAfter(ctx context.Context, t *chain.Transaction) (*uint64, error) {
	state, err := loaders.From(ctx).AccountStateAt.Load(ctx, t.Key())()
	if err != nil || state == nil {
		return nil, err
	}
	return new(uint64(state.Balance)), nil
}

// counted counts what belongs to an account.
func counted(ctx context.Context, a chain.Address, what chain.Counted) (*chain.CappedCount, error) {
	n, err := loaders.From(ctx).Count.Load(ctx, loaders.Chosen[chain.Counted]{Account: a, Choice: what})()
	return &n, err
}
