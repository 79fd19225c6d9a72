package live

import (
	"context"
	"sync"
)

// Connections counts the live connections. Unlike those of a WaitGroup, others may begin while their end is awaited: clients connect until
// the server has closed its listener.
type Connections struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when there are none; nil if nobody waits
}

// Enter begins a connection, which ends with Leave.
func (c *Connections) Enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// Leave ends a connection.
func (c *Connections) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// Wait waits until there are no connections, or until ctx ends, whose error it returns.
func (c *Connections) Wait(ctx context.Context) error {
	c.mu.Lock()
	if c.n == 0 {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the caller's own
	}
}
