package node

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Sizes of what the client keeps at hand.
const (
	topsCacheSize       = 4096    // masterchain blocks whose shards are remembered
	committedCacheSize  = 1 << 15 // shard blocks whose masterchain block is remembered
	zerostatesCacheSize = 4
)

// Client reads and commands one network. It implements [chain.Source] and [chain.Node] and is safe for concurrent use.
type Client struct {
	pool  *Pool
	trust *trust

	tops       *lru.Cache[chain.Hash, []chain.BlockIDExt] // by root hash of a masterchain block; the slices are never changed
	committed  *lru.Cache[chain.Hash, uint32]             // masterchain seqno by root hash of a shard block
	zerostates *lru.Cache[chain.Hash, *cell.Cell]         // by root hash
}

var (
	_ chain.Source = (*Client)(nil)
	_ chain.Node   = (*Client)(nil)
)

// Open reads the network's configuration and starts to connect. It returns once a liteserver has proven its head, or all
// have failed once; that none can be used yet is no error of Open. ctx bounds the opening only; Close ends the client.
func Open(ctx context.Context, o Options) (*Client, error) {
	o = o.withDefaults()
	n, err := readNetwork(ctx, o)
	if err != nil {
		return nil, err
	}
	m, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, fmt.Errorf("metrics of the node client: %w", err)
	}
	c := &Client{trust: newTrust(n, o.Proofs, newTrustFile(o.TrustFile, o.Proofs, o.Logger))}
	c.tops, _ = lru.New[chain.Hash, []chain.BlockIDExt](topsCacheSize) // errs only for a size of 0, as the next two
	c.committed, _ = lru.New[chain.Hash, uint32](committedCacheSize)
	c.zerostates, _ = lru.New[chain.Hash, *cell.Cell](zerostatesCacheSize)
	c.pool = newPool(n.endpoints, c.trust, m, o)

	wait, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	c.pool.settled(wait)
	return c, nil
}

// Close drops the connections, keeps what was proven for the next run, and returns when every goroutine has ended.
func (c *Client) Close() {
	c.pool.close()
	c.trust.close()
}

// States tells how the client sees each liteserver of the configuration, in its order.
func (c *Client) States() []chain.ServerState { return c.pool.States() }

// Head is the newest masterchain block that a liteserver has proven; Unavailable while none can be used.
func (c *Client) Head(context.Context) (chain.BlockIDExt, error) {
	id, proven, _ := c.pool.head.now()
	w := want{what: "head"}
	if !proven || len(c.pool.order(w)) == 0 {
		return chain.BlockIDExt{}, c.pool.unavailable(w, nil)
	}
	return id, nil
}

// Wait returns the head once it has reached seqno. While no liteserver can be used it goes on waiting, for one may heal.
func (c *Client) Wait(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	for {
		id, proven, changed := c.pool.head.now()
		if proven && id.Seqno >= seqno {
			return id, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return chain.BlockIDExt{}, fmt.Errorf("masterchain block %d: %w", seqno, ctx.Err())
		}
	}
}

// Zerostate names the state the network began with, as its configuration says; zero hashes when it does not say.
func (c *Client) Zerostate() chain.BlockIDExt { return c.trust.zerostate }
