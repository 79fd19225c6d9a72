package disassembly

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Limits bound a disassembly.
type Limits struct {
	Instructions int
	Depth        int // of blocks within blocks
	Bytes        int // of the text
}

// DefaultLimits are far above the largest contracts of the network, whose code has some 10,000 instructions.
var DefaultLimits = Limits{Instructions: 50_000, Depth: 64, Bytes: 2 << 20}

// Text is the code of a contract as text.
type Text struct {
	Text         string
	Instructions int
	// Complete says that no limit was reached.
	Complete bool
	// Methods are the ids of the methods that the text has, in its order.
	Methods []int32
}

// Disassemble writes code as text. nameOf names a method by its id; it may return "". A library cell must be resolved first.
func Disassemble(code *cell.Cell, nameOf func(id int32) string, limits Limits) *Text {
	w := &writer{limits: limits, nameOf: nameOf}
	w.cell(code, 0)
	if w.exceeded {
		w.text.WriteString("// the code continues\n")
	}
	return &Text{Text: w.text.String(), Instructions: w.instructions, Complete: !w.exceeded, Methods: w.methods}
}

// writer writes one text.
type writer struct {
	limits       Limits
	nameOf       func(int32) string
	text         bytes.Buffer
	instructions int
	methods      []int32
	exceeded     bool
}

// linef writes a line at a depth.
func (w *writer) linef(depth int, format string, args ...any) {
	if w.exceeded {
		return
	}
	if w.text.Len() > w.limits.Bytes {
		w.exceeded = true
		return
	}
	w.text.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// cell writes the instructions of a cell.
func (w *writer) cell(c *cell.Cell, depth int) {
	if s := w.open(c, depth); s != nil {
		w.code(s, depth)
	}
}

// open begins to read a cell; nil when it is no ordinary one.
func (w *writer) open(c *cell.Cell, depth int) *cell.Slice {
	if c == nil {
		return nil
	}
	if c.IsSpecial() {
		w.linef(depth, "// library %x", c.Hash())
		return nil
	}
	s, err := c.BeginParse()
	if err != nil {
		w.linef(depth, "// cell %x cannot be read", c.Hash())
		return nil
	}
	return s
}

// step counts an instruction, or a cell without any; false at the limit.
func (w *writer) step() bool {
	if w.instructions >= w.limits.Instructions {
		w.exceeded = true
	} else {
		w.instructions++
	}
	return !w.exceeded
}

// code writes instructions until the bits end. The TVM continues in the next reference then.
func (w *writer) code(s *cell.Slice, depth int) {
	if depth > w.limits.Depth {
		w.exceeded = true
		return
	}
	for s != nil {
		for s.BitsLeft() > 0 {
			if !w.step() {
				return
			}
			if !w.next(s, depth) {
				return
			}
		}
		if s.RefsNum() == 0 {
			return
		}
		next, err := s.PeekRefCell()
		if err != nil || !w.step() {
			return
		}
		w.linef(depth, "// continues in the next cell")
		s = w.open(next, depth)
	}
}

// next writes the next instruction; false when there is none.
func (w *writer) next(s *cell.Slice, depth int) bool {
	before := s.Copy()
	if d, ok := methodTable(s); ok {
		w.table(d, depth)
		return !w.exceeded
	}
	op, ok := decode(s)
	if !ok {
		w.linef(depth, "%s // not an instruction", bits(before))
		return false
	}
	w.instruction(depth, before, op, operandsOf(before, s))
	return !w.exceeded
}

// block writes code between braces, and the instruction after it.
func (w *writer) block(depth int, code *cell.Slice, after string) {
	w.linef(depth, "<{")
	if code != nil {
		w.code(code, depth+1)
	}
	w.linef(depth, "}> %s", after)
}

// blockCell is block for a cell that an instruction refers to.
func (w *writer) blockCell(depth int, code *cell.Cell, after ...string) {
	w.linef(depth, "<{")
	w.cell(code, depth+1)
	w.linef(depth, "%s", strings.Join(append([]string{"}>"}, after...), " "))
}

// bits writes the bits and references of a slice as x{…}.
func bits(s *cell.Slice) string {
	s = s.Copy()
	n := s.BitsLeft()
	data, err := s.PreloadSlice(n)
	if err != nil {
		return "x{}"
	}
	return "x{" + digits(data, n) + "}" + references(s.RefsNum())
}

func references(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " and 1 reference"
	default:
		return " and " + strconv.Itoa(n) + " references"
	}
}

// digits writes bits in the notation of Fift: hexadecimal digits, and _ after bits that end within a digit.
func digits(data []byte, n uint) string {
	if n%4 == 0 {
		return strings.ToUpper(hex.EncodeToString(data))[:n/4]
	}
	data = slices.Clone(data)
	data[n/8] |= 1 << (7 - n%8)
	return strings.ToUpper(hex.EncodeToString(data))[:n/4+1] + "_"
}
