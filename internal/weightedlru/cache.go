// Package weightedlru is a cache of the most recently used entries that is bounded by their total weight, usually bytes,
// besides their number. Whatever untrusted input can make large is cached here and not in a cache bounded by number alone.
package weightedlru

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu        sync.Mutex
	maxWeight int
	weight    int
	entries   *simplelru.LRU[K, entry[V]]
}

type entry[V any] struct {
	value  V
	weight int
}

// New returns an empty cache of at most maxEntries entries that weigh at most maxWeight together. Both must be positive.
func New[K comparable, V any](maxEntries, maxWeight int) *Cache[K, V] {
	c := &Cache[K, V]{maxWeight: maxWeight}
	entries, err := simplelru.NewLRU(maxEntries, func(_ K, e entry[V]) { c.weight -= e.weight })
	if err != nil {
		panic(err) //nolint:forbidigo // the sizes are constants above zero
	}
	c.entries = entries
	return c
}

// Add caches a value and evicts the least recently used ones until the bounds hold. A value that weighs more than a
// quarter of the maximum is not cached, so that one cannot evict all others.
func (c *Cache[K, V]) Add(key K, value V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
	weight = max(weight, 1)
	if weight > c.maxWeight/4 {
		return
	}
	c.weight += weight
	c.entries.Add(key, entry[V]{value, weight})
	for c.weight > c.maxWeight {
		c.entries.RemoveOldest()
	}
}

// Get returns the value of a key and marks it as used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(key)
	return e.value, ok
}

// Remove forgets a key.
func (c *Cache[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
}

// Purge forgets everything.
func (c *Cache[K, V]) Purge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Purge()
}

// Size returns how many entries there are and what they weigh.
func (c *Cache[K, V]) Size() (entries, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries.Len(), c.weight
}
