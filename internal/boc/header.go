package boc

import (
	"encoding/binary"
	"hash/crc32"
)

// Header is the header of a bag of cells with one root.
//
//	serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) size:(## 3) off_bytes:(## 8)
//	  cells:(##(size * 8)) roots:(##(size * 8)) absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8))
//	  index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ]) crc32c:has_crc32c?uint32 = BagOfCells;
type Header struct {
	Cells     int  // number of cells
	Root      int  // index of the root
	IndexSize int  // size of the index of a cell in bytes
	Start     int  // of cell_data
	End       int  // of cell_data, where a checksum may follow
	Checksum  bool // a checksum follows
}

// Magic begins a bag of cells; FlagChecksum, in the byte after it, says that the bag ends with a checksum.
const (
	Magic        = 0xb5ee9c72
	FlagChecksum = 0x40
)

const (
	flagIndex    = 0x80
	flagCache    = 0x20 // of an index only
	flagReserved = 0x18
	maskSize     = 0x07
	maxSize      = 4
	maxOffset    = 8
	fixed        = 6 // bytes up to the number of cells
	checksumSize = 4
)

// ReadHeader returns the header of a bag with one root and no absent cells. ok is false for everything else. Neither the cells nor the
// checksum are read.
func ReadHeader(bag []byte) (h Header, ok bool) {
	if len(bag) < fixed || uint64(len(bag)) > 1<<31 || binary.BigEndian.Uint32(bag) != Magic || bag[4]&flagReserved != 0 {
		return h, false
	}
	flags, offset := bag[4], int(bag[5])
	size := int(flags & maskSize)
	if size == 0 || size > maxSize || offset == 0 || offset > maxOffset || flags&(flagIndex|flagCache) == flagCache {
		return h, false
	}
	h = Header{IndexSize: size, Start: fixed + 3*size + offset + size, End: len(bag), Checksum: flags&FlagChecksum != 0}
	if h.Checksum {
		h.End -= checksumSize
	}
	if h.End < h.Start {
		return h, false
	}
	cells, roots, absent := Uint(bag[fixed:], size), Uint(bag[fixed+size:], size), Uint(bag[fixed+2*size:], size)
	root := Uint(bag[h.Start-size:], size)
	if roots != 1 || absent != 0 || root >= cells || cells > uint64(h.End) {
		return h, false
	}
	h.Cells, h.Root = int(cells), int(root)
	if flags&flagIndex != 0 {
		h.Start += h.Cells * offset
	}
	return h, h.Start <= h.End && Uint(bag[fixed+3*size:], offset) == uint64(h.End-h.Start)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ChecksumFits reports whether the bag has no checksum, or that of its bytes.
func (h *Header) ChecksumFits(bag []byte) bool {
	return !h.Checksum || Checksum(bag[:h.End]) == binary.LittleEndian.Uint32(bag[h.End:])
}

// Checksum returns the checksum of bytes of a bag, CRC-32C. The bag ends with it, little endian.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Uint reads an unsigned number of size bytes, big endian.
func Uint(b []byte, size int) (v uint64) {
	for _, x := range b[:size] {
		v = v<<8 | uint64(x)
	}
	return v
}
