package traces

// Read returns of how many traces the keys of transactions were read.
func (p *TracePage) Read() int { return len(p.nodes) }
