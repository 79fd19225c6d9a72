package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addNames(index *store.Reader) {
	s.AddressBook = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.AddressBookRow, error) {
		rows, err := index.AddressBook(ctx, addresses)
		return byKey(rows, err, func(r *chain.AddressBookRow) chain.Address { return r.Address })
	})
	s.Metadata = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address][]chain.Metadata, error) {
		rows, err := index.Metadata(ctx, addresses)
		if err != nil {
			return nil, err
		}
		found := make(map[chain.Address][]chain.Metadata, len(addresses))
		for i := range rows {
			found[rows[i].Address] = append(found[rows[i].Address], rows[i])
		}
		return found, nil
	})
}
