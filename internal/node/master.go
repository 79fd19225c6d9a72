package node

import (
	"context"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/ton"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
)

// maxShardBlocks bounds how many shard blocks one masterchain block may bring in. Mainnet's busiest brought in some
// hundreds; every step is proven, so only a broken network could exceed it.
const maxShardBlocks = 1 << 16

// MasterBlockID returns the id of a masterchain block, from the cache or by a lookup that it proves.
func (c *Client) MasterBlockID(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	if id, ok := c.trust.proven(seqno); ok {
		return id, nil
	}
	head, err := c.Head(ctx)
	if err != nil {
		return chain.BlockIDExt{}, err
	}
	if seqno > head.Seqno {
		return chain.BlockIDExt{}, chain.NotFoundf("masterchain block %d does not exist yet; the newest is %d", seqno, head.Seqno)
	}
	if seqno == 0 {
		return chain.BlockIDExt{}, chain.NotFoundf("the network's zerostate is not known: the global config does not name it")
	}
	w := want{what: fmt.Sprintf("id of masterchain block %d", seqno), seqno: seqno}
	claims := &claims{}
	id, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) (chain.BlockIDExt, error) {
		found, err := call[ton.BlockHeader](ctx, s, ton.LookupBlock{Mode: 1, ID: &ton.BlockInfoShort{
			Workchain: chain.MasterchainID, Shard: -1 << 63, Seqno: int32(seqno),
		}})
		if err != nil {
			return chain.BlockIDExt{}, err
		}
		id := fromTL(found.ID)
		if id.BlockID != master(seqno) {
			return id, lie(nil, "looked up masterchain block %d and found %s", seqno, id.BlockID)
		}
		err = c.trust.prove(ctx, s, id)
		claims.note(s, id, err)
		return id, err
	})
	if err != nil {
		return chain.BlockIDExt{}, err
	}
	claims.settle(w, id)
	return id, nil
}

// MasterBlock fetches a masterchain block and every shard block that is in its shard hashes' history but not in that of
// the masterchain block before.
func (c *Client) MasterBlock(ctx context.Context, seqno uint32) (*chain.RawMasterBlock, error) {
	id, err := c.MasterBlockID(ctx, seqno)
	if err != nil {
		return nil, err
	}
	if seqno == 0 {
		return nil, chain.NotFoundf("there is no block 0: the chain begins with a zerostate")
	}
	top, err := c.block(ctx, id, seqno)
	if err != nil {
		return nil, err
	}
	if len(top.parents) != 1 {
		return nil, fmt.Errorf("masterchain block %d names %d previous blocks", seqno, len(top.parents))
	}
	before := top.parents[0]
	if proven, err := c.trust.agrees(before); err != nil {
		return nil, fmt.Errorf("masterchain block %d does not follow the proven block %d: %w", seqno, before.Seqno, err)
	} else if !proven {
		c.trust.remember(before) // a proven block proves its predecessor
	}
	c.tops.Add(id.RootHash, top.tops)

	old, err := c.topsAfter(ctx, before)
	if err != nil {
		return nil, err
	}
	shards, err := c.newShardBlocks(ctx, seqno, top.tops, old)
	if err != nil {
		return nil, fmt.Errorf("shard blocks of masterchain block %d: %w", seqno, err)
	}
	return &chain.RawMasterBlock{
		Master: chain.RawBlock{ID: id, Root: top.root},
		Shards: shards,
		Top:    append([]chain.BlockIDExt(nil), top.tops...),
	}, nil
}

// walk collects shard blocks from the newest ones back to the ones committed earlier, all branches in parallel.
type walk struct {
	c       *Client
	mcSeqno uint32
	old     map[chain.BlockIDExt]bool
	group   *errgroup.Group

	mu     sync.Mutex
	seen   map[chain.BlockIDExt]bool // requested or fetched; two children of a split share their parent
	blocks []chain.RawBlock
}

// newShardBlocks walks from tops through the blocks they follow, across splits and merges, and stops at the blocks in
// old and at zerostates.
func (c *Client) newShardBlocks(ctx context.Context, mcSeqno uint32, tops, old []chain.BlockIDExt) ([]chain.RawBlock, error) {
	group, ctx := errgroup.WithContext(ctx)
	w := &walk{c: c, mcSeqno: mcSeqno, old: map[chain.BlockIDExt]bool{}, group: group, seen: map[chain.BlockIDExt]bool{}}
	for _, id := range old {
		w.old[id] = true
	}
	floor := lowest(old)
	for _, id := range tops {
		w.visit(ctx, id, floor)
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	sortParentsFirst(w.blocks)
	return w.blocks, nil
}

// lowest is the smallest seqno among the shards of each workchain: nothing below it can be new.
func lowest(old []chain.BlockIDExt) map[int32]uint32 {
	floor := map[int32]uint32{}
	for _, id := range old {
		if low, ok := floor[id.Workchain]; !ok || id.Seqno < low {
			floor[id.Workchain] = id.Seqno
		}
	}
	return floor
}

// visit fetches id and then its parents, except visited and old ones.
func (w *walk) visit(ctx context.Context, id chain.BlockIDExt, floor map[int32]uint32) {
	if id.Seqno == 0 || w.old[id] {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[id] {
		return
	}
	w.seen[id] = true
	if count := len(w.seen); count > maxShardBlocks || id.Seqno <= floor[id.Workchain] {
		w.group.Go(func() error {
			return fmt.Errorf("block %s lies before the shards of masterchain block %d", id, w.mcSeqno-1)
		})
		return
	}
	w.c.committed.Add(id.RootHash, w.mcSeqno)
	w.group.Go(func() error {
		b, err := w.c.block(ctx, id, w.mcSeqno)
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.blocks = append(w.blocks, chain.RawBlock{ID: b.id, Root: b.root})
		w.mu.Unlock()
		for _, parent := range b.parents {
			w.visit(ctx, parent, floor)
		}
		return nil
	})
}
