package contracttest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract/contracttest"
)

func TestTree_IsTheInverseOfSeed(t *testing.T) {
	t.Parallel()
	c := cell.BeginCell().MustStoreUInt(5, 13).
		MustStoreRef(cell.BeginCell().MustStoreSlice(make([]byte, 127), 1016).EndCell()).
		MustStoreRef(cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 1).EndCell()).EndCell()).EndCell()
	require.Equal(t, c.Hash(), contracttest.Tree(contracttest.Seed(c)).Hash())
	require.NotNil(t, contracttest.Tree(nil))
	require.NotNil(t, contracttest.Tree([]byte{0, 4, 0, 4, 0, 4}))
}
