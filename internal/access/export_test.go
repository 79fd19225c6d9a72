package access

// CachedKeys returns how many keys the gate has cached, and how many that do not exist.
func (g *Limiter) CachedKeys() (valid, unknown int) {
	g.keyCache.mu.Lock()
	defer g.keyCache.mu.Unlock()
	return len(g.keyCache.valid), len(g.keyCache.unknown)
}
