package emulate

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// Bounds of the cache of full blocks: clients read the pages of one block one after the other.
const (
	maxFullBlocks     = 16
	maxFullBlockBytes = 64 << 20 // in memory; one block may have a quarter
)

// FullBlock is a block that the node served and the indexer's decoder read. It is shared and read-only. Block.McSeqno is 0:
// the masterchain block that committed it is not looked up.
type FullBlock struct {
	Block        chain.Block
	Parents      []chain.BlockIDExt
	Transactions []decode.Single // by account id, then LT
}

// FullBlock reads a block from the node, which must not be nil.
func (x *Emulator) FullBlock(ctx context.Context, id chain.BlockIDExt) (*FullBlock, error) {
	if b, ok := x.fullBlocks.Get(id.RootHash); ok {
		return b, nil
	}
	return Shared(ctx, &x.calls, "block "+id.String(), func(ctx context.Context) (*FullBlock, error) {
		raw, err := x.node.Block(ctx, id)
		if err != nil {
			return nil, err
		}
		header, list, err := decode.Block(raw)
		if err != nil {
			return nil, err
		}
		size, weighed := 0, Weighing{}
		for i := range list {
			size += weighed.bag(list[i].BOC) + weighed.Transaction(&list[i].FullTransaction)
		}
		b := &FullBlock{Block: header.Block, Parents: header.Parents, Transactions: list}
		x.fullBlocks.Add(id.RootHash, b, size)
		return b, nil
	})
}

// BlockData reads a block in bytes from the node, which must not be nil, once for all that request it at the same time.
func (x *Emulator) BlockData(ctx context.Context, id chain.BlockIDExt) (chain.BOC, error) {
	return Shared(ctx, &x.calls, "data of block "+id.String(), func(ctx context.Context) (chain.BOC, error) { return x.node.BlockData(ctx, id) })
}

// viewFromNode returns the View of a masterchain block outside the index.
func (x *Emulator) viewFromNode(ctx context.Context, seqno uint32) (*View, error) {
	id, err := x.node.MasterBlockID(ctx, seqno)
	if err != nil {
		return nil, err
	}
	tops, err := x.node.Shards(ctx, id)
	if err != nil {
		return nil, err
	}
	tops = slices.DeleteFunc(tops, func(top chain.BlockIDExt) bool { return top.Seqno == 0 })
	v := &View{Shards: make([]chain.Block, 1+len(tops)), FromNode: true}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i, id := range append(tops, id) {
		group.Go(func() (err error) {
			defer chain.Recover(&err)
			b, err := x.FullBlock(ctx, id)
			if err == nil {
				v.Shards[i] = b.Block
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("masterchain block %d: %w", seqno, err)
	}
	v.Master = v.Shards[len(tops)]
	return v, nil
}

// StateRoot returns the root hash of the state after a masterchain block; the zero hash without a node.
func (x *Emulator) StateRoot(ctx context.Context, id chain.BlockIDExt) (chain.Hash, error) {
	if x.node == nil {
		return chain.Hash{}, nil
	}
	if root, ok := x.roots.Get(id.RootHash); ok {
		return root, nil
	}
	return Shared(ctx, &x.calls, "state root "+id.String(), func(ctx context.Context) (chain.Hash, error) {
		root, err := x.node.StateRoot(ctx, id)
		if err == nil {
			x.roots.Add(id.RootHash, root)
		}
		return root, err
	})
}
