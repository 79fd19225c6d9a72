package handler

import "context"

// Allocation is what something of a client takes of a [ClientMemory] for as long as it lasts, such as the filters of a live connection, whose size
// changes. It belongs to one goroutine at a time.
type Allocation struct {
	memory  *ClientMemory
	clients []any
	size    int64
}

// Allocation returns an allocation of nothing for the client of the request that ctx belongs to.
func (m *ClientMemory) Allocation(ctx context.Context) *Allocation {
	return &Allocation{memory: m, clients: clientsOf(ctx)}
}

// Resize makes the allocation size bytes long; 0 returns all of it. It changes nothing where it fails, which only a larger size does. What is longer than
// the share of a client takes all of it.
func (a *Allocation) Resize(size int) error {
	n := min(int64(size), maxUnsentOfClient)
	if n > a.size {
		if err := a.memory.take(n-a.size, a.clients); err != nil {
			return err
		}
	} else {
		a.memory.release(a.size-n, a.clients)
	}
	a.size = n
	return nil
}

// Taken returns the bytes that all clients take.
func (m *ClientMemory) Taken() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all
}
