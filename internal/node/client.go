package node

import (
	"context"
	"fmt"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Sizes of the client's caches, in entries.
const (
	topsCacheSize       = 4096    // shards of masterchain blocks
	committedCacheSize  = 1 << 15 // masterchain seqnos of shard blocks
	zerostatesCacheSize = 4
	statesCacheSize     = 1024 // state hashes of blocks
)

// Client reads one network and sends messages to it. It implements [chain.Source] and [chain.Node] and is safe for
// concurrent use.
type Client struct {
	pool  *Pool
	trust *trust

	tops       *lru.Cache[chain.Hash, []chain.BlockIDExt] // by root hash of a masterchain block; the slices are never changed
	committed  *lru.Cache[chain.Hash, uint32]             // masterchain seqno by root hash of a shard block
	zerostates *lru.Cache[chain.Hash, *cell.Cell]         // by root hash
	states     stateHashes
}

var (
	_ chain.Source = (*Client)(nil)
	_ chain.Node   = (*Client)(nil)
)

// Open reads the network's configuration and connects. It returns once a liteserver has proven its head, or all have
// failed once; it is no error when none is usable yet. ctx bounds Open only; Close ends the client.
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
	c := &Client{trust: newTrust(n, o)}
	c.tops, _ = lru.New[chain.Hash, []chain.BlockIDExt](topsCacheSize) // errs only for a size of 0, as the next two
	c.committed, _ = lru.New[chain.Hash, uint32](committedCacheSize)
	c.zerostates, _ = lru.New[chain.Hash, *cell.Cell](zerostatesCacheSize)
	c.states = newStateHashes()
	c.pool = newPool(n.endpoints, c.trust, m, o)

	wait, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	c.pool.settled(wait)
	return c, nil
}

// Close drops the connections, saves the proven blocks for the next run, and returns when every goroutine has ended.
func (c *Client) Close() {
	c.pool.close()
	c.trust.close()
}

// States returns the state of each liteserver, in the order of the configuration.
func (c *Client) States() []chain.ServerState { return c.pool.States() }

// Head returns the newest masterchain block that a liteserver has proven, or an error of kind Unavailable while no
// liteserver is usable.
func (c *Client) Head(context.Context) (chain.BlockIDExt, error) {
	id, proven, _ := c.pool.head.now()
	w := want{what: "head"}
	if !proven || !slices.ContainsFunc(c.pool.servers, (*server).isUsable) {
		return chain.BlockIDExt{}, c.pool.unavailable(w, nil)
	}
	return id, nil
}

// Wait returns the head once it has reached seqno. It keeps waiting while no liteserver is usable, because one may
// recover.
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

// Zerostate returns the id of the network's first state from its configuration; its hashes are zero when the
// configuration does not name it.
func (c *Client) Zerostate() chain.BlockIDExt { return c.trust.zerostate }
