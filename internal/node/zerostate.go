package node

import "tonql/internal/chain"

// Zerostate names the state the network began with, as its configuration says; zero hashes when it does not say.
func (c *Client) Zerostate() chain.BlockIDExt { return c.trust.zerostate }
