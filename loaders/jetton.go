package loaders

import (
	"context"

	"tonql/internal/chain"
)

func (s *Set) addJettons(index Index) {
	s.JettonMaster = batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.JettonMaster, error) {
		rows, err := index.JettonMasters(ctx, chain.JettonMasterFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(m *chain.JettonMaster) chain.Address { return m.Address })
	})
}
