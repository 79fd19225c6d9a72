package transactions

import (
	"context"

	"tonql/internal/chain"
)

// TransactionsOfFrequentMessages is [Reader.Transactions] as if many messages matched every condition of f on them.
func (r *Reader) TransactionsOfFrequentMessages(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	q, ok := OfMessages(&f)
	if !ok {
		return nil, nil
	}
	if err := r.ChooseWalk(ctx, &f, q); err != nil {
		return nil, err
	}
	q.few = false
	return r.transactionsOf(ctx, q, &f, p)
}
