package body

import (
	_ "embed"
	"strconv"
	"strings"
)

// opcodesTSV has one opcode per line, eight hex digits, and its name after a tab. Two of them are tags of 28 bits,
// which are looked up as the number they are.
//
//go:embed opcodes.tsv
var opcodesTSV string

var names = readNames(opcodesTSV)

func readNames(text string) map[uint32]string {
	list := make(map[uint32]string, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		digits, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		op, err := strconv.ParseUint(digits, 16, 32)
		if err != nil {
			panic(err) //nolint:forbidigo // the embedded table is constant
		}
		list[uint32(op)] = name
	}
	return list
}

// Name is the published name of an opcode, "" when it has none. One opcode is shared by three protocols whose bodies
// have the same opcode; its name is all three, joined by commas.
func Name(opcode uint32) string { return names[opcode] }

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
