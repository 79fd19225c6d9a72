package graphql

import (
	"net/netip"
	"sync"

	"tonql/internal/access"
)

// mostLive bounds all live connections of this process.
const mostLive = 20_000

// clients counts live connections by the address they come from.
type clients struct {
	most int // of one address

	mu  sync.Mutex
	all int
	by  map[netip.Addr]int
}

func newClients(most int) *clients { return &clients{most: most, by: map[netip.Addr]int{}} }

// enter counts a connection; false when there are too many. Leave must be called for each that was counted.
func (c *clients) enter(from netip.Addr) (leave func(), ok bool) {
	from = site(from)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= mostLive || c.most > 0 && c.by[from] >= c.most {
		return nil, false
	}
	c.all++
	c.by[from]++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.by[from]--; c.by[from] == 0 {
			delete(c.by, from)
		}
	}), true
}

// site is the address that stands for a client: in IPv6 its network's, since one client has many.
func site(a netip.Addr) netip.Addr { return access.Site(a) }
