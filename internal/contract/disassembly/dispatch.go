package disassembly

import (
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Bounds of the search for method tables. Compilers put the dispatch at the start of the code.
const (
	maxDispatchSteps  = 1024 // instructions and cells of a code
	maxEntrySteps     = 256  // instructions of the first cell
	maxBranchSteps    = 16   // instructions of a continuation or of a cell that an instruction runs
	maxDispatchDepth  = 4    // continuations within each other
	maxDispatchTables = 8
)

// MethodTable is a dictionary of methods by their ids.
type MethodTable struct {
	Dict   *cell.Dictionary
	Width  uint // bits of the keys
	Signed bool // whether the keys are signed
}

// MethodTables returns the dictionaries that code selects a method from, each once, in the order of the code. They are found in every
// form in which compilers dispatch:
//
//	SETCP0; 19 DICTPUSHCONST; DICTIGETJMPZ; 11 THROWARG                 all methods, of FunC, Tolk and Fift
//	SETCP0; DUP; IFNOTJMP:<{…}>; 19 DICTPUSHCONST; DICTIGETJMPZ; …      receivers before the table
//	SETCP0; <{ 19 DICTPUSHCONST; … }> PUSHCONT; c3 POP; DUP; IFNOTJMP…  the table in c3, of Tact
//	SETCP0; DUP; INC; IFJMPREF:<{ <{ 19 DICTPUSHCONST; … }> PUSHCONT; … the same in the code of a receiver
//
// So the instructions of the code are read in their order, with those of the continuations that it pushes and of the cells that it runs, the
// latter only from their start: a table that is selected from later on is not one of the contract's methods.
func MethodTables(code *cell.Cell) []MethodTable {
	f := finder{steps: maxDispatchSteps}
	f.cell(code, maxEntrySteps, 0)
	return f.tables
}

// finder searches code for method tables.
type finder struct {
	steps  int // that are left of all
	tables []MethodTable
}

func (f *finder) cell(c *cell.Cell, steps, depth int) {
	if s := ordinary(c); s != nil {
		f.code(s, steps, depth)
	}
}

// ordinary begins to read a cell; nil when it has no instructions.
func ordinary(c *cell.Cell) *cell.Slice {
	if c == nil || c.IsSpecial() {
		return nil
	}
	s, err := c.BeginParse()
	if err != nil {
		return nil
	}
	return s
}

// code reads up to steps instructions, and continues in the next reference when the bits end, as the TVM does.
func (f *finder) code(s *cell.Slice, steps, depth int) {
	if depth > maxDispatchDepth {
		return
	}
	for ; s != nil; steps-- {
		if steps <= 0 || f.steps <= 0 || len(f.tables) >= maxDispatchTables {
			return
		}
		f.steps--
		if s.BitsLeft() > 0 {
			if !f.next(s, depth) {
				return
			}
			continue
		}
		next, err := s.PeekRefCell()
		if err != nil {
			return
		}
		s = ordinary(next)
	}
}

// next reads an instruction; false when there is none.
func (f *finder) next(s *cell.Slice, depth int) bool {
	if d, ok := methodTable(s); ok {
		f.add(d)
		return true
	}
	before := s.Copy()
	op, ok := decode(s)
	if !ok {
		return false
	}
	if value, c := constantOf(before); c != nil {
		if c.code {
			f.code(value, maxBranchSteps, depth+1)
		}
		return true
	}
	if refs := operandsOf(before, s); len(refs) > 0 && isCode(nameOf(before, op)) {
		for _, ref := range refs {
			f.cell(ref, maxBranchSteps, depth+1)
		}
	}
	return true
}

// add adds a table that is not there yet.
func (f *finder) add(d dispatch) {
	root := d.dict.AsCell().HashKey()
	for _, t := range f.tables {
		if t.Width == d.width && t.Dict.AsCell().HashKey() == root {
			return
		}
	}
	f.tables = append(f.tables, MethodTable{Dict: d.dict, Width: d.width, Signed: strings.HasPrefix(d.name, "DICTI")})
}
