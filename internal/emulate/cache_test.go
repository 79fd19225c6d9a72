package emulate

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// sparse is a tree of cells that have no bits, but the leaves.
func sparse(first uint64, leaves int) *cell.Cell {
	list := make([]*cell.Cell, 0, 2*leaves)
	for i := range uint64(leaves) {
		list = append(list, cell.BeginCell().MustStoreUInt(first+i, 32).EndCell())
	}
	for len(list) > 1 {
		b := cell.BeginCell()
		for range min(4, len(list)) {
			b.MustStoreRef(list[0])
			list = list[1:]
		}
		list = append(list, b.EndCell())
	}
	return list[0]
}

// Cells without bits take memory, too.
func TestAccountWeight_CountsCells(t *testing.T) {
	t.Parallel()
	account := &Account{State: chain.AccountState{UsedCells: 50_000, UsedBits: 800}}
	require.Greater(t, account.weight(), 10<<20)
}

func TestCaches_OfCellsAreBoundedByTheirMemory(t *testing.T) {
	t.Parallel()
	x := New(nil, Options{})
	t.Cleanup(x.Close)
	x.keepAccount(accountKey{mcSeqno: 1}, &Account{State: chain.AccountState{UsedCells: 50_000, UsedBits: 800}})
	entries, _ := x.accounts.Size()
	require.Zero(t, entries, "too large")
	const cells = 600
	for seqno := range uint32(1000) {
		x.keepAccount(accountKey{mcSeqno: seqno}, &Account{State: chain.AccountState{UsedCells: cells, UsedBits: 800}})
	}
	entries, _ = x.accounts.Size()
	require.LessOrEqual(t, entries*cells*cellgraph.CellMemory, maxCellBytes)
	require.Greater(t, entries*cells*cellgraph.CellMemory, maxCellBytes/2)

	for i := range uint64(100) {
		lib := sparse(i<<20, 3000)
		n, _, err := cellgraph.Count(lib, 1<<20)
		require.NoError(t, err)
		require.Greater(t, n, 3900)
		x.libraryCache.keep(chain.Hash(lib.HashKey()), lib)
	}
	entries, _ = x.libraryCache.content.Size()
	require.LessOrEqual(t, entries*3900*cellgraph.CellMemory, maxLibraryBytes)
	require.Greater(t, entries, 50)
	x.libraryCache.keep(chain.Hash{}, sparse(0, 30_000))
	_, ok := x.libraryCache.content.Get(chain.Hash{})
	require.False(t, ok, "too large")
}
