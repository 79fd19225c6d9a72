package resolvers

import (
	"context"
	"sync"

	"tonql/internal/chain"
)

// blockCache caches blocks by id. The row of an indexed block never changes, so cached rows stay valid. Absent blocks are not
// cached.
type blockCache struct {
	mu         sync.Mutex
	young, old map[chain.BlockID]chain.Block // old is dropped when young is full
}

// halfOfBlocks is the number of blocks in each half of the cache, of about half a kilobyte each.
const halfOfBlocks = 4096

func (c *blockCache) get(id chain.BlockID) (chain.Block, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, ok := c.young[id]; ok {
		return b, true
	}
	b, ok := c.old[id]
	if ok {
		c.keep(b)
	}
	return b, ok
}

func (c *blockCache) put(b chain.Block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(b)
}

func (c *blockCache) keep(b chain.Block) {
	if c.young == nil || len(c.young) >= halfOfBlocks {
		c.young, c.old = make(map[chain.BlockID]chain.Block), c.young
	}
	c.young[b.BlockID] = b
}

// place returns the id of the block that a filter selects; false when the filter has other conditions.
func place(f *chain.BlockFilter, p *chain.Page) (chain.BlockID, bool) {
	if f.Workchain == nil || f.Shard == nil || f.Seqno == nil || p.After != nil || p.Before != nil || p.Offset > 0 {
		return chain.BlockID{}, false
	}
	other := *f
	other.Workchain, other.Shard, other.Seqno = nil, nil, nil
	return chain.BlockID{Workchain: *f.Workchain, Shard: *f.Shard, Seqno: *f.Seqno}, other == chain.BlockFilter{}
}

// blocks lists the blocks that match f. A single block named by its id comes from the cache. A block that is not cached is
// looked up outside the snapshot first, and then in the snapshot.
func (s *Service) blocks(ctx context.Context, f chain.BlockFilter, p chain.Page) ([]chain.Block, error) {
	if boundLT(&f.StartLT, &f.EndLT) || emptyUtime(f.StartUtime, f.EndUtime) {
		return nil, nil
	}
	if id, single := place(&f, &p); single {
		if b, ok := s.finished.get(id); ok {
			return []chain.Block{b}, nil
		}
		b, err := s.index.Block(ctx, id)
		if err != nil {
			return nil, err
		}
		if b != nil {
			s.finished.put(*b)
			return []chain.Block{*b}, nil
		}
	}
	rows, err := s.index.Blocks(ctx, f, p)
	return listed(ctx, s, rows, err, f.EndLT, f.EndUtime)
}
