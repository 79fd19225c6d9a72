package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addAccounts(index *store.Reader) {
	s.AccountState = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.AccountState, error) {
		rows, err := index.AccountStates(ctx, chain.AccountFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(a *chain.AccountState) chain.Address { return a.Account })
	})
	s.AccountStateAt = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.AccountState, error) {
		rows, err := index.AccountStatesAt(ctx, keys)
		return byKey(rows, err, func(a *chain.AccountState) chain.TransactionKey {
			return chain.TransactionKey{Account: a.Account, LT: a.LT}
		})
	})
	s.Cell = Batch(index.Cells)
}
