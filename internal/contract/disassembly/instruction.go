package disassembly

import (
	"fmt"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// operandsOf returns the references that an instruction took: those of before that are not in after.
func operandsOf(before, after *cell.Slice) []*cell.Cell {
	n := before.RefsNum() - after.RefsNum()
	refs := make([]*cell.Cell, 0, max(n, 0))
	for i := range n {
		ref, err := before.PeekRefCellAt(i)
		if err != nil {
			break
		}
		refs = append(refs, ref)
	}
	return refs
}

// constant is an instruction with a constant in its own bits: a continuation or a slice. The library writes these with all
// cells below, as a tree, which has no end for shared cells.
type constant struct {
	prefix uint64
	length uint   // bits of the prefix
	refs   uint   // bits of the number of references
	more   uint   // added to the number of references
	size   uint   // bits of the number of bytes
	rest   uint   // bits beyond the bytes
	name   string // after the constant
	code   bool   // a continuation; the others are slices with a completion tag
}

var constants = []constant{
	{0x9, 4, 0, 0, 4, 0, "PUSHCONT", true},
	{0x47, 7, 2, 0, 7, 0, "PUSHCONT", true},
	{0x8B, 8, 0, 0, 4, 4, "PUSHSLICE", false},
	{0x8C, 8, 2, 1, 5, 1, "PUSHSLICE", false},
	{0x8D, 8, 3, 0, 7, 6, "PUSHSLICE", false},
	{0xCF80 >> 7, 9, 2, 0, 3, 2, "STSLICECONST", false},
	{0xD728 >> 2, 14, 0, 0, 7, 3, "SDBEGINS", false},
	{0xD728>>2 | 1, 14, 0, 0, 7, 3, "SDBEGINSQ", false},
}

// constantOf reads the constant of an instruction; nil when it has none in its bits.
func constantOf(code *cell.Slice) (*cell.Slice, *constant) {
	for i := range constants {
		c := &constants[i]
		s := code.Copy()
		if p, err := s.LoadUInt(c.length); err != nil || p != c.prefix {
			continue
		}
		refs, err := s.LoadUInt(c.refs)
		if err != nil {
			return nil, nil
		}
		size, err := s.LoadUInt(c.size)
		if err != nil {
			return nil, nil
		}
		value, err := s.FetchSubslice(uint(size)*8+c.rest, int(uint(refs)+c.more))
		if err != nil {
			return nil, nil
		}
		if !c.code {
			value.RemoveTrailing()
		}
		return value, c
	}
	return nil, nil
}

// runsReferences are the instructions whose references are code.
var runsReferences = map[string]bool{
	"CALLREF": true, "JMPREF": true, "JMPREFDATA": true, "IFREF": true, "IFNOTREF": true, "IFJMPREF": true, "IFNOTJMPREF": true,
	"IFREFELSE": true, "IFELSEREF": true, "IFREFELSEREF": true, "PUSHREFCONT": true, "IFBITJMPREF": true, "IFNBITJMPREF": true,
}

// isCode reports whether an instruction executes its references; some names have arguments before or after them.
func isCode(name string) bool {
	for part := range strings.FieldsSeq(name) {
		if runsReferences[part] {
			return true
		}
	}
	return false
}

// referring are the instructions with references whose texts would have all cells below, by their first byte or bytes.
var referring = []struct {
	prefix uint64
	length uint
	name   string
}{
	{0x88, 8, "PUSHREF"},
	{0x89, 8, "PUSHREFSLICE"},
	{0x8A, 8, "PUSHREFCONT"},
	{0xF4A400 >> 11, 13, "DICTPUSHCONST"},
	{0xF4AC00 >> 11, 13, "PFXDICTSWITCH"},
}

// nameOf returns the text of an instruction without its references.
func nameOf(code *cell.Slice, op vm.OP) string {
	for _, r := range referring {
		p, err := code.PreloadUInt(r.length)
		if err != nil || p != r.prefix {
			continue
		}
		if r.length == 13 {
			s := code.Copy()
			if _, err := s.LoadUInt(14); err == nil {
				if width, err := s.LoadUInt(10); err == nil {
					return fmt.Sprintf("%d %s", width, r.name)
				}
			}
		}
		return r.name
	}
	return postfix(op.SerializeText())
}

// postfix writes operands before the instruction, as Fift has them; the library has them on either side.
func postfix(text string) string {
	parts := strings.Fields(text)
	if len(parts) < 2 || !isMnemonic(parts[0]) || isMnemonic(parts[len(parts)-1]) {
		return text
	}
	return strings.Join(append(parts[1:], parts[0]), " ")
}

// isMnemonic reports whether a part is the name of an instruction.
func isMnemonic(part string) bool {
	return part[0] >= 'A' && part[0] <= 'Z' && strings.ToUpper(part) == part
}

// instruction writes one instruction.
func (w *writer) instruction(depth int, code *cell.Slice, op vm.OP, refs []*cell.Cell) {
	if value, c := constantOf(code); c != nil {
		if c.code {
			w.block(depth, value, c.name)
		} else {
			w.linef(depth, "%s %s", bits(value), c.name)
			w.constants(depth, value)
		}
		return
	}
	name := nameOf(code, op)
	switch {
	case len(refs) == 0:
		w.linef(depth, "%s", name)
	case isCode(name):
		for i, ref := range refs {
			if i == len(refs)-1 {
				w.blockCell(depth, ref, name)
			} else {
				w.blockCell(depth, ref)
			}
		}
	default:
		for _, ref := range refs {
			w.constantCell(depth, ref)
		}
		w.linef(depth, "%s", name)
	}
}

// constants writes the cells that a constant slice refers to.
func (w *writer) constants(depth int, s *cell.Slice) {
	for i := range s.RefsNum() {
		if ref, err := s.PeekRefCellAt(i); err == nil {
			w.constantCell(depth+1, ref)
		}
	}
}

// constantCell writes one cell, without those that it refers to.
func (w *writer) constantCell(depth int, c *cell.Cell) {
	s, err := c.BeginParse()
	if c.IsSpecial() || err != nil {
		w.linef(depth, "// special cell %x", c.Hash())
		return
	}
	w.linef(depth, "%s // cell %x", bits(s), c.Hash())
}
