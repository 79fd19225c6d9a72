package rebuild

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// EncodeFrame returns the stored form of what the rows of a block lack of root, its cell. row is the row of the block.
func EncodeFrame(row *chain.Block, root *cell.Cell) (b []byte, err error) {
	defer recovered(&err)
	f, accounts, err := readFrame(row, root)
	if err == nil {
		b = f.encode()
		if built, err := f.block(row, accounts); err == nil && built.HashKey(0) == root.HashKey(0) {
			return b, nil
		}
	}
	c, err := trimmedBlock(root)
	if err != nil {
		return nil, fmt.Errorf("frame of block %s: %w", row.BlockID, err)
	}
	return (&Frame{Cell: c}).encode(), nil
}

// readFrame reads block#11ef55aa. The second result stands for account_blocks.
func readFrame(row *chain.Block, root *cell.Cell) (f Frame, accounts *cell.Cell, err error) {
	r := open(root)
	r.skip(64) // tag and global_id
	info, flow, update, extra := r.ref(), r.ref(), r.ref(), r.ref()
	if r.err != nil {
		return f, nil, r.err
	}
	if err := f.readInfo(row, info); err != nil {
		return f, nil, err
	}
	f.valueFlow = cutOf(flow, 0)
	if update.GetType() != cell.MerkleUpdateCellType {
		return f, nil, errRow
	}
	for i := range f.update {
		ref, err := update.PeekRef(i)
		if err != nil {
			return f, nil, err
		}
		f.update[i] = sideOf(ref)
	}
	accounts, err = f.readExtra(extra)
	return f, accounts, err
}

// readInfo reads block_info#9bc7a987: the references, and gen_software behind the fields that rows have.
func (f *Frame) readInfo(row *chain.Block, info *cell.Cell) error {
	const inRows = 32 + 32 + 8 + 8 + 32 + 32 + 104 + 32 + 2*64 + 4*32
	r := open(info)
	r.skip(inRows)
	if row.Flags&1 != 0 {
		r.skip(8) // capabilities#c4
		f.Software = &Software{Version: uint32(r.uint(32)), Capabilities: r.uint(64)}
	}
	if !row.IsMaster() {
		master := open(r.ref())
		f.Master = new(master.blockRef())
		r.fail(master.err)
	}
	prev := r.ref()
	parents := []*cell.Cell{prev}
	if row.AfterMerge {
		both := open(prev)
		parents = []*cell.Cell{both.ref(), both.ref()}
		r.fail(both.err)
	}
	for _, c := range parents {
		p := open(c)
		f.Parents = append(f.Parents, p.blockRef())
		r.fail(p.err)
	}
	if row.VertSeqnoIncr {
		if c := r.ref(); c != nil {
			f.vertical = new(cutOf(c, 0))
		}
	}
	return r.err
}

// blockRef reads ext_blk_ref.
func (r *reader) blockRef() BlockRef {
	b := BlockRef{EndLT: r.uint(64)}
	r.skip(32)
	b.RootHash, b.FileHash = r.hash(), r.hash()
	return b
}

// readExtra reads block_extra#4a33f6fd.
func (f *Frame) readExtra(extra *cell.Cell) (accounts *cell.Cell, err error) {
	r := open(extra)
	in, out := r.ref(), r.ref()
	accounts = r.ref()
	r.skip(32 + 2*256) // tag, rand_seed, created_by
	var custom *cell.Cell
	if r.uint(1) == 1 {
		custom = r.ref()
	}
	if r.err != nil {
		return nil, r.err
	}
	f.messages = [2]cut{cutOf(in, 0), cutOf(out, 0)}
	if custom != nil {
		if f.Custom, err = trimmedCustom(custom); err != nil {
			return nil, err
		}
	}
	return cutOff(0, accounts)
}

// trimmedCustom cuts everything off masterchain_block_extra#cca5 but the shard hashes.
func trimmedCustom(custom *cell.Cell) (*cell.Cell, error) {
	at, err := shardHashes(custom)
	if err != nil {
		return nil, err
	}
	return trimmed(custom, func(i int, ref *cell.Cell) (*cell.Cell, error) {
		if i == at && ref.Level() == 0 {
			return ref, nil
		}
		return cutOff(i, ref)
	})
}

// shardHashes returns which reference of McBlockExtra is the dictionary of shard hashes, -1 when there are no shards.
func shardHashes(custom *cell.Cell) (int, error) {
	r := open(custom)
	if r.uint(16) != 0xcca5 {
		r.fail(errRow)
	}
	r.skip(1) // key_block
	if r.uint(1) == 0 {
		return -1, r.err
	}
	return 0, r.err
}

// trimmedBlock returns a block of which everything is cut off that other rows have or a [Frame] cuts off.
func trimmedBlock(root *cell.Cell) (*cell.Cell, error) {
	shallow := func(_ int, ref *cell.Cell) (*cell.Cell, error) { return trimmed(ref, cutOff) }
	return trimmed(root, func(i int, ref *cell.Cell) (*cell.Cell, error) {
		switch {
		case ref.IsSpecial():
			return cutOff(i, ref)
		case i == 0: // the header, with the references to other blocks
			return trimmed(ref, shallow)
		case i == blockExtra:
			return trimmed(ref, func(i int, ref *cell.Cell) (*cell.Cell, error) {
				if i != extraCustom || ref.IsSpecial() {
					return cutOff(i, ref)
				}
				return trimmedCustom(ref)
			})
		default:
			return cutOff(i, ref)
		}
	})
}

// References of a block, and of its BlockExtra.
const (
	blockExtra    = 3
	extraAccounts = 2
	extraCustom   = 3
)

// extraOf returns BlockExtra of a block.
func extraOf(root *cell.Cell) (*cell.Cell, error) {
	extra, err := root.PeekRef(blockExtra)
	if err == nil && extra.IsSpecial() {
		err = errRow
	}
	return extra, err
}
