package cellparts

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// branch returns the pruned branch that stands for a cell of level 0.
func branch(c *cell.Cell) (*cell.Cell, error) {
	const mask = 1
	b := cell.BeginCell().MustStoreUInt(uint64(cell.PrunedCellType), 8).MustStoreUInt(mask, 8).
		MustStoreSlice(c.Hash(0), 256).MustStoreUInt(uint64(c.Depth(0)), 16)
	pruned, err := b.EndCellSpecial(true)
	if err != nil {
		return nil, fmt.Errorf("pruned branch: %w", err)
	}
	return pruned, nil
}

// branchHash returns the hash of the cell that a pruned branch stands for.
func branchHash(c *cell.Cell) (chain.Hash, bool) {
	if c.Level() == 0 || c.GetType() != cell.PrunedCellType {
		return chain.Hash{}, false
	}
	return chain.Hash(c.HashKey(0)), true
}

// Branches calls visit with the hash of each part that a part refers to, in any order, perhaps more than once.
func Branches(part *cell.Cell, visit func(hash chain.Hash)) error {
	seen := map[*cell.Cell]struct{}{}
	todo := []*cell.Cell{part}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, again := seen[c]; again || c.Level() == 0 {
			continue
		}
		seen[c] = struct{}{}
		if hash, cut := branchHash(c); cut {
			if c != part { // which is one if its cells are not stored
				visit(hash)
			}
			continue
		}
		for i := range int(c.RefsNum()) {
			ref, err := c.PeekRef(i)
			if err != nil {
				return fmt.Errorf("reference %d: %w", i, err)
			}
			todo = append(todo, ref)
		}
	}
	return nil
}

// References calls visit with the hash of each part that the bag of cells of a part refers to, as [Branches] does.
func References(bag chain.BOC, visit func(hash chain.Hash)) (err error) {
	defer recovered(&err)
	part, err := cell.FromBOC(bag)
	if err != nil {
		return err //nolint:wrapcheck // the caller names the part
	}
	return Branches(part, visit)
}

// Serialize returns the bag of cells of a part or a tree in the form of rows: without a checksum.
func Serialize(c *cell.Cell) chain.BOC { return c.ToBOCWithOptions(cell.BOCSerializeOptions{}) }
