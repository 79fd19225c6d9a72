package ledger

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// blockCache caches recently used blocks. Their size limits it, because a parsed block
// takes about seven times the memory of its BoC and full blocks are large.
type blockCache struct {
	mu     sync.Mutex
	budget int // bytes of BoC
	size   int
	lru    *simplelru.LRU[blockKey, *Block]
}

const (
	cachedBlocks     = 1024
	cachedBlockBytes = 3 << 20 // of BoC; some 21 MiB of memory
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

// add caches a block unless it is larger than the budget.
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
