package ledger

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// usage records the cells of the previous state that a block reads.
type usage struct {
	tree   *cell.CellUsageTree
	loaded map[cell.Hash]*cell.Cell // the newest load of each cell that was loaded under the tree
}

func newUsage() *usage {
	u := &usage{tree: cell.NewCellUsageTree(), loaded: map[cell.Hash]*cell.Cell{}}
	u.tree.SetCellLoadCallback(func(c *cell.Cell) { u.loaded[c.HashKey()] = c })
	return u
}

// merkleUpdate makes the Merkle update that leads from one state to another, the same cells as
// [cell.CellUsageTree.CreateMerkleUpdate]. The library walks new cells as a tree, so contract data of 100 cells with four
// references each to the next one would never finish; here each cell in memory is visited once. The usage cannot be used
// afterwards.
func (u *usage) merkleUpdate(from, to *cell.Cell) (*cell.Cell, error) {
	if from.Level() != 0 || to.Level() != 0 {
		return nil, fmt.Errorf("states of levels %d and %d have no Merkle update", from.Level(), to.Level())
	}
	d := destination{usage: u, done: map[destinationKey]*cell.Cell{}}
	updateTo, err := d.prune(to, 0)
	if err != nil {
		return nil, fmt.Errorf("destination: %w", err)
	}
	// The cells that the destination reuses are marked; the source contains the paths to them.
	u.tree.SetUseMarkForIsLoaded(true)
	proof, err := from.CreateUsageProof(u.tree)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	updateFrom, err := proof.PeekRef(0)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	return cell.CreateMerkleUpdate(updateFrom, updateTo)
}

// destination builds the right side of a Merkle update: new cells, with pruned branches for the unchanged parts of the old
// state.
type destination struct {
	*usage
	done map[destinationKey]*cell.Cell
}

// destinationKey is all that the result depends on. It is the cell in memory rather than its hash: of two equal cells one
// may have come from the old state, or have children that did, and the other not.
type destinationKey struct {
	cell        *cell.Cell
	merkleDepth int
}

// prune recurses at most as deep as cells are, 1024.
func (d *destination) prune(c *cell.Cell, merkleDepth int) (*cell.Cell, error) {
	if c.RefsNum() == 0 {
		return c, nil
	}
	key := destinationKey{c, merkleDepth}
	if built := d.done[key]; built != nil {
		return built, nil
	}
	built, err := d.build(c, merkleDepth)
	if err != nil {
		return nil, err
	}
	d.done[key] = built
	return built, nil
}

func (d *destination) build(c *cell.Cell, merkleDepth int) (*cell.Cell, error) {
	old := c
	if loaded := d.loaded[c.HashKey()]; loaded != nil {
		old = loaded
	}
	if node, ok := d.tree.NodeForCell(old); ok && d.tree.MarkPath(node) {
		return cell.CreatePrunedBranch(c, merkleDepth+1, maxLevel)
	}
	below := merkleDepth
	if t := c.GetType(); t == cell.MerkleProofCellType || t == cell.MerkleUpdateCellType {
		below++
	}
	untraced := c.WithoutTrace()
	refs := make([]*cell.Cell, c.RefsNum())
	for i := range refs {
		ref, err := untraced.PeekRef(i)
		if err != nil {
			return nil, err
		}
		if refs[i], err = d.prune(ref, below); err != nil {
			return nil, err
		}
	}
	return c.RebuildWithRefs(refs)
}

// maxLevel is the highest level of cells.
const maxLevel = 3
