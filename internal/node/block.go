package node

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// Blocks are parsed by one goroutine each: several of them are in progress at once, and spreading the hashes of one over two
// processors costs a fifth more of their time.
func init() { cell.ParallelBOCMinCells = 0 }

// block is a fetched block whose bytes have the hashes of its id, with the parts of it that lead to other blocks.
type block struct {
	id      chain.BlockIDExt
	root    *cell.Cell
	parents []chain.BlockIDExt // as the header names them; seqno 0 is a zerostate
	isKey   bool
	tops    []chain.BlockIDExt // masterchain only: the newest block of every shard, by workchain and shard
}

// Block fetches one block by its id and checks it against the hashes of the id. It does not prove the id: the caller has
// proven it, or takes it from a proven block.
func (c *Client) Block(ctx context.Context, id chain.BlockIDExt) (*chain.RawBlock, error) {
	b, err := c.block(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	return &chain.RawBlock{ID: b.id, Root: b.root}, nil
}

// BlockData is [Client.Block] in bytes.
func (c *Client) BlockData(ctx context.Context, id chain.BlockIDExt) (chain.BOC, error) {
	fetched, err := c.fetch(ctx, id, 0)
	return fetched.data, err
}

// block fetches a block that masterchain block mcSeqno (0 when unknown) commits.
func (c *Client) block(ctx context.Context, id chain.BlockIDExt, mcSeqno uint32) (*block, error) {
	fetched, err := c.fetch(ctx, id, mcSeqno)
	return fetched.block, err
}

// fetched is a block with its bytes.
type fetched struct {
	block *block
	data  []byte
}

func (c *Client) fetch(ctx context.Context, id chain.BlockIDExt, mcSeqno uint32) (fetched, error) {
	w := want{what: "block " + id.String(), seqno: mcSeqno}
	return query(ctx, c.pool, w, func(ctx context.Context, s *server) (fetched, error) {
		data, err := call[ton.BlockData](ctx, s, ton.GetBlockData{ID: toTL(id)})
		if err != nil {
			return fetched{}, err
		}
		var b *block
		err = believable("a block", func() error {
			b, err = checkBlock(id, data)
			return err
		})
		return fetched{block: b, data: data.Payload}, err
	})
}

// checkBlock compares a received block with the requested id and parses it.
func checkBlock(id chain.BlockIDExt, data ton.BlockData) (*block, error) {
	if fromTL(data.ID) != id {
		return nil, lie(nil, "returned another block than %s", id)
	}
	if sha256.Sum256(data.Payload) != id.FileHash {
		return nil, lie(nil, "returned bytes of block %s that do not have its file hash", id)
	}
	parse := parseBlock
	if id.IsMaster() { // its update shows the libraries
		parse = cellgraph.FromBOC
	}
	root, err := parse(data.Payload)
	if err != nil {
		return nil, lie(err, "returned bytes of block %s that are no bag of cells", id)
	}
	// A masterchain block proves both hashes of the ids that it lists. All other proofs depend on the root hash alone.
	if chain.Hash(root.HashKey()) != id.RootHash {
		return nil, lie(nil, "returned a block whose root hash is not that of %s", id)
	}
	return openBlock(id, root)
}

// openBlock reads the references to other blocks.
func openBlock(id chain.BlockIDExt, root *cell.Cell) (*block, error) {
	b := &block{id: id, root: root}
	info, err := root.PeekRef(0)
	if err != nil {
		return nil, fmt.Errorf("block info: %w", err)
	}
	var header tlb.BlockHeader
	loader, err := info.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("block info: %w", err)
	}
	if err := header.LoadFromCell(loader); err != nil {
		return nil, fmt.Errorf("block info: %w", err)
	}
	if err := checkPlace(&header, id); err != nil {
		return nil, err
	}
	parents, err := ton.GetParentBlocks(&header)
	if err != nil {
		return nil, fmt.Errorf("previous blocks: %w", err)
	}
	for _, p := range parents {
		b.parents = append(b.parents, fromTL(p))
	}
	b.isKey = header.KeyBlock
	if id.IsMaster() {
		if b.tops, err = topsOfBlock(root); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// blockPart opens the n-th reference of a cell for reading; in a proof it may be cut off, which is an error here.
func blockPart(c *cell.Cell, n int) (*cell.Slice, *cell.Cell, error) {
	ref, err := c.PeekRef(n)
	if err != nil {
		return nil, nil, err
	}
	if ref.IsSpecial() {
		return nil, nil, errors.New("a needed part is cut off")
	}
	loader, err := ref.BeginParse()
	return loader, ref, err
}
