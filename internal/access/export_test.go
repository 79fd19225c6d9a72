package access

// CachedKeys returns how many keys the gate has cached, and how many that do not exist.
func (g *Limiter) CachedKeys() (known, unknown int) {
	g.book.mu.Lock()
	defer g.book.mu.Unlock()
	return len(g.book.known), len(g.book.unknown)
}
