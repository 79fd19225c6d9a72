package decode

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

var errNotBlock = errors.New("not a block")

// header reads block#11ef55aa up to, and without, its transactions. The block must be the one its id names.
func header(raw chain.RawBlock) (Header, extra, error) {
	var h Header
	r := open(raw.Root)
	if r.uint(32) != 0x11ef55aa {
		r.fail(errNotBlock)
	}
	h.Block.BlockIDExt = raw.ID
	h.Block.GlobalID = r.int32()
	h.readInfo(r.ref(), &r)
	r.ref() // value flow
	r.ref() // state update
	x := h.readExtra(r.ref(), &r)
	if r.err != nil {
		return h, x, fmt.Errorf("block header: %w", r.err)
	}
	return h, x, h.checkID()
}

// Header is a block with the fields that replay needs and no row has.
type Header struct {
	Block     chain.Block
	Parents   []chain.BlockIDExt // by shard: one, two after a merge
	MasterRef *chain.BlockIDExt  // the masterchain block a shard block builds on; nil for masterchain blocks
	Libraries LibraryUpdate      // of a masterchain block

	place chain.BlockID // as the header itself says
}

// LibraryUpdate is what the state update of a masterchain block contains about the public libraries.
type LibraryUpdate struct {
	Root *chain.Hash // after the block, see [chain.LibrarySet]; nil when it is left out
	Same bool        // the libraries are those before the block
}

func libraryUpdate(block *cell.Cell) LibraryUpdate {
	root, shown, ok := chain.LibraryRootAfter(block)
	if !ok || !shown {
		return LibraryUpdate{Same: ok}
	}
	return LibraryUpdate{Root: &root}
}

// extra is the part of BlockExtra outside the header.
type extra struct {
	accounts *cell.Cell // ShardAccountBlocks
	config   *cell.Cell // the dictionary of parameters, key blocks only
}

// readInfo reads block_info#9bc7a987.
func (h *Header) readInfo(c *cell.Cell, parent *reader) {
	r := open(c)
	b := &h.Block
	if r.uint(32) != 0x9bc7a987 {
		r.fail(errNotBlock)
	}
	b.Version = uint32(r.uint(32))
	notMaster := r.bit()
	b.AfterMerge, b.BeforeSplit, b.AfterSplit = r.bit(), r.bit(), r.bit()
	b.WantSplit, b.WantMerge = r.bit(), r.bit()
	b.KeyBlock, b.VertSeqnoIncr = r.bit(), r.bit()
	b.Flags = uint32(r.uint(8))
	seqno := uint32(r.uint(32))
	b.VertSeqno = uint32(r.uint(32))
	h.place = r.shardIdent()
	h.place.Seqno = seqno
	b.GenUtime = uint32(r.uint(32))
	b.StartLT, b.EndLT = r.uint(64), r.uint(64)
	b.ValidatorListHashShort = uint32(r.uint(32))
	b.GenCatchainSeqno = uint32(r.uint(32))
	b.MinRefMcSeqno = uint32(r.uint(32))
	b.PrevKeyBlockSeqno = uint32(r.uint(32))
	if b.Flags&1 != 0 {
		r.skip(8 + 32 + 64) // gen_software
	}
	if notMaster {
		master := open(r.ref())
		ref := master.extBlkRef(chain.MasterchainID, chain.FullShard)
		r.fail(master.err)
		h.MasterRef = &ref
		b.MasterRefSeqno = &ref.Seqno
	}
	h.readParents(r.ref(), &r)
	parent.fail(r.err)
}

// shardIdent reads shard_ident$00.
func (r *reader) shardIdent() (id chain.BlockID) {
	if r.uint(2) != 0 {
		r.fail(errNotBlock)
	}
	bits := uint(r.uint(6))
	id.Workchain = r.int32()
	prefix := r.uint(64)
	if bits > 60 {
		r.fail(errNotBlock)
		return id
	}
	id.Shard = chain.Shard(prefix | 1<<(63-bits))
	return id
}

// extBlkRef reads ext_blk_ref$_.
func (r *reader) extBlkRef(workchain int32, shard chain.Shard) (id chain.BlockIDExt) {
	r.skip(64) // end_lt
	id.Workchain, id.Shard = workchain, shard
	id.Seqno = uint32(r.uint(32))
	id.RootHash, id.FileHash = r.hash(), r.hash()
	return id
}

// readParents reads BlkPrevInfo. A child of a split continues its parent's shard, a merged block both halves of its own.
func (h *Header) readParents(c *cell.Cell, parent *reader) {
	wc, shard := h.place.Workchain, h.place.Shard
	r := open(c)
	low := shard & -shard
	switch {
	case h.Block.AfterMerge:
		left, right := open(r.ref()), open(r.ref())
		h.Parents = []chain.BlockIDExt{
			left.extBlkRef(wc, shard-low>>1),
			right.extBlkRef(wc, shard+low>>1),
		}
		r.fail(left.err)
		r.fail(right.err)
	case h.Block.AfterSplit:
		h.Parents = []chain.BlockIDExt{r.extBlkRef(wc, (shard-low)|low<<1)}
	default:
		h.Parents = []chain.BlockIDExt{r.extBlkRef(wc, shard)}
	}
	parent.fail(r.err)
	for _, p := range h.Parents {
		h.Block.PrevBlocks = append(h.Block.PrevBlocks, p.BlockID)
	}
}

// readExtra reads block_extra#4a33f6fd.
func (h *Header) readExtra(c *cell.Cell, parent *reader) (x extra) {
	r := open(c)
	if r.uint(32) != 0x4a33f6fd {
		r.fail(errNotBlock)
	}
	r.ref() // in_msg_descr
	r.ref() // out_msg_descr
	x.accounts = r.ref()
	h.Block.RandSeed, h.Block.CreatedBy = r.hash(), r.hash()
	if custom := r.maybeRef(); custom != nil && h.Block.KeyBlock {
		x.config = masterConfig(custom, &r)
	}
	parent.fail(r.err)
	return x
}

// masterConfig reads the configuration that a key block carries, in masterchain_block_extra#cca5.
func masterConfig(c *cell.Cell, parent *reader) *cell.Cell {
	r := open(c)
	if r.uint(16) != 0xcca5 {
		r.fail(errNotBlock)
	}
	hasConfig := r.bit()
	r.maybeRef()  // shard_hashes
	r.maybeRef()  // shard_fees: the dictionary, then the root's extra (ShardFeeCreated)
	for range 2 { // fees, create
		r.coins()
		r.maybeRef()
	}
	r.ref() // signatures, recover and mint messages
	var config *cell.Cell
	if hasConfig {
		r.skip(256) // config_addr
		config = r.ref()
	}
	parent.fail(r.err)
	return config
}

func (h *Header) checkID() error {
	if h.place != h.Block.BlockID {
		return fmt.Errorf("block header: it names %s, not %s", h.place, h.Block.BlockID)
	}
	if h.Block.IsMaster() == (h.MasterRef != nil) {
		return fmt.Errorf("block header: %w", errNotBlock)
	}
	return nil
}
