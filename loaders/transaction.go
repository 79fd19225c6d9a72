package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addTransactions(index *store.Reader) {
	s.TransactionByKey = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.Transaction, error) {
		rows, err := index.TransactionsByKey(ctx, keys)
		return byKey(rows, err, (*chain.Transaction).Key)
	})
	s.TransactionByHash = Batch(func(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*chain.Transaction, error) {
		rows, err := index.TransactionsByHash(ctx, hashes)
		return byKey(rows, err, func(t *chain.Transaction) chain.Hash { return t.Hash })
	})
	s.TransactionsOfAccounts = Pages(index.TransactionsOfAccounts)
	s.TransactionsOfBlocks = Pages(index.TransactionsOfBlocks)
	s.TransactionBOC = Batch(index.TransactionBOCs)
}
