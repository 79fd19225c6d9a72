package body

import (
	"encoding/binary"

	"tonql/internal/boc"
)

// fitsSome reports whether a layout can fit a body inside the chain; true where that is not seen in its first cell.
func fitsSome(bag []byte) bool {
	const opcode = 32
	data, length, ok := boc.Root(bag)
	if !ok || length < opcode {
		return true
	}
	if op := binary.BigEndian.Uint32(data); len(bodies.candidates(op)) > 0 {
		return true
	}
	return length >= signatureBits+opcode && tgOpcodes[binary.BigEndian.Uint32(data[signatureBits/8:])]
}
