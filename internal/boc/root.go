package boc

import "math/bits"

// The first byte of a cell is its number of references, whether it is exotic, whether hashes are stored, and its level mask. The second is
// the length of its data.
const (
	descriptors = 2
	maskPlain   = 0xf8 // zero in d1 of an ordinary cell of level 0
	maskLevel   = 0xe0
)

// Root returns the data of the root of a bag whose first cell it is, and its length in bits. ok is false for bags of another form, and for
// exotic cells and cells of a level. Neither the other cells nor a checksum are read.
func Root(bag []byte) (data []byte, length int, ok bool) {
	h, ok := first(bag)
	if !ok || bag[h.Start]&maskPlain != 0 {
		return nil, 0, false
	}
	d2, at := int(bag[h.Start+1]), h.Start+descriptors
	end := at + (d2+1)/2
	if h.End < end {
		return nil, 0, false
	}
	data, length = bag[at:end:end], d2/2*8
	if d2&1 != 0 { // the last byte ends with a one and zeros
		last := data[len(data)-1]
		if last == 0 {
			return nil, 0, false
		}
		length += 7 - bits.TrailingZeros8(last)
	}
	return data, length, true
}

// RootHasLevel reports whether the first cell of a bag is its root and has a level above 0, so that pruned branches are below it or it is one.
func RootHasLevel(bag []byte) bool {
	h, ok := first(bag)
	return ok && bag[h.Start]&maskLevel != 0
}

// first returns the header of a bag whose first cell is the root.
func first(bag []byte) (Header, bool) {
	h, ok := ReadHeader(bag)
	return h, ok && h.Root == 0 && h.Start+descriptors <= h.End
}
