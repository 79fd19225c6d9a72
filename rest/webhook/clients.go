package webhook

import (
	"sync"

	"tonql/internal/outbound"
)

// clients are the HTTP clients of merchants. Each merchant has one, so that merchants share no connection and do not wait
// for each other, even when their receivers are on the same host.
type clients struct {
	options Options

	mu         sync.Mutex
	byMerchant map[int64]*outbound.Client
}

// of returns the client of a merchant.
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

// close closes idle connections.
func (c *clients) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, client := range c.byMerchant {
		client.Close()
	}
}
