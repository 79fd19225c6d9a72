package rebuild

import (
	"bytes"
	"errors"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

var errBOC = errors.New("the bag of cells is not the serialization of its cells")

// Exact reads a bag of cells that must be, byte for byte, what serialize makes of its root. So bytes that carry nothing are
// compared, too.
func Exact(boc []byte, serialize func(*cell.Cell) []byte) (root *cell.Cell, err error) {
	defer recovered(&err)
	root, err = cell.FromBOC(boc)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(serialize(root), boc) || !levels(root) {
		return nil, errBOC
	}
	return root, nil
}

// levels reports whether every cell has the level that follows from its references. The cell library takes the level from the
// bag of cells.
func levels(root *cell.Cell) bool {
	seen := map[*cell.Cell]struct{}{}
	todo := []*cell.Cell{root}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, again := seen[c]; again {
			continue
		}
		seen[c] = struct{}{}
		highest := 0
		for i := range int(c.RefsNum()) {
			ref, err := c.PeekRef(i)
			if err != nil {
				return false
			}
			highest = max(highest, ref.Level())
			todo = append(todo, ref)
		}
		if c.Level() == 0 && (highest == 0 || c.IsSpecial() && highest == 1) {
			continue
		}
		if !builtEqual(c) {
			return false
		}
	}
	return true
}

// builtEqual builds a cell from its bits and references and compares the hashes of all levels.
func builtEqual(c *cell.Cell) bool {
	built, err := c.ToBuilder().EndCellSpecial(c.IsSpecial())
	if err != nil || built.Level() != c.Level() {
		return false
	}
	for level := range 4 {
		if built.HashKey(level) != c.HashKey(level) {
			return false
		}
	}
	return true
}
