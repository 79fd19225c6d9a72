package live

import (
	"net/netip"
	"sync"

	"tonql/internal/access"
)

// maxLive bounds all connections that one Clients counts.
const maxLive = 20_000

// addressesOfOwner is the factor by which the connections of one owner of keys may exceed those of one client address.
const addressesOfOwner = 10

// Clients counts live connections by client address and by owner of the API key. Safe for concurrent use.
type Clients struct {
	max int // connections per client address; 0: unlimited

	mu     sync.Mutex
	all    int
	by     map[netip.Addr]int
	owners map[string]int
}

// NewClients allows limit connections of one client address, 0: as many as it likes.
func NewClients(limit int) *Clients {
	return &Clients{max: limit, by: map[netip.Addr]int{}, owners: map[string]int{}}
}

// Enter counts a connection; ok is false when there are too many. owner is the owner of its API key, "" without one. The
// caller must call leave when a counted connection ends.
func (c *Clients) Enter(from netip.Addr, owner string) (leave func(), ok bool) {
	from = access.Site(from)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= maxLive || c.max > 0 && c.by[from] >= c.max || c.full(owner) {
		return nil, false
	}
	c.all++
	c.by[from]++
	c.add(owner, 1)
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.by[from]--; c.by[from] == 0 {
			delete(c.by, from)
		}
		c.add(owner, -1)
	}), true
}

// Own counts a connection, which Enter has counted without an owner, for the owner of a key that arrived later.
func (c *Clients) Own(owner string) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full(owner) {
		return nil, false
	}
	c.add(owner, 1)
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.add(owner, -1)
	}), true
}

func (c *Clients) full(owner string) bool {
	return owner != "" && c.max > 0 && c.owners[owner] >= addressesOfOwner*c.max
}

func (c *Clients) add(owner string, n int) {
	if owner == "" {
		return
	}
	if c.owners[owner] += n; c.owners[owner] == 0 {
		delete(c.owners, owner)
	}
}
