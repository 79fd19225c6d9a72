package node

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
)

// parseBlock returns the root cell of a shard block, as [cellgraph.FromBOC] does, with the hashes of all cells computed from the bytes. Five
// of six cells of a block are those of its state update, of which only the hashes are read. They are hashed where they lie; the sides of
// the update are lazy cells, for which the block is parsed completely. The bytes must not change while the cell is in use.
func parseBlock(data []byte) (*cell.Cell, error) {
	if root, ok := parseBlockParts(data); ok {
		return root, nil
	}
	return cellgraph.FromBOC(data)
}

// parseBlockParts parses a block in the usual form: one root, no index, a state update whose cells have level 0 or 1. It reports false
// for any other form and for malformed bytes.
func parseBlockParts(data []byte) (*cell.Cell, bool) {
	bag, ok := openBag(data)
	if !ok {
		return nil, false
	}
	p := blockParsers.Get().(*blockParser) //nolint:errcheck // the only type that is ever put there
	defer p.release()
	if !p.open(bag) {
		return nil, false
	}
	root, err := p.block(data)
	return root, err == nil
}

var blockParsers = sync.Pool{New: func() any { return new(blockParser) }}

// maxRetainedCells bounds the memory of a parser in the pool, some 80 bytes a cell.
const maxRetainedCells = 1 << 17

// blockParser has the memory of one parse. Its hashes have no pointers, so the garbage collector does not scan them.
type blockParser struct {
	bag    bag
	cells  []bagCell
	hashes [2][]cell.Hash // by level, then by cell; of level 1 only where the cell has that level
	depths [2][]uint16
	number []int32 // of cells in the bag of the parts that become cells
	buf    [2 + 128 + 4*(2+32)]byte
}

// bag is a bag of cells.
type bag struct {
	cells   []byte // the cells, one after the other
	count   int
	refSize int // bytes of a reference
}

// bagCell is a cell of a bag.
type bagCell struct {
	at      uint32 // of its first byte
	visited uint8  // which parts of the block it belongs to
}

// The parts of a block.
const (
	inUpdate uint8 = 1 << iota
	inOthers
)

var errBlockForm = errors.New("a block in another form")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openBag reads the head of a bag of cells with one root, which is its first cell, and without an index.
func openBag(data []byte) (bag, bool) {
	const magic, withChecksum = 0xb5ee9c72, 0x40
	if len(data) < 6 || binary.BigEndian.Uint32(data) != magic {
		return bag{}, false
	}
	flags, offsetSize := data[4], int(data[5])
	b := bag{refSize: int(flags & 7)}
	if flags&^(withChecksum|7) != 0 || b.refSize < 1 || b.refSize > 4 || offsetSize < 1 || offsetSize > 8 {
		return bag{}, false
	}
	head := 6 + 4*b.refSize + offsetSize
	if flags&withChecksum != 0 {
		end := len(data) - 4
		if end < head || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
			return bag{}, false
		}
		data = data[:end]
	}
	if len(data) < head {
		return bag{}, false
	}
	number := func(at, size int) (n uint64) {
		for _, v := range data[at : at+size] {
			n = n<<8 | uint64(v)
		}
		return n
	}
	count, roots, absent := number(6, b.refSize), number(6+b.refSize, b.refSize), number(6+2*b.refSize, b.refSize)
	size, root := number(6+3*b.refSize, offsetSize), number(6+3*b.refSize+offsetSize, b.refSize)
	b.cells = data[head:]
	if roots != 1 || absent != 0 || root != 0 || size != uint64(len(b.cells)) || count < 1 || count > size/2 ||
		count > uint64(cell.MaxBOCCells) || size > 1<<31 {
		return bag{}, false
	}
	b.count = int(count)
	return b, true
}

// The first descriptor byte of a cell.
const (
	descriptorRefs    = 0x07
	descriptorSpecial = 0x08
	descriptorHashes  = 0x10
	descriptorLevels  = 0xe0
	descriptorLevel1  = 0x20
)

// body returns the serialized data of a cell. It ends with a completion tag unless its bits fill bytes.
func (p *blockParser) body(i int) []byte {
	at := p.cells[i].at + 2
	n := (uint32(p.bag.cells[at-1]) + 1) >> 1
	return p.bag.cells[at : at+n]
}

// descriptors returns the two descriptor bytes of a cell.
func (p *blockParser) descriptors(i int) (refs int, d1, d2 byte) {
	at := p.cells[i].at
	d1 = p.bag.cells[at]
	return int(d1 & descriptorRefs), d1, p.bag.cells[at+1]
}

// ref returns a reference of a cell. The body of the cell is given, because references follow it.
func (p *blockParser) ref(i int, body []byte, n int) int {
	at := int(p.cells[i].at) + 2 + len(body) + n*p.bag.refSize
	if b := p.bag.cells[at:]; p.bag.refSize == 2 {
		return int(binary.BigEndian.Uint16(b))
	}
	v := 0
	for _, b := range p.bag.cells[at : at+p.bag.refSize] {
		v = v<<8 | int(b)
	}
	return v
}

// open finds the cells of a bag and marks the parts that they belong to. It reports false for a bag that is malformed or has cells that
// the root does not lead to.
func (p *blockParser) open(b bag) bool {
	p.bag = b
	p.cells = slices.Grow(p.cells[:0], b.count)[:b.count]
	clear(p.cells)
	at := 0
	for i := range p.cells {
		if len(b.cells)-at < 2 {
			return false
		}
		p.cells[i].at = uint32(at)
		d1, d2 := b.cells[at], b.cells[at+1]
		refs, length := int(d1&descriptorRefs), (int(d2)+1)>>1
		at += 2 + length + refs*b.refSize
		if refs > 4 || d1&descriptorHashes != 0 || at > len(b.cells) {
			return false
		}
		if d2&1 != 0 && b.cells[at-refs*b.refSize-1]&0x7f == 0 {
			return false // no completion tag, or one that only repeats full bytes
		}
	}
	if at != len(b.cells) {
		return false
	}
	return p.mark()
}

// mark propagates the parts of a block from the root down: references lead to cells behind.
func (p *blockParser) mark() bool {
	for i := range p.cells {
		refs, _, _ := p.descriptors(i)
		if i > 0 && p.cells[i].visited == 0 || i == 0 && refs != 4 {
			return false
		}
		body := p.body(i)
		for n := range refs {
			to := p.ref(i, body, n)
			if to <= i || to >= len(p.cells) {
				return false
			}
			part := p.cells[i].visited
			switch {
			case i == 0 && n == updateRef:
				part = inUpdate
			case i == 0:
				part = inOthers
			}
			p.cells[to].visited |= part
		}
	}
	return true
}

// updateRef is the reference of a block to its state update.
const updateRef = 2

// block builds the root cell of the block from data, which has the bag.
func (p *blockParser) block(data []byte) (*cell.Cell, error) {
	if err := p.hashUpdate(); err != nil {
		return nil, err
	}
	update, err := p.update(data)
	if err != nil {
		return nil, err
	}
	parts, err := p.others()
	if err != nil {
		return nil, err
	}
	_, d1, d2 := p.descriptors(0)
	if d1 != 4 || d2&1 != 0 {
		return nil, errBlockForm
	}
	body := p.body(0)
	root := cell.BeginCell()
	if err := root.StoreSlice(body, uint(len(body))*8); err != nil {
		return nil, err
	}
	for _, part := range []*cell.Cell{parts[0], parts[1], update, parts[2]} {
		if err := root.StoreRef(part); err != nil {
			return nil, err
		}
	}
	return root.EndCell(), nil
}

// others parses the parts of the block besides its update as a bag of cells of their own.
func (p *blockParser) others() ([]*cell.Cell, error) {
	p.number = slices.Grow(p.number[:0], len(p.cells))[:len(p.cells)]
	count, size := int32(0), 0
	for i := 1; i < len(p.cells); i++ {
		if p.cells[i].visited&inOthers == 0 {
			continue
		}
		p.number[i] = count
		refs, _, _ := p.descriptors(i)
		size += 2 + len(p.body(i)) + refs*otherRefSize
		count++
	}
	const head = 6 + 3*otherRefSize + 4 + 3*otherRefSize
	b := make([]byte, 0, head+size)
	b = append(b, 0xb5, 0xee, 0x9c, 0x72, otherRefSize, 4)
	b = binary.BigEndian.AppendUint32(b, uint32(count))
	b = binary.BigEndian.AppendUint32(b, 3) // roots
	b = binary.BigEndian.AppendUint32(b, 0) // absent
	b = binary.BigEndian.AppendUint32(b, uint32(size))
	root := p.body(0)
	for n := range 4 {
		if n != updateRef {
			b = binary.BigEndian.AppendUint32(b, uint32(p.number[p.ref(0, root, n)]))
		}
	}
	for i := 1; i < len(p.cells); i++ {
		if p.cells[i].visited&inOthers == 0 {
			continue
		}
		refs, d1, d2 := p.descriptors(i)
		body := p.body(i)
		b = append(append(b, d1, d2), body...)
		for n := range refs {
			b = binary.BigEndian.AppendUint32(b, uint32(p.number[p.ref(i, body, n)]))
		}
	}
	parts, err := cellgraph.FromBOCMultiRoot(b)
	if err == nil && len(parts) != 3 {
		err = errBlockForm
	}
	return parts, err
}

// otherRefSize is the size of a reference in the bag of the other parts.
const otherRefSize = 4

// release returns the parser to the pool, without the bytes that it has read.
func (p *blockParser) release() {
	p.bag = bag{}
	if len(p.cells) <= maxRetainedCells {
		blockParsers.Put(p)
	}
}

// update builds the cell of the state update. Its sides are loaded from data when somebody reads them.
func (p *blockParser) update(data []byte) (*cell.Cell, error) {
	at := p.ref(0, p.body(0), updateRef)
	refs, d1, d2 := p.descriptors(at)
	body := p.body(at)
	if d1 != 2|descriptorSpecial {
		return nil, errBlockForm
	}
	sides := make([]cell.LazyRef, refs)
	for n := range sides {
		to := p.ref(at, body, n)
		_, side, _ := p.descriptors(to)
		levels := side & descriptorLevels >> 5
		for level := range 1 + int(levels) {
			sides[n].Hashes = append(sides[n].Hashes, p.hashes[level][to][:]...)
			sides[n].Depths = append(sides[n].Depths, p.depths[level][to])
		}
		sides[n].LevelMask = cell.LevelMask{Mask: levels}
	}
	return cell.CreateWithLazyRefsUnsafe(uint16(d1)<<8|uint16(d2), slices.Clone(body), p.hashes[0][at][:], []uint16{p.depths[0][at]}, sides,
		func(side cell.Hash) (*cell.Cell, error) { return loadSide(data, side) })
}

// loadSide parses a block completely for a side of its update.
func loadSide(data []byte, side cell.Hash) (*cell.Cell, error) {
	root, err := cellgraph.FromBOC(data)
	if err != nil {
		return nil, err
	}
	update, err := root.PeekRef(updateRef)
	if err != nil {
		return nil, err
	}
	for n := range int(update.RefsNum()) {
		if ref, err := update.PeekRef(n); err == nil && ref.HashKey() == side {
			return ref, nil
		}
	}
	return nil, errBlockForm
}

// hashUpdate computes the hashes and depths of the cells of the update.
func (p *blockParser) hashUpdate() error {
	n := len(p.cells)
	for level := range p.hashes {
		p.hashes[level] = slices.Grow(p.hashes[level][:0], n)[:n]
		p.depths[level] = slices.Grow(p.depths[level][:0], n)[:n]
	}
	update := p.ref(0, p.body(0), updateRef)
	for i := n - 1; i > 0; i-- {
		if p.cells[i].visited&inUpdate == 0 {
			continue
		}
		var err error
		switch refs, d1, _ := p.descriptors(i); {
		case i == update:
			err = p.hashMerkleUpdate(i)
		case d1&descriptorSpecial == 0:
			err = p.hashOrdinary(i)
		case refs == 0:
			err = p.hashSpecial(i)
		default:
			err = errBlockForm
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hashOrdinary hashes an ordinary cell of level 0 or 1 at each of its levels. A hash of level 1 has that of level 0 in place of the data.
func (p *blockParser) hashOrdinary(i int) error {
	refs, d1, _ := p.descriptors(i)
	body := p.body(i)
	var children [4]int
	levels := byte(0)
	for n := range refs {
		children[n] = p.ref(i, body, n)
		_, child, _ := p.descriptors(children[n])
		levels |= child & descriptorLevels
	}
	if levels != d1&descriptorLevels || levels&^descriptorLevel1 != 0 {
		return errBlockForm
	}
	if err := p.hash(i, 0, 0, body, children[:refs]); err != nil || levels == 0 {
		return err
	}
	return p.hash(i, 1, 1, p.hashes[0][i][:], children[:refs])
}

// hashMerkleUpdate hashes the update: the levels of what is below count one less, and its data repeats the hashes of level 0.
func (p *blockParser) hashMerkleUpdate(i int) error {
	refs, d1, d2 := p.descriptors(i)
	body := p.body(i)
	if d1 != 2|descriptorSpecial || refs != 2 || d2 != 2*69 || body[0] != byte(cell.MerkleUpdateCellType) {
		return errBlockForm
	}
	children := [2]int{p.ref(i, body, 0), p.ref(i, body, 1)}
	for n, to := range children {
		if cell.Hash(body[1+32*n:]) != p.hashes[0][to] || binary.BigEndian.Uint16(body[65+2*n:]) != p.depths[0][to] {
			return errBlockForm
		}
	}
	return p.hash(i, 0, 1, body, children[:])
}

// hashSpecial hashes a pruned branch of level 1, which names the hash of level 0, or a library.
func (p *blockParser) hashSpecial(i int) error {
	_, d1, d2 := p.descriptors(i)
	body := p.body(i)
	switch {
	case len(body) == 0:
		return errBlockForm
	case cell.Type(body[0]) == cell.LibraryCellType && d1 == descriptorSpecial && d2 == 2*33:
		return p.hash(i, 0, 0, body, nil)
	case cell.Type(body[0]) == cell.PrunedCellType && d1 == descriptorSpecial|descriptorLevel1 && d2 == 2*36 && body[1] == 1:
		p.hashes[0][i] = cell.Hash(body[2:])
		p.depths[0][i] = binary.BigEndian.Uint16(body[34:])
		return p.hash(i, 1, 1, body, nil)
	default:
		return errBlockForm
	}
}

// hash computes the hash and the depth of a cell at a level, from its data and from its children at level below. A child of level 0
// is the same at all levels.
func (p *blockParser) hash(i, level, below int, data []byte, children []int) error {
	const maxDepth = 1024
	_, d1, d2 := p.descriptors(i)
	p.buf[0], p.buf[1] = d1&^descriptorLevels|byte(level)<<5, d2
	end := 2 + copy(p.buf[2:], data)
	depth := uint16(0)
	for _, to := range children {
		d := p.depths[p.at(to, below)][to]
		if d >= maxDepth {
			return errBlockForm
		}
		binary.BigEndian.PutUint16(p.buf[end:], d)
		end += 2
		depth = max(depth, d+1)
	}
	for _, to := range children {
		end += copy(p.buf[end:], p.hashes[p.at(to, below)][to][:])
	}
	p.hashes[level][i], p.depths[level][i] = sha256.Sum256(p.buf[:end]), depth
	return nil
}

// at returns the level of a cell that stands for level.
func (p *blockParser) at(i, level int) int {
	if p.bag.cells[p.cells[i].at]&descriptorLevel1 == 0 {
		return 0
	}
	return level
}
