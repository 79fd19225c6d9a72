package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/store/cells"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// split adds the parts of trees to a masterchain block and returns the hashes of the trees.
func split(t *testing.T, mb *chain.MasterBlock, trees ...*cell.Cell) []chain.Hash {
	t.Helper()
	mb.Cells = map[chain.Hash]chain.BOC{}
	s := cellparts.Splitter{
		Stored: func(h chain.Hash) (int, bool) { return 64, mb.Cells[h] != nil },
		Emit:   func(h chain.Hash, part *cell.Cell, _ int) { mb.Cells[h] = cellparts.Serialize(part) },
	}
	hashes := make([]chain.Hash, 0, len(trees))
	for _, tree := range trees {
		part, err := s.Split(tree)
		require.NoError(t, err)
		hashes = append(hashes, chain.Hash(tree.HashKey()))
		mb.Cells[hashes[len(hashes)-1]] = cellparts.Serialize(part)
	}
	return hashes
}

func TestCells_PartsAreJoined(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	mb := testdb.Master(1)
	trees := []*cell.Cell{
		cellgraphtest.Chain(10, nil), cellgraphtest.Chain(500, nil), storetest.NumberedCell(1, cellgraphtest.Chain(500, nil)),
		storetest.NumberedCell(2, cellgraphtest.Shared(300, nil)), storetest.NumberedCell(3, cellgraphtest.Shared(300, nil)),
	}
	hashes := split(t, mb, trees...)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	for range 2 { // the second time from memory
		found, err := db.Reader().Cells(t.Context(), append(hashes, testdb.Hash()))
		require.NoError(t, err)
		require.Len(t, found, len(trees))
		for i, tree := range trees {
			require.Equal(t, cellparts.Serialize(tree), found[hashes[i]])
		}
	}

	// Of a tree without one of its parts there is nothing.
	mb = testdb.Master(2)
	lost := split(t, mb, storetest.FullCells(1, 200))[0]
	for h := range mb.Cells {
		if h != lost {
			delete(mb.Cells, h)
			break
		}
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	found, err := db.Reader().Cells(t.Context(), []chain.Hash{lost, hashes[0]})
	require.NoError(t, err)
	require.Len(t, found, 1)
}

// A state in parts is complete in a list of accounts, whether its code and data come with the row or after it.
func TestAccountStates_PartsAreJoined(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	code, data := cellgraphtest.Chain(100, nil), storetest.NumberedCell(1, cellgraphtest.Chain(300, nil))
	var accounts []chain.Address
	mb := testdb.Master(1, func(mb *chain.MasterBlock) {
		hashes := split(t, mb, code, data)
		for range 2 {
			s := testdb.NewState(mb, testdb.Address())
			s.CodeHash, s.DataHash = &hashes[0], &hashes[1]
			mb.States, accounts = append(mb.States, s), append(accounts, s.Account)
		}
	})
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	for n := 1; n <= 2; n++ {
		rows, err := db.Reader().AccountStates(t.Context(), chain.AccountFilter{Addresses: accounts[:n], WithBOC: true}, chain.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, rows, n)
		for i := range rows {
			require.Equal(t, cellparts.Serialize(code), rows[i].CodeBOC)
			require.Equal(t, cellparts.Serialize(data), rows[i].DataBOC)
		}
	}
}

// A hundred states of a megabyte share all cells but the first: a request for all of them is refused.
func TestCells_JoinedBytesAreBounded(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	mb := testdb.Master(1)
	tree := cell.BeginCell().EndCell()
	for i := range uint64(9) {
		tree = cell.BeginCell().MustStoreRef(tree).MustStoreRef(storetest.FullCells(i, 900)).EndCell()
	}
	trees := make([]*cell.Cell, 100)
	for i := range trees {
		trees[i] = storetest.NumberedCell(uint64(i), tree)
	}
	hashes := split(t, mb, trees...)
	stored := 0
	for _, part := range mb.Cells {
		stored += len(part)
	}
	require.Less(t, stored, 4<<20)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	found, err := db.Reader().Cells(t.Context(), hashes[:10])
	require.NoError(t, err)
	require.Greater(t, len(found[hashes[0]]), cells.MaxJoined/100)
	_, err = db.Reader().Cells(t.Context(), hashes)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "64 MiB: request fewer at once")

	// Calls that share a limit join that much together. Then they join nothing, and other calls are not affected.
	limit := cells.NewLimit(16 << 20)
	_, err = db.Reader().CellsWithin(t.Context(), hashes[20:30], limit)
	require.NoError(t, err)
	for _, some := range [][]chain.Hash{hashes[30:40], hashes[40:41]} {
		_, err = db.Reader().CellsWithin(t.Context(), some, limit)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
		require.ErrorContains(t, err, "16 MiB: request fewer at once")
	}
	_, err = db.Reader().Cells(t.Context(), hashes[50:60])
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = db.Reader().Cells(ctx, hashes[:10])
	require.Error(t, err)
}
