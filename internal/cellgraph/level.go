package cellgraph

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Errors of cells whose level is not the one that they must have.
var (
	ErrLevel     = errors.New("a cell has another level than its references")
	ErrRootLevel = errors.New("the root has pruned branches that no proof contains")
)

// FromBOC parses a bag of cells with one root that others made. It is [cell.FromBOC] with the checks that a node makes when it parses
// one: the level of an ordinary cell is that of its references, and that of a root is 0. The library takes the level from the bag. A
// cell that claims level 0 above a pruned branch has the hash of the complete cell, so without the checks a hash proves no content.
func FromBOC(data []byte) (*cell.Cell, error) {
	return FromBOCWithOptions(data, cell.BOCParseOptions{})
}

// FromBOCWithOptions is [FromBOC] with options of the library; lazy parsing is not supported.
func FromBOCWithOptions(data []byte, options cell.BOCParseOptions) (*cell.Cell, error) {
	roots, err := FromBOCMultiRootWithOptions(data, options)
	if err != nil {
		return nil, err
	}
	if len(roots) != 1 {
		return nil, fmt.Errorf("the bag of cells should have one root, not %d", len(roots))
	}
	return roots[0], nil
}

// FromBOCMultiRoot is [FromBOC] for any number of roots.
func FromBOCMultiRoot(data []byte) ([]*cell.Cell, error) {
	return FromBOCMultiRootWithOptions(data, cell.BOCParseOptions{})
}

// FromBOCMultiRootWithOptions is [FromBOCWithOptions] for any number of roots.
func FromBOCMultiRootWithOptions(data []byte, options cell.BOCParseOptions) ([]*cell.Cell, error) {
	options.Lazy = false
	roots, cells, err := cell.FromBOCMultiRootReader(cell.NewBOCNoCopyReader(data), options)
	if err != nil {
		return nil, err //nolint:wrapcheck // as the library's function
	}
	for i := range cells {
		if err := checkLevel(&cells[i]); err != nil {
			return nil, err
		}
	}
	return roots, checkRoots(roots)
}

// CheckLevels makes the checks of [FromBOC] for cells that were parsed without them. It visits each cell in memory once, not each
// hash once: a cell that claims a wrong level and the complete one have the same hash. A nil root has no cells.
func CheckLevels(roots ...*cell.Cell) error {
	seen := make(map[*cell.Cell]struct{}, 16)
	todo := make([]*cell.Cell, 0, 16)
	add := func(c *cell.Cell) {
		if _, again := seen[c]; c != nil && !again {
			seen[c] = struct{}{}
			todo = append(todo, c)
		}
	}
	for _, root := range roots {
		add(root)
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := checkLevel(c); err != nil {
			return err
		}
		for i := range int(c.RefsNum()) {
			ref, err := c.PeekRef(i)
			if err != nil {
				return fmt.Errorf("cell %x: %w", c.Hash(), err)
			}
			add(ref)
		}
	}
	return checkRoots(roots)
}

func checkRoots(roots []*cell.Cell) error {
	for _, root := range roots {
		if root != nil && root.Level() != 0 {
			return fmt.Errorf("cell %x: %w", root.Hash(), ErrRootLevel)
		}
	}
	return nil
}

// checkLevel checks an ordinary cell. The library checks exotic ones.
func checkLevel(c *cell.Cell) error {
	if c.IsSpecial() {
		return nil
	}
	mask := byte(0)
	for i := range int(c.RefsNum()) {
		ref, err := c.PeekRef(i)
		if err != nil {
			return fmt.Errorf("cell %x: %w", c.Hash(), err)
		}
		mask |= ref.LevelMask().Mask
	}
	if have := c.LevelMask().Mask; have != mask {
		return fmt.Errorf("cell %x: mask %d instead of %d: %w", c.Hash(), have, mask, ErrLevel)
	}
	return nil
}
