package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
)

func (s *Set) addBlocks(index *store.Reader) {
	s.BlockByID = Batch(func(ctx context.Context, ids []chain.BlockID) (map[chain.BlockID]*chain.Block, error) {
		rows, err := index.BlocksByID(ctx, ids)
		return byKey(rows, err, func(b *chain.Block) chain.BlockID { return b.BlockID })
	})
	s.BlocksOfMasterchain = Batch(index.BlocksOfMasterchain)
}
