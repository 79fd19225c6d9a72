package cellparts

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// ErrNotStored is the error of a tree with a part that is not stored.
var ErrNotStored = errors.New("a part of the cells is not stored")

// Joiner builds trees from the parts of a [Splitter]. The zero value has no parts.
type Joiner struct {
	parts   map[chain.Hash]*cell.Cell
	built   map[chain.Hash]*cell.Cell
	missing []chain.Hash
	wanted  map[chain.Hash]struct{}
}

// Add adds a part. It fails if the bag does not have the hash.
func (j *Joiner) Add(hash chain.Hash, boc chain.BOC) (err error) {
	defer recovered(&err)
	part, err := cell.FromBOC(boc)
	if err != nil {
		return fmt.Errorf("part %s: %w", hash.Hex(), err)
	}
	if h := chain.Hash(part.HashKey(0)); h != hash {
		return fmt.Errorf("part %s: its cells have the hash %s", hash.Hex(), h.Hex())
	}
	if j.parts == nil {
		j.parts, j.built, j.wanted = map[chain.Hash]*cell.Cell{}, map[chain.Hash]*cell.Cell{}, map[chain.Hash]struct{}{}
	}
	j.parts[hash] = part
	return Branches(part, func(h chain.Hash) {
		if _, again := j.wanted[h]; !again {
			j.wanted[h] = struct{}{}
			j.missing = append(j.missing, h)
		}
	})
}

// Missing returns the parts that those added so far refer to and that were not added, each once in the life of the Joiner.
func (j *Joiner) Missing() []chain.Hash {
	var hashes []chain.Hash
	for _, h := range j.missing {
		if _, ok := j.parts[h]; !ok {
			hashes = append(hashes, h)
		}
	}
	j.missing = nil
	return hashes
}

// Root builds the tree of a part. Without one of its parts the error is [ErrNotStored].
func (j *Joiner) Root(hash chain.Hash) (root *cell.Cell, err error) {
	defer recovered(&err)
	return j.build(hash)
}

func (j *Joiner) build(hash chain.Hash) (*cell.Cell, error) {
	if c := j.built[hash]; c != nil {
		return c, nil
	}
	part := j.parts[hash]
	if part == nil {
		return nil, ErrNotStored
	}
	if _, cut := branchHash(part); cut {
		return nil, ErrNotStored
	}
	c, err := j.join(part, map[*cell.Cell]*cell.Cell{})
	if err != nil {
		return nil, err
	}
	if c.Level() != 0 || chain.Hash(c.HashKey()) != hash {
		return nil, fmt.Errorf("part %s: its cells have the hash %x", hash.Hex(), c.Hash())
	}
	j.built[hash] = c
	return c, nil
}

// join replaces the pruned branches below a cell. It recurses at most as deep as cells are: the hash of a part is that of its tree.
func (j *Joiner) join(c *cell.Cell, done map[*cell.Cell]*cell.Cell) (*cell.Cell, error) {
	if c.Level() == 0 {
		return c, nil
	}
	if hash, cut := branchHash(c); cut {
		return j.build(hash)
	}
	if joined := done[c]; joined != nil {
		return joined, nil
	}
	refs := make([]*cell.Cell, c.RefsNum())
	for i := range refs {
		ref, err := c.PeekRef(i)
		if err != nil {
			return nil, fmt.Errorf("reference %d: %w", i, err)
		}
		if refs[i], err = j.join(ref, done); err != nil {
			return nil, err
		}
	}
	joined, err := c.RebuildWithRefs(refs)
	if err != nil {
		return nil, err
	}
	done[c] = joined
	return joined, nil
}

// recovered converts a panic of the cell library, which damaged rows may cause, to an error.
func recovered(err *error) { //nolint:gocritic // deferred, it sets the result of the caller
	if p := recover(); p != nil {
		*err = fmt.Errorf("malformed cells: %v", p)
	}
}
