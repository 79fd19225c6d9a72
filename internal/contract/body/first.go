package body

import (
	"encoding/binary"
	"math/bits"
)

// First returns the data of the first cell of a bag, which is the root, and its length in bits, without building cells. ok is false for bags
// of another form, and for exotic cells. Neither the other cells nor a checksum are read.
//
//	serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) size:(## 3) off_bytes:(## 8)
//	  cells:(##(size * 8)) roots:(##(size * 8)) absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8))
//	  index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ]) crc32c:has_crc32c?uint32 = BagOfCells;
func First(boc []byte) (data []byte, length int, ok bool) {
	const (
		magic, fixed              = 0xb5ee9c72, 6
		flagIndex, flagCRC        = 0x80, 0x40
		maskSize, maxSize         = 7, 4
		descriptors, notPlain     = 2, 0xf8 // d1 of an ordinary cell of level 0 is its number of references
		checksum, onlyRoot    int = 4, 1
	)
	if len(boc) < fixed || binary.BigEndian.Uint32(boc) != magic {
		return nil, 0, false
	}
	size, offset := int(boc[4]&maskSize), int(boc[5])
	if size == 0 || size > maxSize || offset == 0 || offset > 8 {
		return nil, 0, false
	}
	at := fixed + 3*size + offset + size
	if boc[4]&flagCRC != 0 {
		boc = boc[:max(len(boc)-checksum, 0)]
	}
	if len(boc) < at || number(boc[fixed+size:], size) != onlyRoot || number(boc[at-size:], size) != 0 {
		return nil, 0, false
	}
	if boc[4]&flagIndex != 0 {
		at += number(boc[fixed:], size) * offset
	}
	if len(boc) < at+descriptors || boc[at]&notPlain != 0 {
		return nil, 0, false
	}
	d2 := int(boc[at+1])
	at += descriptors
	end := at + (d2+1)/2
	if len(boc) < end {
		return nil, 0, false
	}
	data, length = boc[at:end:end], d2/2*8
	if d2&1 != 0 { // the last byte ends with a one and zeros
		last := data[len(data)-1]
		if last == 0 {
			return nil, 0, false
		}
		length += 7 - bits.TrailingZeros8(last)
	}
	return data, length, true
}

// number reads an unsigned number of size bytes.
func number(b []byte, size int) (n int) {
	for _, x := range b[:size] {
		n = n<<8 | int(x)
	}
	return n
}

// fitsSome reports whether a layout can fit a body inside the chain, or the body is a comment; true where that is not seen in its first cell.
func fitsSome(boc []byte) bool {
	const opcode = 32
	data, length, ok := First(boc)
	if !ok || length < opcode {
		return true
	}
	op := binary.BigEndian.Uint32(data)
	return op == OpTextComment || len(bodies.candidates(op)) > 0
}
