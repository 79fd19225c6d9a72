package rebuild

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Block builds the cell of a block from its row, its stored frame, and account_blocks. Parts that no row has are pruned branches, so
// the hash of level 0 is that of the block. config is the dictionary of parameters of a key block, nil to leave it cut off.
func Block(row *chain.Block, frame []byte, accounts, config *cell.Cell) (root *cell.Cell, err error) {
	defer recovered(&err)
	f, err := ParseFrame(frame)
	if err == nil && f.Cell != nil {
		root, err = replaced(f.Cell, accounts, blockExtra, extraAccounts)
	} else if err == nil {
		root, err = f.block(row, accounts)
	}
	if err == nil && config != nil {
		root, err = withConfig(root, config)
	}
	if err != nil {
		return nil, fmt.Errorf("block %s: %w", row.BlockID, err)
	}
	return root, nil
}

// block writes block#11ef55aa.
func (f *Frame) block(row *chain.Block, accounts *cell.Cell) (*cell.Cell, error) {
	info, err := f.info(row)
	if err != nil {
		return nil, err
	}
	flow, err := f.valueFlow.branch()
	if err != nil {
		return nil, err
	}
	update, err := f.stateUpdate()
	if err != nil {
		return nil, err
	}
	extra, err := f.extra(row, accounts)
	if err != nil {
		return nil, err
	}
	var w writer
	w.uint(0x11ef55aa, 32)
	w.uint(uint64(uint32(row.GlobalID)), 32)
	for _, ref := range []*cell.Cell{info, flow, update, extra} {
		w.ref(ref)
	}
	return w.cell()
}

// info writes block_info#9bc7a987.
func (f *Frame) info(row *chain.Block) (*cell.Cell, error) {
	if len(f.Parents) != len(row.PrevBlocks) || (f.Master == nil) != (row.MasterRefSeqno == nil) {
		return nil, errRow
	}
	var w writer
	w.uint(0x9bc7a987, 32)
	w.uint(uint64(row.Version), 32)
	w.bit(!row.IsMaster())
	for _, bit := range [...]bool{
		row.AfterMerge, row.BeforeSplit, row.AfterSplit, row.WantSplit, row.WantMerge, row.KeyBlock, row.VertSeqnoIncr,
	} {
		w.bit(bit)
	}
	w.uint(uint64(row.Flags), 8)
	w.uint(uint64(row.Seqno), 32)
	w.uint(uint64(row.VertSeqno), 32)
	w.uint(0, 2) // shard_ident$00
	w.uint(uint64(row.Shard.PrefixLen()), 6)
	w.uint(uint64(uint32(row.Workchain)), 32)
	w.uint(uint64(row.Shard&(row.Shard-1)), 64)
	w.uint(uint64(row.GenUtime), 32)
	w.uint(row.StartLT, 64)
	w.uint(row.EndLT, 64)
	for _, v := range [...]uint32{row.ValidatorListHashShort, row.GenCatchainSeqno, row.MinRefMcSeqno, row.PrevKeyBlockSeqno} {
		w.uint(uint64(v), 32)
	}
	if f.Software != nil {
		w.uint(0xc4, 8)
		w.uint(uint64(f.Software.Version), 32)
		w.uint(f.Software.Capabilities, 64)
	}
	if f.Master != nil {
		w.child(f.Master.cell(*row.MasterRefSeqno))
	}
	w.child(f.previous(row))
	if f.vertical != nil {
		w.child(f.vertical.branch())
	}
	return w.cell()
}

// child writes a reference to a cell that was just built.
func (w *writer) child(c *cell.Cell, err error) {
	w.fail(err)
	w.ref(c)
}

// previous writes BlkPrevInfo.
func (f *Frame) previous(row *chain.Block) (*cell.Cell, error) {
	if len(f.Parents) == 1 {
		return f.Parents[0].cell(row.PrevBlocks[0].Seqno)
	}
	var w writer
	for i := range f.Parents {
		w.child(f.Parents[i].cell(row.PrevBlocks[i].Seqno))
	}
	return w.cell()
}

// cell writes ext_blk_ref.
func (r *BlockRef) cell(seqno uint32) (*cell.Cell, error) {
	var w writer
	w.uint(r.EndLT, 64)
	w.uint(uint64(seqno), 32)
	w.hash(&r.RootHash)
	w.hash(&r.FileHash)
	return w.cell()
}

// stateUpdate writes !merkle_update#04.
func (f *Frame) stateUpdate() (*cell.Cell, error) {
	var w writer
	w.uint(uint64(cell.MerkleUpdateCellType), 8)
	for i := range f.update {
		w.hash(&f.update[i].state.hash)
	}
	for i := range f.update {
		w.uint(uint64(f.update[i].state.depth), 16)
	}
	for i := range f.update {
		w.child(f.update[i].branch())
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.b.EndCellSpecial(true)
}

// extra writes block_extra#4a33f6fd.
func (f *Frame) extra(row *chain.Block, accounts *cell.Cell) (*cell.Cell, error) {
	var w writer
	w.uint(0x4a33f6fd, 32)
	w.child(f.messages[0].branch())
	w.child(f.messages[1].branch())
	w.ref(accounts)
	w.hash(&row.RandSeed)
	w.hash(&row.CreatedBy)
	w.maybeRef(f.Custom)
	return w.cell()
}

// replaced returns a cell with another reference at the end of a path of references.
func replaced(root, ref *cell.Cell, path ...int) (*cell.Cell, error) {
	if len(path) == 0 {
		return ref, nil
	}
	if root.IsSpecial() || path[0] >= int(root.RefsNum()) {
		return nil, errRow
	}
	s, err := root.BeginParse()
	if err != nil {
		return nil, err
	}
	var w writer
	bits := s.BitsLeft()
	data, err := s.LoadSlice(bits)
	w.fail(err)
	if err == nil {
		w.fail(w.b.StoreSlice(data, bits))
	}
	for i := range int(root.RefsNum()) {
		child, err := root.PeekRef(i)
		if err == nil && i == path[0] {
			child, err = replaced(child, ref, path[1:]...)
		}
		w.child(child, err)
	}
	return w.cell()
}

// withConfig puts the configuration into a key block that has it cut off.
func withConfig(root, config *cell.Cell) (*cell.Cell, error) {
	extra, err := extraOf(root)
	if err != nil {
		return nil, err
	}
	custom, err := extra.PeekRef(extraCustom)
	if err != nil {
		return nil, err
	}
	for i := range int(custom.RefsNum()) {
		ref, err := custom.PeekRef(i)
		if err == nil && ref.HashKey(0) == config.HashKey(0) {
			return replaced(root, config, blockExtra, extraCustom, i)
		}
	}
	return nil, fmt.Errorf("%w: the block has another configuration", errRow)
}
