package node

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Route returns a node that forwards each call to the pool of liteservers that choose names, "" for the common one. A
// name that is not among private is an error of kind Unavailable: calls of customers with private servers never go to
// the common ones.
func Route(common chain.Node, private map[string]chain.Node, choose func(context.Context) string) chain.Node {
	return &route{common: common, private: private, choose: choose}
}

type route struct {
	common  chain.Node
	private map[string]chain.Node
	choose  func(context.Context) string
}

var _ chain.Node = (*route)(nil)

// through returns the chosen pool's client.
func through[T any](ctx context.Context, r *route, query func(chain.Node) (T, error)) (T, error) {
	name := r.choose(ctx)
	if name == "" && r.common != nil {
		return query(r.common)
	}
	if pool, ok := r.private[name]; ok {
		return query(pool)
	}
	var none T
	if name == "" {
		return none, chain.Unavailablef(nil, "this gateway has no liteservers")
	}
	return none, chain.Unavailablef(nil, "the private liteservers of this API key are not connected to this gateway")
}

func (r *route) SendMessage(ctx context.Context, message chain.BOC) error {
	_, err := through(ctx, r, func(n chain.Node) (struct{}, error) { return struct{}{}, n.SendMessage(ctx, message) })
	return err
}

func (r *route) Head(ctx context.Context) (chain.BlockIDExt, error) {
	return through(ctx, r, func(n chain.Node) (chain.BlockIDExt, error) { return n.Head(ctx) })
}

// Zerostate returns the common pool's: all pools are of one network.
func (r *route) Zerostate() chain.BlockIDExt {
	if r.common != nil {
		return r.common.Zerostate()
	}
	for _, pool := range r.private {
		return pool.Zerostate()
	}
	return chain.BlockIDExt{}
}

func (r *route) MasterBlockID(ctx context.Context, seqno uint32) (chain.BlockIDExt, error) {
	return through(ctx, r, func(n chain.Node) (chain.BlockIDExt, error) { return n.MasterBlockID(ctx, seqno) })
}

func (r *route) Account(ctx context.Context, at chain.BlockIDExt, account chain.Address) (*chain.RawAccount, error) {
	return through(ctx, r, func(n chain.Node) (*chain.RawAccount, error) { return n.Account(ctx, at, account) })
}

func (r *route) Config(ctx context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	return through(ctx, r, func(n chain.Node) (*cell.Cell, error) { return n.Config(ctx, at) })
}

func (r *route) Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	return through(ctx, r, func(n chain.Node) (map[chain.Hash]*cell.Cell, error) { return n.Libraries(ctx, hashes) })
}

func (r *route) LibrariesAt(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	return through(ctx, r, func(n chain.Node) (*chain.LibrarySet, error) { return n.LibrariesAt(ctx, at, hashes) })
}

func (r *route) FindBlock(ctx context.Context, q chain.BlockSearch) (chain.BlockIDExt, error) {
	return through(ctx, r, func(n chain.Node) (chain.BlockIDExt, error) { return n.FindBlock(ctx, q) })
}

func (r *route) Block(ctx context.Context, id chain.BlockIDExt) (*chain.RawBlock, error) {
	return through(ctx, r, func(n chain.Node) (*chain.RawBlock, error) { return n.Block(ctx, id) })
}

func (r *route) BlockData(ctx context.Context, id chain.BlockIDExt) (chain.BOC, error) {
	return through(ctx, r, func(n chain.Node) (chain.BOC, error) { return n.BlockData(ctx, id) })
}

func (r *route) Shards(ctx context.Context, master chain.BlockIDExt) ([]chain.BlockIDExt, error) {
	return through(ctx, r, func(n chain.Node) ([]chain.BlockIDExt, error) { return n.Shards(ctx, master) })
}

func (r *route) StateRoot(ctx context.Context, id chain.BlockIDExt) (chain.Hash, error) {
	return through(ctx, r, func(n chain.Node) (chain.Hash, error) { return n.StateRoot(ctx, id) })
}

func (r *route) History(ctx context.Context, account chain.Address, from chain.TransactionRef, limit int) ([]chain.RawTransaction, error) {
	return through(ctx, r, func(n chain.Node) ([]chain.RawTransaction, error) { return n.History(ctx, account, from, limit) })
}

func (r *route) BlockSignatures(ctx context.Context, seqno uint32) (*chain.BlockSignatures, error) {
	return through(ctx, r, func(n chain.Node) (*chain.BlockSignatures, error) { return n.BlockSignatures(ctx, seqno) })
}

func (r *route) ShardBlockProof(ctx context.Context, id, from chain.BlockIDExt) (*chain.ShardBlockProof, error) {
	return through(ctx, r, func(n chain.Node) (*chain.ShardBlockProof, error) { return n.ShardBlockProof(ctx, id, from) })
}

func (r *route) QueueSizes(ctx context.Context) (*chain.QueueSizes, error) {
	return through(ctx, r, func(n chain.Node) (*chain.QueueSizes, error) { return n.QueueSizes(ctx) })
}
