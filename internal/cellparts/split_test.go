package cellparts_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// shelf stores parts as the index does.
type shelf struct {
	bags  map[chain.Hash]chain.BOC
	cells map[chain.Hash]int
}

func newShelf() *shelf { return &shelf{bags: map[chain.Hash]chain.BOC{}, cells: map[chain.Hash]int{}} }

// add splits a tree and returns the hashes and the bytes of the parts that were not stored.
func (s *shelf) add(t testing.TB, root *cell.Cell) (added []chain.Hash, size int) {
	t.Helper()
	emit := func(h chain.Hash, part *cell.Cell, cells int) {
		s.cells[h] = cells
		require.Equal(t, h, chain.Hash(part.HashKey(0)))
		boc := cellparts.Serialize(part)
		s.bags[h] = boc
		added, size = append(added, h), size+len(boc)
	}
	splitter := cellparts.Splitter{Emit: emit, Stored: func(h chain.Hash) (int, bool) { cells, ok := s.cells[h]; return cells, ok }}
	part, err := splitter.Split(root)
	require.NoError(t, err)
	emit(chain.Hash(root.HashKey()), part, 0)
	delete(s.cells, chain.Hash(root.HashKey()))
	return added, size
}

// root joins a tree.
func (s *shelf) root(t testing.TB, hash chain.Hash) (*cell.Cell, error) {
	t.Helper()
	var j cellparts.Joiner
	for missing := []chain.Hash{hash}; len(missing) > 0; missing = j.Missing() {
		for _, h := range missing {
			if boc, ok := s.bags[h]; ok {
				require.NoError(t, j.Add(h, boc))
			}
		}
	}
	return j.Root(hash)
}

func (s *shelf) requireTree(t testing.TB, root *cell.Cell) {
	t.Helper()
	got, err := s.root(t, chain.Hash(root.HashKey()))
	require.NoError(t, err)
	require.Equal(t, cellparts.Serialize(root), cellparts.Serialize(got))
}

// tree returns a random tree of about n distinct cells, some of which are shared.
func tree(rng *rand.Rand, n int) *cell.Cell {
	var cells []*cell.Cell
	for i := range n {
		b := cell.BeginCell().MustStoreUInt(rng.Uint64(), 64)
		for range min(rng.IntN(5), i) {
			b.MustStoreRef(cells[len(cells)-1-rng.IntN(min(len(cells), 6))])
		}
		cells = append(cells, b.EndCell())
	}
	root := cells[len(cells)-1]
	for _, c := range cells { // all of them
		if root.Depth() < 400 {
			root = cell.BeginCell().MustStoreRef(root).MustStoreRef(c).EndCell()
		}
	}
	return root
}

func TestSplit_PartsAreJoinedToTheTree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0))
		stored := newShelf()
		root := tree(rng, 1+rng.IntN(120))
		_, _ = stored.add(t, root)
		stored.requireTree(t, root)
		for h, boc := range stored.bags {
			part, err := rebuild.Exact(boc, func(c *cell.Cell) []byte { return cellparts.Serialize(c) })
			require.NoError(t, err)
			cells, _, err := cellgraph.Count(part, 200)
			require.NoError(t, err)
			branches := map[chain.Hash]struct{}{}
			require.NoError(t, cellparts.Branches(part, func(h chain.Hash) { branches[h] = struct{}{} }))
			require.LessOrEqual(t, cells-len(branches), 63)
			for below := range branches {
				require.Contains(t, stored.bags, below)
			}
			// A part is the same, whatever it is a part of.
			again := newShelf()
			subtree, err := stored.root(t, h)
			require.NoError(t, err)
			_, _ = again.add(t, subtree)
			for h, boc := range again.bags {
				require.Equal(t, stored.bags[h], boc)
			}
		}
	}
}

// A contract with a thousand entries changes one of them: what is stored is in proportion to the cells that the chain stores anew.
func TestSplit_AChangeStoresWhatChanged(t *testing.T) {
	t.Parallel()
	const entries = 1000
	value := func(n uint64) *cell.Builder {
		return cell.BeginCell().MustStoreUInt(n, 64).MustStoreSlice(make([]byte, 56), 448)
	}
	key := func(n uint64) *cell.Cell { return cell.BeginCell().MustStoreUInt(n*0x9e3779b97f4a7c15, 64).EndCell() }
	dict := cell.NewDict(64)
	for n := range uint64(entries) {
		_, err := dict.SetBuilderWithMode(key(n), value(n), cell.DictSetModeSet)
		require.NoError(t, err)
	}
	data := func() *cell.Cell { return cell.BeginCell().MustStoreUInt(1, 32).MustStoreDict(dict).EndCell() }
	stored := newShelf()
	parts, size := stored.add(t, data())
	require.Greater(t, len(parts), entries/40)
	require.Greater(t, size, entries*64)
	for n := range uint64(50) {
		_, err := dict.SetBuilderWithMode(key(n*7), value(n+entries), cell.DictSetModeSet)
		require.NoError(t, err)
		parts, changed := stored.add(t, data())
		require.LessOrEqual(t, len(parts), 4)
		require.Less(t, changed, 7000)
		stored.requireTree(t, data())
	}
}

func TestSplit_SmallTreesAreOnePart(t *testing.T) {
	t.Parallel()
	for levels := 1; levels < 64; levels++ {
		root := cellgraphtest.Chain(levels, nil)
		stored := newShelf()
		parts, _ := stored.add(t, root)
		require.Len(t, parts, 1)
		require.Equal(t, cellparts.Serialize(root), stored.bags[parts[0]])
	}
}

func TestSplit_HostileTreesAreSplitInTime(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	for _, root := range []*cell.Cell{
		cellgraphtest.Shared(1000, nil), cellgraphtest.Chain(1000, nil),
		cell.BeginCell().MustStoreRef(cellgraphtest.Dict(256, cell.BeginCell())).EndCell(),
	} {
		stored := newShelf()
		_, size := stored.add(t, root)
		require.Less(t, size, 200_000)
		stored.requireTree(t, root)
	}
	require.Less(t, time.Since(begin), time.Minute) // a walk along each reference would not end
}

// Merkle proofs, whose pruned branches are those of the contract, are not split.
func TestSplit_MerkleProofsAreOnePart(t *testing.T) {
	t.Parallel()
	proofOf := func(cells int) *cell.Cell {
		full := cellgraphtest.Chain(cells, nil)
		proof, err := cell.BeginCell().MustStoreUInt(3, 8).MustStoreSlice(full.Hash(), 256).
			MustStoreUInt(uint64(full.Depth()), 16).MustStoreRef(full).EndCellSpecial(true)
		require.NoError(t, err)
		return cell.BeginCell().MustStoreUInt(uint64(cells), 32).MustStoreRef(proof).MustStoreRef(cellgraphtest.Chain(20, nil)).EndCell()
	}
	pruned, err := cell.BeginCell().MustStoreUInt(0x0101, 16).MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(0, 16).EndCellSpecial(true)
	require.NoError(t, err)
	below := cell.BeginCell().MustStoreRef(pruned).MustStoreRef(cellgraphtest.Chain(20, nil)).EndCell()
	partial, err := cell.BeginCell().MustStoreUInt(3, 8).MustStoreSlice(below.Hash(0), 256).
		MustStoreUInt(uint64(below.Depth(0)), 16).MustStoreRef(below).EndCellSpecial(true)
	require.NoError(t, err)
	for _, root := range []*cell.Cell{
		proofOf(3), proofOf(100), proofOf(255), partial,
		cell.BeginCell().MustStoreRef(partial).MustStoreRef(proofOf(30)).EndCell(),
	} {
		stored := newShelf()
		_, _ = stored.add(t, root)
		stored.requireTree(t, root)
	}
	stored := newShelf()
	_, size := stored.add(t, proofOf(256))
	require.Less(t, size, 2000)
	_, err = stored.root(t, chain.Hash(proofOf(256).HashKey()))
	require.ErrorIs(t, err, cellparts.ErrNotStored)
}

func TestJoiner_RefusesOtherCells(t *testing.T) {
	t.Parallel()
	var j cellparts.Joiner
	require.Error(t, j.Add(chain.Hash{1}, cellparts.Serialize(cellgraphtest.Chain(3, nil))))
	require.Error(t, j.Add(chain.Hash{1}, chain.BOC("no bag")))
	stored := newShelf()
	root := cellgraphtest.Chain(100, nil)
	parts, _ := stored.add(t, root)
	delete(stored.bags, parts[0])
	_, err := stored.root(t, chain.Hash(root.HashKey()))
	require.ErrorIs(t, err, cellparts.ErrNotStored)
}
