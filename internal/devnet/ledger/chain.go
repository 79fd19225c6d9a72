// Package ledger is the engine of the local chain: it executes messages in the
// TVM and builds, keeps and serves real blocks and states.
package ledger

import (
	"context"
	"errors"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
)

var errUnbuilt = errors.New("ledger: no block yet")

// Options choose a chain.
type Options struct {
	Dir          string            // empty = memory only
	Seed         [32]byte          // block rand seeds and the validator key derive from it
	Clock        func() uint32     // unix time; nil = wall clock
	GlobalID     int32             // 0 = DefaultGlobalID
	GenesisTime  uint32            // unix time of the zerostates; 0 = Clock()
	Genesis      []genesis.Account // accounts of the zerostates
	InitialSplit int               // depth of the first shard split; 0 = one shard
	KeepStates   int               // masterchain rounds whose states stay in memory; 0 = DefaultKeepStates
}

// Chain is a running local chain. All methods are safe for concurrent use.
type Chain struct{}

func Open(ctx context.Context, opts Options) (*Chain, error) { return &Chain{}, nil }
func (c *Chain) Close() error                                 { return nil }

// Head is the newest masterchain block; nil before the first Mine.
func (c *Chain) Head() *Block { return nil }

// Zerostate names the masterchain's zerostate.
func (c *Chain) Zerostate() ton.ZeroStateIDExt { return ton.ZeroStateIDExt{} }

// ZerostateID names the zerostate of a workchain as block 0 (shard = whole workchain).
func (c *Chain) ZerostateID(wc int32) ton.BlockIDExt       { return ton.BlockIDExt{} }
func (c *Chain) ZerostateCell(wc int32) (*cell.Cell, error) { return nil, errUnbuilt }
func (c *Chain) ZerostateData(wc int32) ([]byte, error)     { return nil, errUnbuilt }

// Lookups. A miss is an error for which IsNotFound is true.
func (c *Chain) Block(id ton.BlockIDExt) (*Block, error) { return nil, errUnbuilt }
func (c *Chain) BySeqno(wc int32, shard int64, seqno uint32) (*Block, error) {
	return nil, errUnbuilt
}
func (c *Chain) ByLT(wc int32, shard int64, lt uint64) (*Block, error) { return nil, errUnbuilt }
func (c *Chain) ByUtime(wc int32, shard int64, utime uint32) (*Block, error) {
	return nil, errUnbuilt
}

// State is the full state root after the block (or of a zerostate, seqno 0).
func (c *Chain) State(id ton.BlockIDExt) (*cell.Cell, error) { return nil, errUnbuilt }

// Committed lists the shard blocks that masterchain block mcSeqno brought in, parents first.
func (c *Chain) Committed(mcSeqno uint32) ([]*Block, error) { return nil, errUnbuilt }

// WaitSeqno returns when Head().ID.SeqNo >= seqno.
func (c *Chain) WaitSeqno(ctx context.Context, seqno uint32) error { return errUnbuilt }

// Signatures are the validator's signatures over a masterchain block.
func (c *Chain) Signatures(mcSeqno uint32) (ton.SignatureSet, error) {
	return ton.SignatureSet{}, errUnbuilt
}

// SendExternal checks that the destination accepts the message and queues it.
// A refusal is an *ExternalError.
func (c *Chain) SendExternal(ctx context.Context, msg *cell.Cell) error { return errUnbuilt }

// Mine makes one masterchain block from what is pending (also an empty one).
func (c *Chain) Mine(ctx context.Context) (*Block, error) { return nil, errUnbuilt }

// RequestSplit and RequestMerge are carried out over the next blocks. RequestMerge
// names the parent shard of the two that become one.
func (c *Chain) RequestSplit(wc int32, shard int64) error { return errUnbuilt }
func (c *Chain) RequestMerge(wc int32, parent int64) error { return errUnbuilt }

// QueueSize is the number of messages waiting in a shard's out-queue.
type QueueSize struct {
	ID   ton.BlockIDExt // newest block of the shard
	Size int
}

func (c *Chain) OutQueueSizes() []QueueSize { return nil }

// Config is the config dictionary root in force after Head; Libraries the
// masterchain's library dictionary root, nil when empty.
func (c *Chain) Config() *cell.Cell    { return nil }
func (c *Chain) Libraries() *cell.Cell { return nil }

// Now is the chain's clock: never before the last block.
func (c *Chain) Now() uint32 { return 0 }

// GlobalID is the network id in every block.
func (c *Chain) GlobalID() int32 { return 0 }

// ExternalError says why an external message was refused, as a liteserver words it.
type ExternalError struct {
	ExitCode int32
	GasUsed  int64
	Text     string
}

func (e *ExternalError) Error() string { return e.Text }

// IsNotFound reports that an error means: no such block or state.
func IsNotFound(err error) bool { return false }
