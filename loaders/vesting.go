package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addVestings(index *store.Reader) {
	s.Vesting = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.Vesting, error) {
		rows, err := index.Vestings(ctx, chain.VestingFilter{Contracts: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(v *chain.Vesting) chain.Address { return v.Address })
	})
	s.VestingsOfWallets = Pages(index.VestingsOfWallets)
}
