package access

// CachedKeys returns the number of cached keys that exist, and of those that do not.
func (g *Limiter) CachedKeys() (valid, unknown int) {
	g.keyCache.mu.Lock()
	defer g.keyCache.mu.Unlock()
	return len(g.keyCache.valid), len(g.keyCache.unknown)
}

// Buckets returns the number of buckets.
func (g *Limiter) Buckets() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.buckets)
}
