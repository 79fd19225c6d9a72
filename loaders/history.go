package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addHistory(index *store.Reader) {
	s.JettonBalancesOf = Pages(index.JettonBalancesOf)
	s.NFTOwnersOf = Pages(index.NFTOwnersOf)
	s.Count = Batch(grouped(Chosen[chain.Counted].split, index.Counts))
	s.Mismatch = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.ReplayMismatch, error) {
		rows, err := index.MismatchesByKey(ctx, keys)
		return byKey(rows, err, func(m *chain.ReplayMismatch) chain.TransactionKey { return m.TransactionKey })
	})
	s.Unverified = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.UnverifiedTransaction, error) {
		rows, err := index.UnverifiedByKey(ctx, keys)
		return byKey(rows, err, func(t *chain.UnverifiedTransaction) chain.TransactionKey { return t.TransactionKey })
	})
}
