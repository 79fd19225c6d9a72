package rebuild

import (
	"encoding/binary"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// cut is the hash and the depth of a cell of level 0 that is not stored.
type cut struct {
	hash  chain.Hash
	depth uint16
}

func cutOf(c *cell.Cell, level int) cut {
	return cut{hash: chain.Hash(c.HashKey(level)), depth: c.Depth(level)}
}

func (c *cut) encode(b []byte) []byte {
	return binary.BigEndian.AppendUint16(append(b, c.hash[:]...), c.depth)
}

func (p *parser) cut() cut { return cut{hash: p.hash(), depth: p.uint16()} }

// branch returns the pruned branch that stands for the cell.
func (c *cut) branch() (*cell.Cell, error) { return prunedBranch(1, *c) }

// prunedBranch returns a pruned branch with a level mask; it has the hash and depth of each level below.
func prunedBranch(mask byte, levels ...cut) (*cell.Cell, error) {
	var w writer
	w.uint(uint64(cell.PrunedCellType), 8)
	w.uint(uint64(mask), 8)
	for i := range levels {
		w.hash(&levels[i].hash)
	}
	for i := range levels {
		w.uint(uint64(levels[i].depth), 16)
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.b.EndCellSpecial(true)
}

// side is one side of a state update: the state, and the part of it that the update shows, which is a cell of level 1 unless it
// shows all of the state.
type side struct{ state, shown cut }

func sideOf(c *cell.Cell) side { return side{state: cutOf(c, 0), shown: cutOf(c, 1)} }

// branch returns the pruned branch that stands for the side in the update.
func (s *side) branch() (*cell.Cell, error) {
	if s.state == s.shown {
		return prunedBranch(0b10, s.state)
	}
	return prunedBranch(0b11, s.state, s.shown)
}

// trimmed returns an ordinary cell with the references that keep selects, each trimmed by trim; pruned branches stand for the
// others. Cells without references are small and always stay.
func trimmed(root *cell.Cell, trim func(i int, ref *cell.Cell) (*cell.Cell, error)) (*cell.Cell, error) {
	if root.IsSpecial() {
		return nil, errRow
	}
	s, err := root.BeginParse()
	if err != nil {
		return nil, err
	}
	var w writer
	bits := s.BitsLeft()
	data, err := s.LoadSlice(bits)
	if err != nil {
		return nil, err
	}
	w.fail(w.b.StoreSlice(data, bits))
	for i := range int(root.RefsNum()) {
		ref, err := root.PeekRef(i)
		if err != nil {
			return nil, err
		}
		if ref.RefsNum() > 0 || ref.Level() > 0 {
			if ref, err = trim(i, ref); err != nil {
				return nil, err
			}
		}
		w.ref(ref)
	}
	return w.cell()
}

// cutOff returns the pruned branch that stands for a cell, whatever its references.
func cutOff(_ int, c *cell.Cell) (*cell.Cell, error) {
	part := cutOf(c, 0)
	return part.branch()
}
