package rebuild

import (
	"encoding/binary"
	"errors"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

var errFrame = errors.New("the frame of the block is malformed")

// Frame is what a block has and its rows do not have. The rows of its transactions have all of account_blocks, the row of the block
// has most of the header, and the configuration of a key block is stored by itself.
type Frame struct {
	Software *Software // nil without gen_software
	Master   *BlockRef // nil for masterchain blocks
	Parents  []BlockRef
	Custom   *cell.Cell // McBlockExtra with all shard hashes, the rest cut off; nil for shard blocks
	// Cell is the block with everything cut off that this form has cut off, too, and the other fields are then empty. It is for a
	// block that these fields and the row do not give.
	Cell *cell.Cell

	vertical  *cut // prev_vert_ref
	valueFlow cut
	update    [2]side // before and after
	messages  [2]cut  // in_msg_descr, out_msg_descr
}

// Software is GlobalVersion.
type Software struct {
	Version      uint32
	Capabilities uint64
}

// BlockRef is ext_blk_ref without the seqno.
type BlockRef struct {
	EndLT    uint64
	RootHash chain.Hash
	FileHash chain.Hash
}

// The first byte of a stored frame: which parts follow, in the order of encode.
const (
	frameCell     = 0x80
	frameAllNew   = 0x40 // the update shows all of the state after the block
	frameAllOld   = 0x20 // and before it
	frameCustom   = 0x10 // a bag of cells at the end
	frameVertical = 0x08
	frameMerge    = 0x04 // two parents
	frameMaster   = 0x02
	frameSoftware = 0x01
)

func (f *Frame) encode() []byte {
	if f.Cell != nil {
		return append([]byte{frameCell}, serialized(f.Cell)...)
	}
	b := make([]byte, 1, 512)
	if f.Software != nil {
		b[0] |= frameSoftware
		b = binary.BigEndian.AppendUint32(b, f.Software.Version)
		b = binary.BigEndian.AppendUint64(b, f.Software.Capabilities)
	}
	if f.Master != nil {
		b[0] |= frameMaster
		b = f.Master.encode(b)
	}
	if len(f.Parents) > 1 {
		b[0] |= frameMerge
	}
	for i := range f.Parents {
		b = f.Parents[i].encode(b)
	}
	if f.vertical != nil {
		b[0] |= frameVertical
		b = f.vertical.encode(b)
	}
	b = f.valueFlow.encode(b)
	for i := range f.update {
		s := &f.update[i]
		b = s.state.encode(b)
		if s.shown == s.state {
			b[0] |= frameAllOld << i
		} else {
			b = s.shown.encode(b)
		}
	}
	b = f.messages[1].encode(f.messages[0].encode(b))
	if f.Custom != nil {
		b[0] |= frameCustom
		b = append(b, serialized(f.Custom)...)
	}
	return b
}

func (r *BlockRef) encode(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, r.EndLT)
	return append(append(b, r.RootHash[:]...), r.FileHash[:]...)
}

// ParseFrame reads a stored frame.
func ParseFrame(b []byte) (f Frame, err error) {
	defer recovered(&err)
	if len(b) == 0 {
		return f, errFrame
	}
	head := b[0]
	if head == frameCell {
		f.Cell, err = Exact(b[1:], serialized)
		return f, err
	}
	p := parser{rest: b[1:]}
	if head&frameSoftware != 0 {
		f.Software = &Software{Version: p.uint32(), Capabilities: p.uint64()}
	}
	if head&frameMaster != 0 {
		f.Master = new(p.blockRef())
	}
	f.Parents = []BlockRef{p.blockRef()}
	if head&frameMerge != 0 {
		f.Parents = append(f.Parents, p.blockRef())
	}
	if head&frameVertical != 0 {
		f.vertical = new(p.cut())
	}
	f.valueFlow = p.cut()
	for i := range f.update {
		s := side{state: p.cut()}
		if s.shown = s.state; head&(frameAllOld<<i) == 0 {
			s.shown = p.cut()
		}
		f.update[i] = s
	}
	f.messages = [2]cut{p.cut(), p.cut()}
	if p.failed || head&frameCell != 0 || (head&frameCustom == 0) != (len(p.rest) == 0) {
		return Frame{}, errFrame
	}
	if head&frameCustom != 0 {
		f.Custom, err = Exact(p.rest, serialized)
	}
	return f, err
}

func (p *parser) blockRef() BlockRef {
	return BlockRef{EndLT: p.uint64(), RootHash: p.hash(), FileHash: p.hash()}
}
