package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addNFTs(index *store.Reader) {
	s.NFTCollection = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.NFTCollection, error) {
		rows, err := index.NFTCollections(ctx, chain.NFTCollectionFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(c *chain.NFTCollection) chain.Address { return c.Address })
	})
	s.NFTItem = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.NFTItem, error) {
		rows, err := index.NFTItems(ctx, chain.NFTItemFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(i *chain.NFTItem) chain.Address { return i.Address })
	})
	s.NFTSale = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.NFTSale, error) {
		rows, err := index.NFTSales(ctx, addresses)
		return byKey(rows, err, func(s *chain.NFTSale) chain.Address { return s.Address })
	})
	s.NFTItemsOfOwners = Pages(index.NFTItemsOfOwners)
	s.NFTItemsOfCollections = Pages(index.NFTItemsOfCollections)
	s.NFTTransfersOf = chosen(index.NFTTransfersOf)
}
