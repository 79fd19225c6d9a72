package lite

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/cellgraph/cellgraphtest"
)

// Tuples may contain the same tuple many times: a few cells of parameters, 2^60 values when parsed or serialized.
func TestStack_SharedTuplesAreLimited(t *testing.T) {
	t.Parallel()
	value := cell.BeginCell().MustStoreUInt(0, 8).EndCell() // null
	for range 200 {
		value = cell.BeginCell().MustStoreUInt(7, 8).MustStoreUInt(2, 16).MustStoreRef(value).MustStoreRef(value).EndCell()
	}
	stack := func(v *cell.Cell) []byte {
		return cell.BeginCell().MustStoreUInt(1, 24).MustStoreRef(cell.BeginCell().EndCell()).MustStoreBuilder(v.ToBuilder()).EndCell().ToBOC()
	}
	_, err := readStack(stack(value))
	require.ErrorContains(t, err, "its cells refer to each other")
	small, err := readStack(stack(cell.BeginCell().MustStoreUInt(7, 8).MustStoreUInt(2, 16).
		MustStoreRef(cell.BeginCell().MustStoreUInt(0, 8).EndCell()).MustStoreRef(cell.BeginCell().MustStoreUInt(0, 8).EndCell()).EndCell()))
	require.NoError(t, err)
	require.Equal(t, 1, small.Len())

	var nested any = big.NewInt(1)
	for range 60 {
		nested = tuple.NewTupleOwned([]any{nested, nested})
	}
	left := vm.NewStack()
	require.NoError(t, left.PushHostValue(nested))
	_, err = writeStack(left)
	require.ErrorContains(t, err, "more than 10000 values")

	deep := vm.NewStack()
	for range 1001 {
		require.NoError(t, deep.PushInt(big.NewInt(1)))
	}
	_, err = writeStack(deep)
	require.ErrorContains(t, err, "1001 entries")
}

// Nodes refuse a bag of cells that hides pruned branches behind a cell of level 0.
func TestStack_HiddenCellsAreRefused(t *testing.T) {
	t.Parallel()
	empty := cell.BeginCell().MustStoreUInt(1, 24).MustStoreRef(cell.BeginCell().EndCell()).MustStoreUInt(0, 8).EndCell()
	_, err := readStack(empty.ToBOC())
	require.NoError(t, err)
	_, err = readStack(cellgraphtest.Hidden(empty))
	require.ErrorContains(t, err, "cannot deserialize parameter list boc")
}
