package body

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// shortComment returns the text of a comment that is a bag of one ordinary cell of complete bytes, as most comments are, without
// building cells. Other bags are left to [Comment], which reads the same from this one.
//
// Such a bag is, with references and offsets of one byte (serialized_boc#b5ee9c72):
//
//	magic:4 flags:1 offset_size:1 cells:1 roots:1 absent:1 total_size:1 root:1 [index:1] d1:1 d2:1 data [crc32c:4]
func shortComment(boc []byte) (text []byte, ok bool) {
	const (
		magic, flagIndex, flagCRC = 0xb5ee9c72, 0x80, 0x40
		fixed                     = 11
	)
	if len(boc) < fixed+6 || binary.BigEndian.Uint32(boc) != magic {
		return nil, false
	}
	flags, cells := boc[4], boc[fixed:]
	if flags&^(flagIndex|flagCRC) != 1 || [6]byte(boc[5:fixed]) != [6]byte{1, 1, 1, 0, boc[9], 0} {
		return nil, false
	}
	if flags&flagCRC != 0 {
		end := len(boc) - 4
		if binary.LittleEndian.Uint32(boc[end:]) != crc32.Checksum(boc[:end], castagnoli) {
			return nil, false
		}
		cells = cells[:len(cells)-4]
	}
	size := int(boc[9])
	if flags&flagIndex != 0 {
		if len(cells) == 0 || int(cells[0]) != size {
			return nil, false
		}
		cells = cells[1:]
	}
	const descriptors, opcode = 2, 4
	if len(cells) != size || size < descriptors+opcode || cells[0] != 0 || int(cells[1]) != 2*(size-descriptors) {
		return nil, false
	}
	data := cells[descriptors:]
	if len(data) < opcode || binary.BigEndian.Uint32(data) != OpTextComment || !validText(data[opcode:]) {
		return nil, false
	}
	return data[opcode:], true
}
