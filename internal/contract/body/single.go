package body

import (
	"encoding/binary"

	"tonql/internal/boc"
)

// shortComment returns the text of a comment that is a bag of one ordinary cell of complete bytes, as most comments are, without
// building cells. Other bags are left to [Comment], which reads the same from this one.
func shortComment(bag []byte) (text []byte, ok bool) {
	const opcode = 4
	h, ok := boc.ReadHeader(bag)
	if !ok || h.Cells != 1 || !h.ChecksumFits(bag) {
		return nil, false
	}
	data, length, ok := boc.Root(bag)
	if !ok || length != 8*len(data) || bag[h.Start] != 0 || len(data) != h.End-h.Start-2 {
		return nil, false
	}
	if len(data) < opcode || binary.BigEndian.Uint32(data) != opTextComment || !validText(data[opcode:]) {
		return nil, false
	}
	return data[opcode:], true
}
