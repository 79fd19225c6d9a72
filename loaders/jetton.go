package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addJettons(index *store.Reader) {
	s.JettonMaster = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.JettonMaster, error) {
		rows, err := index.JettonMasters(ctx, chain.JettonMasterFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(m *chain.JettonMaster) chain.Address { return m.Address })
	})
	s.JettonWallet = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.JettonWallet, error) {
		rows, err := index.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(w *chain.JettonWallet) chain.Address { return w.Address })
	})
	s.JettonWalletsOfOwners = chosen(index.JettonWalletsOfOwners)
	s.JettonWalletsOfMasters = chosen(index.JettonWalletsOfMasters)
	s.JettonTransfersOf = chosen(index.JettonTransfersOf)
	s.JettonBurnsOf = chosen(index.JettonBurnsOf)
	s.TokenCounts = Batch(index.TokenCounts)
}
