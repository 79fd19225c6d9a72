package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// A message of many library cells causes a bounded number of queries and does not displace the library of the code.
func TestLibraryRefs_AreBounded(t *testing.T) {
	t.Parallel()
	library := func(n byte) *cell.Cell {
		c, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(append(make([]byte, 31), n), 256).EndCellSpecial(true)
		require.NoError(t, err)
		return c
	}
	message := cell.BeginCell().EndCell()
	for n := range byte(200) {
		message = cell.BeginCell().MustStoreRef(library(n)).MustStoreRef(message).EndCell()
	}
	refs := contract.LibraryRefs(library(255), nil, message)
	require.Len(t, refs, 64)
	require.Equal(t, chain.Hash{31: 255}, refs[0])
	for _, levels := range cellgraphtest.Levels {
		require.Empty(t, contract.LibraryRefs(cellgraphtest.Shared(levels, nil)))
	}
}
