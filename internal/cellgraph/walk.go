package cellgraph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// ErrTooManyCells is the error of a walk that meets more distinct cells than it may.
var ErrTooManyCells = errors.New("too many cells")

// Walk calls visit once for each distinct cell below root, root included, parents before children, and follows
// references in their order. It fails with [ErrTooManyCells] before it visits more than limit. An error of visit ends it.
// A nil root has no cells.
func Walk(root *cell.Cell, limit int, visit func(*cell.Cell) error) error {
	if root == nil {
		return nil
	}
	seen := make(map[cell.Hash]struct{}, 16)
	todo := []*cell.Cell{root}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := c.HashKey()
		if _, again := seen[key]; again {
			continue
		}
		if len(seen) >= limit {
			return fmt.Errorf("more than %d: %w", limit, ErrTooManyCells)
		}
		seen[key] = struct{}{}
		var s cell.Slice
		if err := c.BeginParseIntoWithoutTrace(&s); err != nil {
			return fmt.Errorf("cell %x: %w", key[:], err)
		}
		if err := visit(s.BaseCell()); err != nil {
			return err
		}
		first := len(todo)
		for s.RefsNum() > 0 {
			ref, err := s.LoadRefCell()
			if err != nil {
				return fmt.Errorf("cell %x: %w", key[:], err)
			}
			todo = append(todo, ref)
		}
		slices.Reverse(todo[first:])
	}
	return nil
}

// Count returns how many distinct cells lie below root, root included, and how many bits they have. It fails with
// [ErrTooManyCells] when there are more than limit.
func Count(root *cell.Cell, limit int) (cells int, bits uint64, err error) {
	err = Walk(root, limit, func(c *cell.Cell) error {
		cells, bits = cells+1, bits+uint64(c.BitsSize())
		return nil
	})
	return cells, bits, err
}
