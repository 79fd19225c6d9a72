package body

import (
	"strconv"
	"strings"
)

// Name is the published name of an opcode, "" when it has none. One opcode is shared by three protocols whose bodies
// have the same opcode; its name is all three, joined by commas.
func Name(opcode uint32) string { return bodies.names[opcode] }

// ParseOpcode reads an opcode as people write it: hex with or without 0x, else a decimal number, signed or not. Digits
// alone are therefore hex.
func ParseOpcode(text string) (uint32, bool) {
	text = strings.TrimPrefix(text, "0x")
	for _, base := range []int{16, 10} {
		if n, err := strconv.ParseUint(text, base, 32); err == nil {
			return uint32(n), true
		}
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return uint32(n), err == nil
}
