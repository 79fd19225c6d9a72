package webhook

import (
	"sync"

	"tonql/internal/outbound"
)

// clients talk to receivers. Each merchant has one: no connection is shared between merchants, and none waits for
// another's, also when their receivers are at the same host.
type clients struct {
	options Options

	mu         sync.Mutex
	byMerchant map[int64]*outbound.Client
}

// of is the client of a merchant.
func (c *clients) of(merchant int64) *outbound.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	client := c.byMerchant[merchant]
	if client == nil {
		client = NewClient(c.options)
		c.byMerchant[merchant] = client
	}
	return client
}

// close drops the connections that are kept.
func (c *clients) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, client := range c.byMerchant {
		client.Close()
	}
}
