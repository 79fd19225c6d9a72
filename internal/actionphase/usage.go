package actionphase

import "github.com/xssnick/tonutils-go/tvm/cell"

// maxMerkleDepth is how deep Merkle proofs and updates may be nested in a message or a library.
const maxMerkleDepth = 2

// usage counts the different cells of trees and their bits, until there are more than limit.
type usage struct {
	limit       uint64
	cells, bits uint64
	seen        map[cell.Hash]uint64 // nesting of Merkle cells
}

func newUsage(limit uint64) *usage { return &usage{limit: limit, seen: map[cell.Hash]uint64{}} }

// add counts a tree with its root and returns how deep Merkle cells are nested in it. It reports false once the limit is exceeded.
func (u *usage) add(c *cell.Cell) (merkle uint64, ok bool) {
	if c == nil {
		return 0, true
	}
	key := c.HashKey()
	if depth, counted := u.seen[key]; counted {
		return depth, true
	}
	u.seen[key] = 0
	if u.cells++; u.cells > u.limit {
		return 0, false
	}
	u.bits += uint64(c.BitsSize())
	for i := range int(c.RefsNum()) {
		ref, err := c.PeekRef(i)
		if err != nil {
			return 0, false
		}
		depth, ok := u.add(ref)
		if !ok {
			return 0, false
		}
		merkle = max(merkle, depth)
	}
	if t := c.GetType(); t == cell.MerkleProofCellType || t == cell.MerkleUpdateCellType {
		merkle++
	}
	u.seen[key] = merkle
	return merkle, true
}

// addRefs counts the trees under what b holds, up to the first that exceeds the limit.
func (u *usage) addRefs(b *cell.Builder) (merkle uint64) {
	c := b.EndCell()
	for i := range int(c.RefsNum()) {
		depth, ok := u.add(c.MustPeekRef(i))
		if !ok {
			break
		}
		merkle = max(merkle, depth)
	}
	return merkle
}
