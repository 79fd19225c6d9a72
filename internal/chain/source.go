package chain

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// RawBlock is a block as the network serves it, its root hash already checked against its id.
type RawBlock struct {
	ID   BlockIDExt
	Root *cell.Cell
}

// RawMasterBlock is a masterchain block with the shard blocks it brings in, everything proven: the masterchain block by
// the block-proof chain from a trusted block (policy secure) or by its hash (fast), shard blocks by the hashes the
// masterchain block and their children name.
type RawMasterBlock struct {
	Master RawBlock
	// Shards holds the shard blocks not committed by the masterchain block before, parents before children.
	Shards []RawBlock
	// Top is the latest block of every shard after this masterchain block, by workchain and shard.
	Top []BlockIDExt
}

// RawAccount is an account of a shard state, proven against its block.
type RawAccount struct {
	Root       *cell.Cell // account cell; nil when the account does not exist
	LastTxHash Hash
	LastTxLT   uint64
}

// Source is the proven reading side of a network, as the indexer needs it. Implementations try other servers before
// they give up; an error of kind Unavailable means that no server responds now, NotFound that the network does not
// hold the block (yet, or no longer).
type Source interface {
	// Head is the newest masterchain block any good server offers.
	Head(ctx context.Context) (BlockIDExt, error)
	// Wait returns once the head has reached seqno, or with ctx's error.
	Wait(ctx context.Context, seqno uint32) (BlockIDExt, error)
	// MasterBlockID names a masterchain block. Cheap for recent seqnos.
	MasterBlockID(ctx context.Context, seqno uint32) (BlockIDExt, error)
	// MasterBlock fetches and proves one masterchain block and its shard blocks.
	MasterBlock(ctx context.Context, seqno uint32) (*RawMasterBlock, error)
	// Account reads an account as of block at, which must be of the account's shard or of the masterchain.
	Account(ctx context.Context, at BlockIDExt, account Address) (*RawAccount, error)
	// Config is the root of the configuration dictionary as of a masterchain block.
	Config(ctx context.Context, at BlockIDExt) (*cell.Cell, error)
	// Libraries fetches public libraries by hash; unknown ones are absent from the result.
	Libraries(ctx context.Context, hashes []Hash) (map[Hash]*cell.Cell, error)
	// LibrariesAt fetches public libraries as of a masterchain block. Without hashes it finds the root of them all.
	LibrariesAt(ctx context.Context, at BlockIDExt, hashes []Hash) (*LibrarySet, error)
}

// Node is the live network for the APIs: commands, and queries that the index cannot serve. Every method
// tries another server before it gives up.
type Node interface {
	// SendMessage gives a serialized external-in message to the network. A refusal by the destination's code is
	// Invalid with the node's sentence.
	SendMessage(ctx context.Context, message BOC) error
	// Head is the newest masterchain block of the network.
	Head(ctx context.Context) (BlockIDExt, error)
	// Zerostate names the state the network began with; zero hashes when that is not known.
	Zerostate() BlockIDExt

	// What the index may lack, proven; see [Source] for each.
	MasterBlockID(ctx context.Context, seqno uint32) (BlockIDExt, error)
	Account(ctx context.Context, at BlockIDExt, account Address) (*RawAccount, error)
	Config(ctx context.Context, at BlockIDExt) (*cell.Cell, error)
	Libraries(ctx context.Context, hashes []Hash) (map[Hash]*cell.Cell, error)
	LibrariesAt(ctx context.Context, at BlockIDExt, hashes []Hash) (*LibrarySet, error)

	// FindBlock looks a block up and proves it. NotFound when there is none.
	FindBlock(ctx context.Context, q BlockSearch) (BlockIDExt, error)
	// Block fetches a block whose id is already proven.
	Block(ctx context.Context, id BlockIDExt) (*RawBlock, error)
	// BlockData is [Node.Block] in bytes, whose SHA-256 is the file hash of the id.
	BlockData(ctx context.Context, id BlockIDExt) (BOC, error)
	// Shards lists the newest block of every shard after a masterchain block.
	Shards(ctx context.Context, master BlockIDExt) ([]BlockIDExt, error)
	// StateRoot is the root hash of the state after a block.
	StateRoot(ctx context.Context, id BlockIDExt) (Hash, error)
	// History lists up to limit transactions of an account, newest first, from the one named on. NotFound when the
	// account has no such transaction, or nobody holds it any more.
	History(ctx context.Context, account Address, from TransactionRef, limit int) ([]RawTransaction, error)

	// BlockSignatures are the validators' signatures under a masterchain block.
	BlockSignatures(ctx context.Context, seqno uint32) (*BlockSignatures, error)
	// ShardBlockProof proves a block from masterchain block from. Invalid when from is older than the block's own
	// masterchain block.
	ShardBlockProof(ctx context.Context, id, from BlockIDExt) (*ShardBlockProof, error)
	// QueueSizes are those after the newest masterchain block. Ids are proven, sizes are a server's word.
	QueueSizes(ctx context.Context) (*QueueSizes, error)
}

// ServerState is one liteserver as the node client sees it.
type ServerState struct {
	Name      string // address and port
	Usable    bool
	SetAside  string // why it is not used, a sentence; empty when usable
	HeadSeqno uint32
	Failures  uint64
}
