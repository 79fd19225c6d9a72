package ledger

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/archive"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

const (
	// DefaultGlobalID differs from the ids of all public networks.
	DefaultGlobalID = -777
	// DefaultKeepStates is the number of rounds whose states stay in memory.
	DefaultKeepStates = 64
	// DefaultMaxBlockTxs limits the transactions of a block.
	DefaultMaxBlockTxs = 2000
	// DefaultMempool limits the waiting external messages.
	DefaultMempool = 20_000
)

var errClosed = &chain.Error{Kind: chain.Unavailable, Message: "the local chain is closed"}

// Options configure a chain. Those marked * are fixed when the chain is created: a stored
// chain keeps its values, and Open fails with another seed or global id.
type Options struct {
	Dir         string              // archive folder; empty = memory only
	Seed        [32]byte            // * block seeds and all keys derive from it
	Clock       func() uint32       // unix time; nil = wall clock
	GlobalID    int32               // * 0 = DefaultGlobalID
	Consensus   genesis.Consensus   // * of the zerostates; empty = genesis.Simplex
	GenesisTime uint32              // * unix time of the zerostates; 0 = Clock()
	Genesis     []genesis.Account   // * accounts of the zerostates
	DNSRoot     *address.Address    // * config parameter 4; nil = absent
	Minter      *address.Address    // * config parameter 2; nil = genesis.MinterAddress
	Mint        map[uint32]*big.Int // * extra currencies to mint, config parameter 7
	// GlobalVersion * is the protocol version; 0 = genesis.DefaultGlobalVersion.
	GlobalVersion uint32
	Special       []*address.Address // * fundamental contracts besides those that tick or tock
	InitialSplit  int                // split depth of the basechain after its first rounds
	// DeferAfter is the number of messages of an account in a block from which on they are
	// deferred; 0 = DefaultDeferAfter, negative = none is. DeferExempt lists accounts
	// whose messages are not deferred.
	DeferAfter  int
	DeferExempt []*address.Address
	ShardBlocks int // blocks that each shard makes in a round; 0 = 1, at most MaxShardBlocks
	KeepStates  int // rounds whose states stay in memory; 0 = DefaultKeepStates
	MaxBlockTxs int // transactions in a block; 0 = DefaultMaxBlockTxs
	Mempool     int // waiting externals; 0 = DefaultMempool
}

func (o *Options) fill() {
	if o.Clock == nil {
		o.Clock = func() uint32 { return uint32(time.Now().Unix()) }
	}
	setDefault(&o.GlobalID, DefaultGlobalID)
	setDefault(&o.ShardBlocks, 1)
	setDefault(&o.DeferAfter, DefaultDeferAfter)
	o.DeferAfter = max(o.DeferAfter, 0)
	setDefault(&o.Consensus, genesis.Simplex)
	setDefault(&o.KeepStates, DefaultKeepStates)
	setDefault(&o.MaxBlockTxs, DefaultMaxBlockTxs)
	setDefault(&o.Mempool, DefaultMempool)
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// Chain is a running local chain. All methods are safe for concurrent use; readers do not
// wait while a block is made.
type Chain struct {
	opts Options
	key  ed25519.PrivateKey            // of the first validator, who creates the blocks
	keys map[string]ed25519.PrivateKey // of all validators, by public key
	zero genesis.Zerostates
	arch *archive.Archive
	pool *mempool

	mining     sync.Mutex // held through a round; taken before mu
	due        snapshotDue
	rebuilding sync.Mutex // held while old states are rebuilt; taken before mu

	mu       sync.RWMutex // guards the fields below
	closed   bool
	head     *Block // nil before the first round
	ref      *reference
	tips     []*tip // shards from left to right
	mcTip    *tip
	index    *index
	states   *stateCache
	requests requests
	leftover bool
	changed  chan struct{} // closed when a round is adopted

	blocks   *blockCache
	sessions *sessions
}

// Open creates a chain, or resumes the one in Options.Dir.
func Open(ctx context.Context, opts Options) (*Chain, error) {
	opts.fill()
	if opts.ShardBlocks < 1 || opts.ShardBlocks > MaxShardBlocks {
		return nil, &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("shard blocks of a round should be 1 to %d, not %d", MaxShardBlocks, opts.ShardBlocks)}
	}
	blocks, err := newBlockCache(cachedBlockBytes)
	if err != nil {
		return nil, err
	}
	states, err := newStateCache(opts.KeepStates)
	if err != nil {
		return nil, err
	}
	sessions, err := newSessions()
	if err != nil {
		return nil, err
	}
	c := &Chain{
		opts: opts, key: genesis.ValidatorKey(opts.Seed, 0), keys: map[string]ed25519.PrivateKey{}, pool: newMempool(opts.Mempool),
		index: newIndex(), states: states, blocks: blocks, sessions: sessions,
		requests: requests{split: map[uint64]bool{}, merge: map[uint64]bool{}},
		changed:  make(chan struct{}),
	}
	for i := range genesis.ValidatorKeys {
		key := genesis.ValidatorKey(opts.Seed, i)
		c.keys[string(key.Public().(ed25519.PublicKey))] = key //nolint:errcheck // the public half of an ed25519 key is of no other type
	}
	if opts.Dir == "" {
		c.arch = archive.Memory()
	} else if c.arch, err = archive.Open(opts.Dir, c.index.addChecked); err != nil {
		return nil, err
	}
	err = c.begin()
	if err == nil {
		err = c.resume(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.arch.Close())
	}
	return c, nil
}

// Close ends the chain. Blocks are stored; waiting externals are lost.
func (c *Chain) Close() error {
	c.mining.Lock()
	defer c.mining.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	close(c.changed)
	return c.arch.Close()
}

// Head returns the newest masterchain block; nil before the first round.
func (c *Chain) Head() *Block {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.head
}

// Zerostate returns the id of the masterchain's zerostate.
func (c *Chain) Zerostate() ton.ZeroStateIDExt {
	z := c.zero.Masterchain
	return ton.ZeroStateIDExt{Workchain: layout.Masterchain, RootHash: z.RootHash, FileHash: z.FileHash}
}

// ZerostateID returns the id of a workchain's zerostate as its block 0. The workchain must
// be the masterchain or the basechain.
func (c *Chain) ZerostateID(wc int32) ton.BlockIDExt {
	z := c.zerostate(wc)
	full := layout.FullShard
	return ton.BlockIDExt{Workchain: wc, Shard: int64(full), RootHash: z.RootHash, FileHash: z.FileHash}
}

func (c *Chain) zerostate(wc int32) genesis.Zerostate {
	if wc == layout.Masterchain {
		return c.zero.Masterchain
	}
	return c.zero.Basechain
}

// ZerostateCell returns the initial state of a workchain.
func (c *Chain) ZerostateCell(wc int32) (*cell.Cell, error) {
	if wc != layout.Masterchain && wc != layout.Basechain {
		return nil, notFound("zerostate of workchain %d", wc)
	}
	return c.zerostate(wc).Root, nil
}

// ZerostateData returns the BoC of the initial state; its SHA-256 is the file hash.
func (c *Chain) ZerostateData(wc int32) ([]byte, error) {
	if wc != layout.Masterchain && wc != layout.Basechain {
		return nil, notFound("zerostate of workchain %d", wc)
	}
	return c.zerostate(wc).Data, nil
}

// Now returns the time of the chain's clock: unix time, never before the newest block.
func (c *Chain) Now() uint32 {
	now := c.opts.Clock() // outside the lock: the clock may call methods of the chain
	c.mu.RLock()
	defer c.mu.RUnlock()
	now = max(now, c.mcTip.genUtime)
	for _, t := range c.tips {
		now = max(now, t.genUtime)
	}
	return now
}

// GlobalID returns the network id in every block.
func (c *Chain) GlobalID() int32 { return c.opts.GlobalID }

// Config returns the parameter dictionary in force for the next block.
func (c *Chain) Config() *cell.Cell {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ref.extra.Config
}

// Consensus returns the consensus that signs the next block.
func (c *Chain) Consensus() genesis.Consensus { return genesis.ConsensusOf(c.Config()) }

// Libraries returns the root of the masterchain's libraries; nil when there are none.
func (c *Chain) Libraries() *cell.Cell {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ref.state.Libraries
}

// WaitSeqno returns when the masterchain has reached a seqno.
func (c *Chain) WaitSeqno(ctx context.Context, seqno uint32) error {
	for {
		c.mu.RLock()
		reached, closed, changed := c.mcTip.id.SeqNo >= seqno, c.closed, c.changed
		c.mu.RUnlock()
		if reached {
			return nil
		}
		if closed {
			return errClosed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("masterchain block %d: %w", seqno, ctx.Err())
		}
	}
}

// QueueSize is the number of messages waiting in a shard's out-queue.
type QueueSize struct {
	ID   ton.BlockIDExt // newest block of the shard
	Size int
}

// OutQueueSizes returns the queue sizes of the masterchain and every shard, from left to right.
func (c *Chain) OutQueueSizes() []QueueSize {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := []QueueSize{{ID: c.mcTip.id, Size: int(c.mcTip.queue.Size)}}
	for _, t := range c.tips {
		out = append(out, QueueSize{ID: t.id, Size: int(t.queue.Size)})
	}
	return out
}

// tipOf returns the newest block of an account's shard; nil when there is
// no such workchain. The caller holds mu.
func (c *Chain) tipOf(addr *address.Address) *tip {
	prefix := layout.AccountPrefix(addr.Data())
	for _, t := range append([]*tip{c.mcTip}, c.tips...) {
		if t.contains(addr.Workchain(), prefix) {
			return t
		}
	}
	return nil
}
