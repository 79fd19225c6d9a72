package cellgraphtest

import (
	"encoding/binary"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// MutationSize is the length of one instruction of [Mutate].
const MutationSize = 5

// Mutate changes the cells below root as a program says, which a fuzzer chooses: bits, lengths, references, and exotic cells in place of
// ordinary ones. The result is always a graph of valid cells, so a fuzzer does not spend its time on bags of cells that no parser accepts.
// It may have a level. An instruction is an operation, the number of a cell and an argument, in 1, 2 and 2 bytes; those that cannot be
// carried out do nothing. The root must have fewer than 65,536 distinct cells.
func Mutate(root *cell.Cell, program []byte) *cell.Cell {
	m := &mutation{numbers: map[cell.Hash]int{}}
	m.flatten(root)
	for len(program) >= MutationSize {
		at := int(binary.BigEndian.Uint16(program[1:])) % len(m.cells)
		m.apply(program[0], at, int(binary.BigEndian.Uint16(program[3:])))
		program = program[MutationSize:]
	}
	return m.build()
}

// mutableCell is a cell of a graph. References lead to lower numbers.
type mutableCell struct {
	bits   []bool
	refs   []int
	exotic bool
	hidden bool // a pruned branch takes its place
}

type mutation struct {
	cells   []mutableCell
	numbers map[cell.Hash]int
}

// flatten appends the cells below c, then c, and returns its number.
func (m *mutation) flatten(c *cell.Cell) int {
	key := c.HashKey()
	if n, ok := m.numbers[key]; ok {
		return n
	}
	made := mutableCell{exotic: c.IsSpecial()}
	for i := range int(c.RefsNum()) {
		made.refs = append(made.refs, m.flatten(c.MustPeekRef(i)))
	}
	b := c.ToBuilder().ToSlice()
	for b.BitsLeft() > 0 {
		made.bits = append(made.bits, b.MustLoadUInt(1) == 1)
	}
	m.cells = append(m.cells, made)
	m.numbers[key] = len(m.cells) - 1
	return len(m.cells) - 1
}

// Operations of a program, modulo their number.
const (
	opFlip = iota
	opWrite
	opCut
	opExtend
	opReplaceRef
	opDropRef
	opAddRef
	opExotic
	opPrune
	opCount
)

func (m *mutation) apply(op byte, at, arg int) {
	const maxBits, maxRefs = 1023, 4
	c := &m.cells[at]
	switch op % opCount {
	case opFlip:
		if len(c.bits) > 0 {
			c.bits[arg%len(c.bits)] = !c.bits[arg%len(c.bits)]
		}
	case opWrite: // eight bits
		for i := range 8 {
			if len(c.bits) > 0 {
				c.bits[(arg>>8*8+i)%len(c.bits)] = arg>>(7-i)&1 == 1
			}
		}
	case opCut:
		c.bits = c.bits[:arg%(len(c.bits)+1)]
	case opExtend:
		for range arg >> 1 % 256 {
			if len(c.bits) < maxBits {
				c.bits = append(c.bits, arg&1 == 1)
			}
		}
	case opReplaceRef:
		if len(c.refs) > 0 && at > 0 {
			c.refs[arg%len(c.refs)] = arg / 4 % at
		}
	case opDropRef:
		if len(c.refs) > 0 {
			c.refs = append(c.refs[:arg%len(c.refs):arg%len(c.refs)], c.refs[arg%len(c.refs)+1:]...)
		}
	case opAddRef:
		if len(c.refs) < maxRefs && at > 0 {
			c.refs = append(c.refs, arg%at)
		}
	case opExotic:
		c.exotic = !c.exotic
		for i := range 8 { // its type
			if len(c.bits) > i {
				c.bits[i] = arg%8>>(7-i)&1 == 1
			}
		}
	case opPrune:
		c.hidden = true
	}
}

// build makes the cells. One that is not valid as an exotic cell is ordinary, and one that is too deep has no references.
func (m *mutation) build() *cell.Cell {
	made := make([]*cell.Cell, len(m.cells))
	for i := range m.cells {
		c := &m.cells[i]
		made[i] = c.build(made)
		if c.hidden && i < len(m.cells)-1 {
			if branch := Branch(made[i]); branch != nil {
				made[i] = branch
			}
		}
	}
	return made[len(made)-1]
}

func (c *mutableCell) build(made []*cell.Cell) *cell.Cell {
	b := cell.BeginCell()
	for _, bit := range c.bits {
		b.MustStoreBoolBit(bit)
	}
	plain := b.Copy()
	for _, ref := range c.refs {
		b.MustStoreRef(made[ref])
	}
	for _, exotic := range []bool{c.exotic, false} {
		if built, err := b.EndCellSpecial(exotic); err == nil {
			return built
		}
	}
	return plain.EndCell()
}

// Branch returns a pruned branch of level 1 with the hash of c, which may have no references: nodes prune no such cell. It is nil for a
// cell of a higher level.
func Branch(c *cell.Cell) *cell.Cell {
	made, err := cell.BeginCell().MustStoreUInt(0x0101, 16).MustStoreSlice(c.Hash(0), 256).MustStoreUInt(uint64(c.Depth(0)), 16).EndCellSpecial(true)
	if err != nil || c.Level() > 0 {
		return nil
	}
	return made
}
