package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
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

// countedLibraries are libraries that do not exist.
type countedLibraries struct{ lookups int }

func (l *countedLibraries) Library(chain.Hash) (*cell.Cell, bool) {
	l.lookups++
	return nil, false
}

// A code is analysed once, also one that names libraries that do not exist: a search of its cells for each get-method takes a hundred times as
// long as the methods.
func TestDetect_CodesWithoutTheirLibrariesAreAnalysedOnce(t *testing.T) {
	t.Parallel()
	methods := map[string]*cell.Cell{}
	for _, i := range contract.AllInterfaces() {
		for _, m := range i.Methods {
			methods[m] = contracttest.Asm("f200") // throws
		}
	}
	account := contracttest.Account("account", methods)
	b := cell.BeginCell().MustStoreBuilder(account.Code.ToBuilder())
	lib, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	account.Code = b.MustStoreRef(lib).EndCell()
	libs := &countedLibraries{}
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{Libraries: libs}, contract.Options{})
	want := contracttest.Detect(t, r, contracttest.Snapshot{}, account)
	require.Greater(t, len(want.Methods), 50)
	require.LessOrEqual(t, libs.lookups, 2) // of the analysis, and before it is cached
	libs.lookups = 0
	require.Equal(t, want, contracttest.Detect(t, r, contracttest.Snapshot{}, account))
	require.Equal(t, 1, libs.lookups) // whether the library exists by now
}
