package cellgraph_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
)

func TestVisits_CountsAsATreeWalkDoes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		root := randomGraph(rand.New(rand.NewPCG(seed, 1)))
		want := treeCells(root)
		require.Equal(t, want, cellgraph.Visits(root, 1<<40))
		require.NoError(t, cellgraph.Check(root, want))
		require.Equal(t, want, cellgraph.Visits(root, want-1)) // limit+1
		var many *cellgraph.TooManyVisitsError
		require.ErrorAs(t, cellgraph.Check(root, want-1), &many)
		require.Equal(t, want-1, many.Max)
	}
}

func TestVisits_StopsAtTheLimitOnSharedCells(t *testing.T) {
	t.Parallel()
	for _, levels := range cellgraphtest.Levels {
		root := cellgraphtest.Shared(levels, nil)
		require.Equal(t, cellgraph.MaxVisits+1, cellgraph.Visits(root, cellgraph.MaxVisits))
		require.Equal(t, levels, cellgraph.Visits(cellgraphtest.Chain(levels, nil), cellgraph.MaxVisits))
		n, bits, err := cellgraph.Count(root, levels)
		require.NoError(t, err)
		require.Equal(t, levels, n)
		require.EqualValues(t, 32*levels, bits)
		_, _, err = cellgraph.Count(root, levels-1)
		require.ErrorIs(t, err, cellgraph.ErrTooManyCells)
	}
	require.Zero(t, cellgraph.Visits(nil, 1))
	require.NoError(t, cellgraph.Check(nil, 0))
}

// Cells that are read under a trace are copies, one for each path to them.
func TestVisits_StopsAtTheLimitOnTracedCells(t *testing.T) {
	t.Parallel()
	traced := cellgraphtest.Shared(100, nil).WithTrace(cell.NewCellUsageTree().RootTrace())
	require.Equal(t, cellgraph.MaxVisits+1, cellgraph.Visits(traced, cellgraph.MaxVisits))
	n, _, err := cellgraph.Count(traced, 100)
	require.NoError(t, err)
	require.Equal(t, 100, n)
}

func TestWalk_VisitsParentsFirstInTheOrderOfReferences(t *testing.T) {
	t.Parallel()
	leaf := func(n uint64) *cell.Cell { return cell.BeginCell().MustStoreUInt(n, 8).EndCell() }
	left := cell.BeginCell().MustStoreUInt(1, 8).MustStoreRef(leaf(2)).MustStoreRef(leaf(3)).EndCell()
	root := cell.BeginCell().MustStoreUInt(0, 8).MustStoreRef(left).MustStoreRef(leaf(4)).MustStoreRef(left).EndCell()
	var order []uint64
	require.NoError(t, cellgraph.Walk(root, 5, func(c *cell.Cell) error {
		order = append(order, c.MustBeginParse().MustLoadUInt(8))
		return nil
	}))
	require.Equal(t, []uint64{0, 1, 2, 3, 4}, order)
	stop := errors.New("stop")
	require.ErrorIs(t, cellgraph.Walk(root, 5, func(*cell.Cell) error { return stop }), stop)
}

func TestEntries_CountsThoseOfTheDictionary(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for _, keyBits := range []uint{1, 8, 32, 64} {
		dict := cell.NewDict(keyBits)
		for n := range 100 {
			root := dict.AsCell()
			all, err := dict.LoadAll()
			require.NoError(t, err)
			got, err := cellgraph.Entries(root, keyBits, 100)
			require.NoError(t, err)
			require.Len(t, all, got)
			if got > 0 {
				_, err = cellgraph.Entries(root, keyBits, got-1)
				require.ErrorIs(t, err, cellgraph.ErrTooManyEntries)
			}
			key := r.Uint64() >> (64 - keyBits)
			if n%3 == 0 {
				key = uint64(n) & (1<<keyBits - 1) // long labels
			}
			require.NoError(t, dict.Set(cell.BeginCell().MustStoreUInt(key, keyBits).EndCell(), cell.BeginCell().MustStoreUInt(1, 1).EndCell()))
		}
	}
}

func TestEntries_StopsAtTheLimitOnSharedBranches(t *testing.T) {
	t.Parallel()
	root := cellgraphtest.Dict(10, cell.BeginCell())
	n, err := cellgraph.Entries(root, 10, 1024)
	require.NoError(t, err)
	require.Equal(t, 1024, n)
	_, err = cellgraph.Entries(cellgraphtest.Dict(256, cell.BeginCell()), 256, 1_000_000)
	require.ErrorIs(t, err, cellgraph.ErrTooManyEntries)
	_, err = cellgraph.Dict(cellgraphtest.Dict(256, cell.BeginCell()), 256, 1_000_000)
	require.ErrorIs(t, err, cellgraph.ErrTooManyEntries)
	_, err = cellgraph.Entries(cell.BeginCell().EndCell(), 8, 10)
	require.ErrorIs(t, err, cellgraph.ErrNoDict)
}

// treeCells counts the cells as a recursive walk visits them: a shared cell once for each path to it.
func treeCells(c *cell.Cell) int {
	n := 1
	for i := range int(c.RefsNum()) {
		n += treeCells(c.MustPeekRef(i))
	}
	return n
}

// randomGraph makes a graph of up to 14 cells, small enough to be walked as a tree.
func randomGraph(r *rand.Rand) *cell.Cell {
	made := []*cell.Cell{cell.BeginCell().EndCell()}
	for i := range 2 + r.IntN(12) {
		b := cell.BeginCell().MustStoreUInt(uint64(i), 16)
		for range 1 + r.IntN(3) {
			b.MustStoreRef(made[max(0, len(made)-1-r.IntN(3))])
		}
		made = append(made, b.EndCell())
	}
	return made[len(made)-1]
}
