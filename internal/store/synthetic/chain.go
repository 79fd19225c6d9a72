package synthetic

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"tonql/internal/chain"
)

// The clock of the synthetic chain: masterchain block n is made BlocksPerSecond to the second after Epoch and has the
// LTs from n*StepLT on.
const (
	Epoch           = 1_700_000_000
	BlocksPerSecond = 2
	StepLT          = 1_000_000

	txStepLT = 1_000 // between two transactions of a block; their messages take LTs between
)

// Chain makes masterchain blocks one after another.
type Chain struct {
	opts     Options
	rng      *rand.Rand
	seqno    uint32
	made     int // transactions so far
	touched  int // accounts that have had their turn
	accounts []account
	ticker   account
	flying   []flight

	dice   *rand.Rand // of contracts apart, so that transactions do not depend on them
	minted int
}

// flight is a message sent and not yet received.
type flight struct {
	message sealed
	to      int
	seqno   uint32 // masterchain block that sent it
	place   int    // and its place among that block's messages
}

// account is what the next transaction of an account builds on.
type account struct {
	lt      uint64
	hash    chain.Hash
	state   chain.Hash
	balance chain.Coins
}

// New starts a chain.
func New(o Options) *Chain {
	o = o.withDefaults()
	return &Chain{
		opts: o, rng: rand.New(rand.NewPCG(o.Seed, 0x746f6e716c)), accounts: make([]account, o.Accounts),
		seqno: 1, dice: rand.New(rand.NewPCG(o.Seed, 0x6a6574746f6e)),
	}
}

// Next is the next masterchain block; nil when the chain is complete.
func (c *Chain) Next() *chain.MasterBlock {
	if c.made >= c.opts.Transactions {
		return nil
	}
	mb := c.skeleton()
	n := min(c.opts.PerBlock, c.opts.Transactions-c.made)
	for i := range n {
		lt := mb.Block.StartLT + uint64(i+1)*txStepLT
		if i == 0 && c.opts.PerBlock > 1 {
			c.tickTock(mb, lt)
		} else {
			c.execute(mb, lt)
		}
		c.made++
	}
	if most := 4 * c.opts.PerBlock; len(c.flying) > most { // the others are never received
		c.flying = slices.Clone(c.flying[len(c.flying)-most:])
	}
	c.contracts(mb)
	c.seqno++
	return mb
}

// Address is the address of the n-th account; the first are the busiest.
func Address(n int) chain.Address {
	var a chain.Address
	x := uint64(n) + 1
	for i := range 4 {
		x = mix(x + 0x9e3779b97f4a7c15)
		binary.BigEndian.PutUint64(a.ID[8*i:], x)
	}
	return a
}

// Ticker is the masterchain account that runs in every block.
func Ticker() chain.Address {
	a := chain.Address{Workchain: chain.MasterchainID}
	for i := range a.ID {
		a.ID[i] = 0x33
	}
	return a
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// pick chooses an account: every second time one that has not had its turn yet, else one by a steep power law. The
// exponent returns the busiest account its 1.4 % of all.
func (c *Chain) pick() int {
	const steepness = 3.6
	if c.rng.IntN(2) == 0 {
		c.touched++
		return (c.touched - 1) % len(c.accounts)
	}
	return int(float64(len(c.accounts)) * math.Pow(c.rng.Float64(), steepness))
}

func (c *Chain) hash() (h chain.Hash) {
	for i := 0; i < len(h); i += 8 {
		binary.BigEndian.PutUint64(h[i:], c.rng.Uint64())
	}
	return h
}

// boc is n bytes that begin like a bag of cells.
func (c *Chain) boc(n int) chain.BOC {
	b := make(chain.BOC, 0, n+8)
	b = append(b, 0xb5, 0xee, 0x9c, 0x72)
	for len(b) < n {
		b = binary.BigEndian.AppendUint64(b, c.rng.Uint64())
	}
	return b[:n]
}

// skeleton is the next masterchain block without transactions, with one block in every shard.
func (c *Chain) skeleton() *chain.MasterBlock {
	mb := &chain.MasterBlock{Block: c.block(chain.MasterchainID, chain.FullShard), Cells: map[chain.Hash]chain.BOC{}}
	for n := range c.opts.Shards {
		b := c.block(chain.BasechainID, c.shard(n))
		ref := c.seqno - 1
		b.MasterRefSeqno = &ref
		mb.ShardBlocks = append(mb.ShardBlocks, b)
		mb.Shards = append(mb.Shards, b.BlockIDExt)
	}
	mb.Frames = append(mb.Frames, frame(&mb.Block, 600))
	for i := range mb.ShardBlocks {
		mb.Frames = append(mb.Frames, frame(&mb.ShardBlocks[i], 400))
	}
	return mb
}

// frame is n bytes that follow from the block alone.
func frame(b *chain.Block, n int) []byte {
	x := binary.BigEndian.Uint64(b.RootHash[:])
	out := make([]byte, 0, n+8)
	for len(out) < n {
		x = mix(x + 1)
		out = binary.BigEndian.AppendUint64(out, x)
	}
	return out[:n]
}

// shard is the n-th of the basechain's shards.
func (c *Chain) shard(n int) chain.Shard {
	depth := bits.Len(uint(c.opts.Shards)) - 1
	return chain.Shard(uint64(n)<<(64-depth) | 1<<(63-depth))
}

func (c *Chain) block(workchain int32, shard chain.Shard) chain.Block {
	return chain.Block{
		BlockIDExt: chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: workchain, Shard: shard, Seqno: c.seqno},
			RootHash: c.hash(), FileHash: c.hash(),
		},
		McSeqno: c.seqno, GlobalID: -3, GenUtime: Epoch + c.seqno/BlocksPerSecond,
		StartLT: uint64(c.seqno) * StepLT, EndLT: uint64(c.seqno)*StepLT + StepLT - 1,
		MinRefMcSeqno: c.seqno - 1, RandSeed: c.hash(), CreatedBy: c.hash(),
		PrevBlocks: []chain.BlockID{{Workchain: workchain, Shard: shard, Seqno: c.seqno - 1}},
	}
}
