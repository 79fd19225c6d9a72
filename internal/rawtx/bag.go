package rawtx

import (
	"errors"

	"tonql/internal/boc"
)

var (
	errForm     = errors.New("not a bag of cells with one root")
	errChecksum = errors.New("bag of cells with another checksum")
	errRef      = errors.New("a cell refers to itself or to an earlier one")
)

// The first byte of a cell (d1): number of references, exotic, stored hashes, level mask. The second (d2): length of the data.
const (
	maskRefs   = 0x07
	flagExotic = 0x08
	flagHashes = 0x10
	maskLevel  = 0xe0
	maxRefs    = 4
)

// bag is a bag of cells, of which only the places of the cells are known.
type bag struct {
	boc    []byte
	size   int      // of a reference
	starts []uint32 // of each cell in boc, after the first 64
	first  [64]uint32
	count  int
	root   int
}

// parse finds the cells of a bag. Exotic cells and those with a level are found, too.
func (b *bag) parse(bag []byte) error {
	h, ok := boc.ReadHeader(bag)
	if !ok {
		return errForm
	}
	if !h.ChecksumFits(bag) {
		return errChecksum
	}
	b.boc, b.size, b.count, b.root = bag[:h.End], h.IndexSize, h.Cells, h.Root
	return b.find(h.Start)
}

// find sets the start of each cell.
func (b *bag) find(at int) error {
	if b.count > len(b.first) {
		b.starts = make([]uint32, b.count-len(b.first))
	}
	for i := range b.count {
		if at+2 > len(b.boc) {
			return errForm
		}
		d1, d2 := b.boc[at], int(b.boc[at+1])
		if d1&maskRefs > maxRefs || d1&flagHashes != 0 {
			return errForm
		}
		if i < len(b.first) {
			b.first[i] = uint32(at)
		} else {
			b.starts[i-len(b.first)] = uint32(at)
		}
		at += 2 + (d2+1)/2 + int(d1&maskRefs)*b.size
	}
	if at != len(b.boc) {
		return errForm
	}
	return nil
}

// start returns where a cell begins in boc.
func (b *bag) start(i int) int {
	if i < len(b.first) {
		return int(b.first[i])
	}
	return int(b.starts[i-len(b.first)])
}

// cell is one cell of a bag.
type cell struct {
	index int
	d1    byte
	bits  int
	data  []byte // with the completion tag
	refs  []byte
}

// cell returns a cell by its index, which is in range.
func (b *bag) cell(i int) (cell, error) {
	start := b.start(i)
	d1, d2 := b.boc[start], int(b.boc[start+1])
	from, end := start+2, start+2+(d2+1)/2
	c := cell{index: i, d1: d1, data: b.boc[from:end:end], bits: d2 / 2 * 8}
	c.refs = b.boc[end : end+int(d1&maskRefs)*b.size]
	if d2&1 != 0 {
		last := b.boc[end-1]
		if last == 0 {
			return c, errForm
		}
		c.bits += 7
		for ; last&1 == 0; last >>= 1 {
			c.bits--
		}
	}
	return c, nil
}

// ref returns the index of the n-th reference of a cell. References lead to later cells, so that there are no cycles.
func (b *bag) ref(c *cell, n int) (int, error) {
	to := boc.Uint(c.refs[n*b.size:], b.size)
	if to <= uint64(c.index) || to >= uint64(b.count) {
		return 0, errRef
	}
	return int(to), nil
}
