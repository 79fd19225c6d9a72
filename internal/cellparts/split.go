package cellparts

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

const (
	// smallTree is the number of cells from which a tree is split. Most contracts have fewer.
	smallTree = 64
	// partCells is the number of cells from which a subtree of a larger tree is a part of its own. Smaller parts cost more rows, and
	// larger ones repeat more cells that a change did not touch.
	partCells = 8
	// maxMerkleCells bounds a Merkle proof or a Merkle update, whose cells are not split.
	maxMerkleCells = 256
)

// Splitter splits the code, data and libraries of accounts into parts, so that the states of accounts share parts as they share cells
// on the chain.
//
// Cells are counted along each reference. A tree of fewer than 64 cells is one part. In a larger one, pruned branches stand for its
// largest subtrees of 8 to 63 cells, and, from there to the root, for each subtree that has 8 cells without other parts. So a part
// follows from its cells alone, and has at most 63 cells. A Merkle proof or update is not split; one of more than 256 cells is not stored,
// and its part is a pruned branch alone.
type Splitter struct {
	// Stored returns the number of cells of a part that is stored, at most 64, so that its cells need not be looked at. Hashes of cells that
	// are no parts occur, too.
	Stored func(hash chain.Hash) (cells int, ok bool)
	// Emit receives each part below the root that is not stored, with its number of cells for [Splitter.Stored], those that it refers to
	// first. The hash of level 0 of the cell is hash.
	Emit func(hash chain.Hash, part *cell.Cell, cells int)
}

// Split emits the parts below the root of a tree and returns the root with pruned branches for them. An error is not expected of a tree of
// the chain.
func (s *Splitter) Split(root *cell.Cell) (*cell.Cell, error) {
	if cellgraph.Visits(root, smallTree-1) < smallTree {
		return root, nil
	}
	w := splitting{Splitter: s, subtrees: map[cell.Hash]subtree{}}
	t, err := w.subtree(root)
	if err != nil {
		return nil, fmt.Errorf("parts of cell %x: %w", root.Hash(), err)
	}
	return t.part, nil
}

var errLevel = errors.New("its level is above 0")

// splitting splits one tree.
type splitting struct {
	*Splitter

	subtrees map[cell.Hash]subtree // those of at least partCells so far
}

// subtree is a cell with what is below it.
type subtree struct {
	cells int        // at most smallTree
	left  int        // cells of it that are in no part below it
	part  *cell.Cell // the cell, with pruned branches for the parts below it
	done  bool       // it is a part that is stored or emitted, and part is the pruned branch
}

// subtree counts the cells of a subtree and emits the parts below it. It recurses at most as deep as cells are.
func (w *splitting) subtree(c *cell.Cell) (subtree, error) {
	n := int(c.RefsNum())
	switch {
	case c.Level() > 0:
		return subtree{}, errLevel
	case n == 0:
		return subtree{cells: 1, left: 1, part: c}, nil
	}
	key := c.HashKey()
	if t, ok := w.subtrees[key]; ok {
		return t, nil
	}
	if cells, ok := w.Stored(chain.Hash(key)); ok {
		return w.stored(c, cells)
	}
	if c.IsSpecial() {
		return merkleTree(c)
	}
	refs := make([]*cell.Cell, n)
	below := make([]subtree, n)
	t := subtree{cells: 1, part: c}
	for i := range n {
		var err error
		if refs[i], err = c.PeekRef(i); err != nil {
			return subtree{}, fmt.Errorf("reference %d: %w", i, err)
		}
		if below[i], err = w.subtree(refs[i]); err != nil {
			return subtree{}, err
		}
		t.cells = min(t.cells+below[i].cells, smallTree)
	}
	t.left = t.cells
	if t.cells >= smallTree {
		if err := w.cut(&t, refs, below); err != nil {
			return subtree{}, err
		}
	}
	if t.cells >= partCells {
		w.subtrees[key] = t
	}
	return t, nil
}

// stored returns a part that is stored.
func (w *splitting) stored(c *cell.Cell, cells int) (subtree, error) {
	branch, err := branch(c)
	t := subtree{cells: cells, left: cells, part: branch, done: true}
	w.subtrees[c.HashKey()] = t
	return t, err
}

// cut replaces the parts among the references of a subtree that is not small by pruned branches.
func (w *splitting) cut(t *subtree, refs []*cell.Cell, below []subtree) (err error) {
	t.left = 1
	replaced := make([]*cell.Cell, len(refs))
	for i := range refs {
		b := &below[i]
		if !b.done && b.left < partCells {
			replaced[i], t.left = b.part, t.left+b.left
			continue
		}
		if !b.done {
			w.Emit(chain.Hash(refs[i].HashKey()), b.part, b.cells)
			if *b, err = w.stored(refs[i], b.cells); err != nil {
				return err
			}
		}
		replaced[i] = b.part
	}
	t.part, err = t.part.WithoutTrace().RebuildWithRefs(replaced)
	return err
}

// merkleTree returns a Merkle proof or update, which is not split.
func merkleTree(c *cell.Cell) (subtree, error) {
	cells, _, err := cellgraph.Count(c, maxMerkleCells)
	if errors.Is(err, cellgraph.ErrTooManyCells) {
		branch, err := branch(c)
		return subtree{cells: smallTree, left: smallTree, part: branch}, err
	}
	return subtree{cells: min(cells, smallTree), left: cells, part: c}, err
}
