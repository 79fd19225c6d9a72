package graphql

import (
	"net/netip"
	"sync"

	"tonql/internal/access"
)

// maxLive bounds all live connections of this process.
const maxLive = 20_000

// addressesOfOwner is how many times the connections of one address the keys of one owner may have, from all addresses.
const addressesOfOwner = 10

// clients counts live connections by the address they come from, and by the owner of their key.
type clients struct {
	most int // of one address; 0: unlimited

	mu     sync.Mutex
	all    int
	by     map[netip.Addr]int
	owners map[string]int
}

func newClients(most int) *clients {
	return &clients{most: most, by: map[netip.Addr]int{}, owners: map[string]int{}}
}

// enter counts a connection; false when there are too many. Owner is that of its key, "" without one. Leave must be called
// for each that was counted.
func (c *clients) enter(from netip.Addr, owner string) (leave func(), ok bool) {
	from = access.Site(from)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= maxLive || c.most > 0 && c.by[from] >= c.most || c.full(owner) {
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

// own counts a connection that was counted already for the owner of a key that came later.
func (c *clients) own(owner string) (leave func(), ok bool) {
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

func (c *clients) full(owner string) bool {
	return owner != "" && c.most > 0 && c.owners[owner] >= addressesOfOwner*c.most
}

func (c *clients) add(owner string, n int) {
	if owner == "" {
		return
	}
	if c.owners[owner] += n; c.owners[owner] == 0 {
		delete(c.owners, owner)
	}
}
