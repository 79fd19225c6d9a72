package loaders

import (
	"context"

	"tonql/internal/chain"
)

func (s *Set) addHistory(index Index) {
	s.JettonBalancesOf = Pages(index.JettonBalancesOf)
	s.NFTOwnersOf = Pages(index.NFTOwnersOf)
	s.Count = Batch(func(ctx context.Context, keys []Chosen[chain.Counted]) (map[Chosen[chain.Counted]]chain.CappedCount, error) {
		found := make(map[Chosen[chain.Counted]]chain.CappedCount, len(keys))
		for _, group := range groupBy(keys, func(k Chosen[chain.Counted]) chain.Counted { return k.Choice }) {
			accounts := make([]chain.Address, len(group))
			for i, k := range group {
				accounts[i] = k.Account
			}
			counts, err := index.Counts(ctx, accounts, group[0].Choice)
			if err != nil {
				return nil, err
			}
			for _, k := range group {
				found[k] = counts[k.Account]
			}
		}
		return found, nil
	})
	s.Mismatch = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.ReplayMismatch, error) {
		rows, err := index.MismatchesByKey(ctx, keys)
		return byKey(rows, err, func(m *chain.ReplayMismatch) chain.TransactionKey { return m.TransactionKey })
	})
	s.Unverified = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.UnverifiedTransaction, error) {
		rows, err := index.UnverifiedByKey(ctx, keys)
		return byKey(rows, err, func(t *chain.UnverifiedTransaction) chain.TransactionKey { return t.TransactionKey })
	})
}
