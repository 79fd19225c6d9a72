package chain

import "github.com/xssnick/tonutils-go/tvm/cell"

// BlockSearch names a block by its place and one of seqno, LT and time. Shard may be any prefix of accounts: the block
// found is of the shard that holds it then.
type BlockSearch struct {
	Workchain int32
	Shard     Shard
	Seqno     *uint32 // exactly this one
	LT        *uint64 // the first block that ends at this LT or later
	Utime     *uint32 // the first block generated then or later
}

// BlockSignatures are the validators' signatures under a masterchain block. SessionID, Slot and Candidate are those of
// the newer consensus; SessionID is nil with the older one.
type BlockSignatures struct {
	ID         BlockIDExt
	Signatures []BlockSignature
	SessionID  *Hash
	Slot       uint32
	Candidate  []byte // TL of what was voted for
}

// BlockSignature is one validator's.
type BlockSignature struct {
	NodeIDShort Hash
	Signature   []byte
}

// ShardBlockProof leads from a masterchain block to a block of a shard.
type ShardBlockProof struct {
	From   BlockIDExt       // the masterchain block that is trusted
	Master BlockIDExt       // the masterchain block that committed the block, or the block itself
	Links  []ShardBlockLink // from Master down to the block; none when the block is Master
	Back   *BlockLinkBack   // from From to Master; nil when they are the same
}

// ShardBlockLink proves the id of a block from the block before it in the chain of links.
type ShardBlockLink struct {
	ID    BlockIDExt
	Proof BOC
}

// BlockLinkBack proves an older masterchain block by the list of old blocks in the state after a newer one.
type BlockLinkBack struct {
	ToKeyBlock                   bool
	From, To                     BlockIDExt
	DestProof, Proof, StateProof BOC
}

// QueueSizes are how many messages wait in the out-queues of all shards.
type QueueSizes struct {
	Shards []QueueSize // the masterchain's first
	Limit  uint32      // size of the queue of external messages at which nodes take no more
}

// QueueSize is the out-queue after one block.
type QueueSize struct {
	ID   BlockIDExt
	Size uint64
}

// RawTransaction is a transaction as the network serves it.
type RawTransaction struct {
	Block BlockIDExt // as the server says; not proven
	Root  *cell.Cell
}
