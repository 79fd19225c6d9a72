package contract

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Serialize writes cells as a BoC with its checksum, as everything but code and data is published; not when they are
// more than limit.
func Serialize(c *cell.Cell, limit int) (chain.BOC, bool) {
	if c == nil || !fewCells(c, limit) {
		return nil, false
	}
	return c.ToBOC(), true
}

// fewCells counts distinct cells up to the limit.
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
