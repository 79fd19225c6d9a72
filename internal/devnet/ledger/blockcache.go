package ledger

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// blockCache keeps recently used blocks. It is bounded by their size, because a
// parsed block takes about five times its BoC and full blocks are large.
type blockCache struct {
	mu     sync.Mutex
	budget int // bytes of BoC
	size   int
	lru    *simplelru.LRU[blockKey, *Block]
}

const (
	cachedBlocks     = 1024
	cachedBlockBytes = 6 << 20 // of BoC; some 30 MiB of memory
)

func newBlockCache(budget int) (*blockCache, error) {
	c := &blockCache{budget: budget}
	var err error
	c.lru, err = simplelru.NewLRU(cachedBlocks, func(_ blockKey, b *Block) { c.size -= len(b.Data) })
	return c, err
}

func (c *blockCache) get(k blockKey) (*Block, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Get(k)
}

// add keeps a block; of one larger than the whole budget nothing is kept.
func (c *blockCache) add(b *Block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(keyOf(b.ID))
	c.size += len(b.Data)
	c.lru.Add(keyOf(b.ID), b)
	for c.size > c.budget {
		if _, _, ok := c.lru.RemoveOldest(); !ok {
			return
		}
	}
}
