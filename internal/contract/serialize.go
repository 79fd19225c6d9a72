package contract

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Serialize returns a BoC with a checksum, the form in which all cells except code and data are published; false when
// it has more than limit cells.
func Serialize(c *cell.Cell, limit int) (chain.BOC, bool) {
	if c == nil || !fewCells(c, limit) {
		return nil, false
	}
	return c.ToBOC(), true
}

// fewCells reports whether a tree has at most limit distinct cells.
func fewCells(root *cell.Cell, limit int) bool {
	seen := map[cell.Hash]struct{}{}
	todo := []*cell.Cell{root}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := c.HashKey()
		if _, ok := seen[key]; ok {
			continue
		}
		if seen[key] = struct{}{}; len(seen) > limit {
			return false
		}
		for i := range int(c.RefsNum()) {
			ref, err := c.PeekRef(i)
			if err != nil {
				return false
			}
			todo = append(todo, ref)
		}
	}
	return true
}
