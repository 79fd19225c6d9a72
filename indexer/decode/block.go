package decode

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// Master is a decoded masterchain block: its rows and the input of replay.
type Master struct {
	*chain.MasterBlock
	Headers []Header // the masterchain block, then the shard blocks in the order of their rows
	Cells   []Cells  // parallel to Transactions
	BlockOf []int    // parallel to Transactions: index into Headers
	// Final is the state after the last transaction of each account in the block. Replay sets it and omits states that
	// are not available.
	Final map[chain.Address]*State
}

// parallelBlocks is how many blocks of one masterchain block are decoded in parallel.
const parallelBlocks = 4

// MasterBlock decodes a masterchain block and its shard blocks. States, Cells, Libraries and Mismatches stay empty:
// replay sets them. The result shares nothing mutable with raw.
func MasterBlock(ctx context.Context, raw *chain.RawMasterBlock) (*Master, error) {
	raws := append([]chain.RawBlock{raw.Master}, raw.Shards...)
	blocks := make([]block, len(raws))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallelBlocks)
	for i := range raws {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if blocks[i], err = readBlock(raws[i]); err != nil {
				return fmt.Errorf("block %s: %w", raws[i].ID, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return assemble(raw, blocks), nil
}

// block is one decoded block.
type block struct {
	header Header
	frame  []byte
	config *cell.Cell
	txs    []*transaction // by LT, then account
}

// readBlock decodes one block. A panic of the cell library on hostile cells is an error like any other.
func readBlock(raw chain.RawBlock) (b block, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed cells: %v\n%s", p, debug.Stack())
		}
	}()
	var x extra
	if b.header, x, err = header(raw); err != nil {
		return b, err
	}
	if b.frame, err = rebuild.EncodeFrame(&b.header.Block, raw.Root); err != nil {
		return b, err
	}
	b.config = x.config
	if raw.ID.IsMaster() {
		b.header.Libraries = libraryUpdate(raw.Root)
	}
	if b.txs, err = readAccountBlocks(x.accounts, raw.ID.Workchain); err != nil {
		return b, err
	}
	slices.SortFunc(b.txs, func(a, c *transaction) int {
		return cmp.Or(cmp.Compare(a.row.LT, c.row.LT), a.row.Account.Compare(c.row.Account))
	})
	b.header.Block.TxCount = int32(len(b.txs))
	return b, nil
}

// readAccountBlocks reads ShardAccountBlocks, a HashmapAugE 256 of account blocks, each a HashmapAug 64 of transactions.
func readAccountBlocks(c *cell.Cell, workchain int32) ([]*transaction, error) {
	r := open(c)
	root := r.maybeRef()
	if r.err != nil || root == nil {
		return nil, r.err
	}
	var txs []*transaction
	nodes := &budget{}
	err := walk(root, 256, nodes, func(_ []byte, v *reader) error {
		v.currencies(nodes)
		if v.uint(4) != 5 { // acc_trans#5
			v.fail(errNotBlock)
		}
		account := v.hash()
		if v.err != nil {
			return v.err
		}
		return walkInline(v, 64, nodes, func(_ []byte, v *reader) error {
			v.currencies(nodes)
			ref := v.ref()
			if v.err != nil {
				return v.err
			}
			t, err := readTransaction(ref, workchain, nodes)
			if err == nil && t.row.Account.ID != account {
				err = errNotBlock
			}
			txs = append(txs, t)
			return err
		})
	})
	return txs, err
}

// assemble converts the blocks to rows and merges the two sides of each message.
func assemble(raw *chain.RawMasterBlock, blocks []block) *Master {
	total := 0
	for i := range blocks {
		total += len(blocks[i].txs)
	}
	m := &Master{
		MasterBlock: &chain.MasterBlock{
			Shards:       slices.Clone(raw.Top),
			Transactions: make([]chain.Transaction, 0, total),
			BOCs:         make([]chain.BOC, 0, total),
			Messages:     make([]chain.Message, 0, total*2),
			Cells:        make(map[chain.Hash]chain.BOC, total),
		},
		Cells:   make([]Cells, 0, total),
		BlockOf: make([]int, 0, total),
	}
	slices.SortFunc(m.Shards, func(a, b chain.BlockIDExt) int { return a.Compare(b.BlockID) })
	merged := merger{rows: m.MasterBlock, byKey: make(map[chain.MessageKey]int, total*2)}
	for i := range blocks {
		b := &blocks[i]
		b.header.Block.McSeqno = raw.Master.ID.Seqno
		m.Headers = append(m.Headers, b.header)
		m.Frames = append(m.Frames, b.frame)
		for j := range b.txs {
			t := b.txs[j]
			t.row.Block, t.row.McSeqno = b.header.Block.BlockID, raw.Master.ID.Seqno
			merged.add(t)
			m.Transactions = append(m.Transactions, t.row)
			m.BOCs = append(m.BOCs, t.boc)
			m.Cells = append(m.Cells, t.cells)
			m.BlockOf = append(m.BlockOf, i)
		}
	}
	m.Block = m.Headers[0].Block
	for _, h := range m.Headers[1:] {
		m.ShardBlocks = append(m.ShardBlocks, h.Block)
	}
	if c := blocks[0].config; c != nil {
		m.Config = NewConfig(m.Block.Seqno, c)
	}
	return m
}

// NewConfig returns the row of the configuration dictionary that is in force from mcSeqno on.
func NewConfig(mcSeqno uint32, root *cell.Cell) *chain.Config {
	return &chain.Config{McSeqno: mcSeqno, Root: chain.Hash(root.HashKey()), BOC: stateBOC(root)}
}
