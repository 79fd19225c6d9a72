package rawtx

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

var (
	errForm     = errors.New("not a bag of cells with one root")
	errChecksum = errors.New("bag of cells with another checksum")
	errRef      = errors.New("a cell refers to itself or to an earlier one")
)

// The header of serialized_boc#b5ee9c72: magic, flags with the size of references, size of offsets.
const (
	magic       = 0xb5ee9c72
	flagIndex   = 0x80
	flagCRC     = 0x40
	flagReserve = 0x18
	maskSize    = 0x07
	maxSize     = 4
)

// The first byte of a cell (d1): number of references, exotic, stored hashes, level mask. The second (d2): length of the data.
const (
	maskRefs   = 0x07
	flagExotic = 0x08
	flagHashes = 0x10
	maskLevel  = 0xe0
	maxRefs    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
func (b *bag) parse(boc []byte) error {
	const fixed = 6
	if len(boc) < fixed || uint64(len(boc)) > 1<<31 || binary.BigEndian.Uint32(boc) != magic || boc[4]&flagReserve != 0 {
		return errForm
	}
	flags, offset := boc[4], int(boc[5])
	b.size = int(flags & maskSize)
	if b.size == 0 || b.size > maxSize || offset == 0 || offset > 8 {
		return errForm
	}
	data := boc
	if flags&flagCRC != 0 {
		if len(boc) < fixed+4 {
			return errForm
		}
		data = boc[:len(boc)-4]
		if crc32.Checksum(data, castagnoli) != binary.LittleEndian.Uint32(boc[len(data):]) {
			return errChecksum
		}
	}
	header := fixed + 3*b.size + offset + b.size // cells, roots, absent, total size, the root
	if len(data) < header {
		return errForm
	}
	cells, roots, absent := number(data[fixed:], b.size), number(data[fixed+b.size:], b.size), number(data[fixed+2*b.size:], b.size)
	root := number(data[header-b.size:], b.size)
	if roots != 1 || absent != 0 || root >= cells || cells > uint64(len(data)) {
		return errForm
	}
	if flags&flagIndex != 0 {
		header += int(cells) * offset
	}
	b.boc, b.count, b.root = data, int(cells), int(root)
	return b.find(header)
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
	to := number(c.refs[n*b.size:], b.size)
	if to <= uint64(c.index) || to >= uint64(b.count) {
		return 0, errRef
	}
	return int(to), nil
}

// number reads an unsigned number of size bytes, big endian.
func number(b []byte, size int) (v uint64) {
	for _, x := range b[:size] {
		v = v<<8 | uint64(x)
	}
	return v
}
