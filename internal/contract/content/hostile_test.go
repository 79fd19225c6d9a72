package content_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/contract/content"
)

// Content of shared cells is read up to the limits.
func TestRead_StopsAtTheLimitOnSharedCells(t *testing.T) {
	t.Parallel()
	began := time.Now()
	dict := func(value *cell.Builder) *cell.Cell {
		return cell.BeginCell().MustStoreUInt(0, 8).MustStoreMaybeRef(cellgraphtest.Dict(256, value)).EndCell()
	}
	empty := cell.BeginCell().EndCell()
	for range 700 {
		empty = cell.BeginCell().MustStoreRef(empty).EndCell()
	}
	chunks := cell.BeginCell().MustStoreUInt(1, 8).MustStoreMaybeRef(cellgraphtest.Dict(32, cell.BeginCell().MustStoreRef(empty)))
	for _, levels := range cellgraphtest.Levels {
		require.NotNil(t, content.Read(cellgraphtest.Snake(levels, cell.BeginCell().MustStoreUInt(1, 8))))
		require.LessOrEqual(t, len(content.Snake(cellgraphtest.Snake(levels, nil))), 64<<10)
		require.NotNil(t, content.Read(cellgraphtest.Shared(levels, nil)))
	}
	require.NotEmpty(t, content.Read(dict(cell.BeginCell().MustStoreRef(cellgraphtest.Snake(500, cell.BeginCell().MustStoreUInt(0, 8))))))
	require.NotEmpty(t, content.Read(dict(cell.BeginCell().MustStoreRef(chunks.EndCell()))))
	letters := cell.BeginCell().MustStoreStringSnake("\x01\x01\x01\x01").EndCell()
	chunks = cell.BeginCell().MustStoreUInt(1, 8).MustStoreMaybeRef(cellgraphtest.Dict(32, cell.BeginCell().MustStoreRef(letters)))
	require.LessOrEqual(t, content.Read(dict(cell.BeginCell().MustStoreRef(chunks.EndCell()))).Size(), 65<<10, "nine values of shared cells")
	require.Less(t, time.Since(began), 10*time.Second) // as a tree it would not end
}

// Values that share their chunks take more gas than the cells that a contract pays for. Reading ends with the gas, and the values that were
// read until then stay.
func TestReadFor_EndsWithTheGas(t *testing.T) {
	t.Parallel()
	letters := cellgraphtest.Snake(50, nil)
	chunks := cell.BeginCell().MustStoreUInt(1, 8).MustStoreMaybeRef(cellgraphtest.Dict(32, cell.BeginCell().MustStoreRef(letters))).EndCell()
	shared := cell.BeginCell().MustStoreUInt(0, 8).MustStoreMaybeRef(cellgraphtest.Dict(256, cell.BeginCell().MustStoreRef(chunks))).EndCell()
	const value = 64 << 10
	all, used := content.ReadFor(shared, 1<<40)
	require.Equal(t, content.Read(shared), all)
	require.Greater(t, used, int64(9*value/8))
	require.Less(t, used, int64(9*value/4))
	some, used := content.ReadFor(shared, 30_000)
	require.Equal(t, int64(30_000), used)
	require.Contains(t, some, "uri")
	require.NotContains(t, some, "image")
	for _, gas := range []int64{-5, 0, 5} {
		none, used := content.ReadFor(shared, gas)
		require.Empty(t, none)
		require.Equal(t, max(0, gas), used)
		text, used := content.AttributeFor(shared, "name", gas)
		require.Empty(t, text)
		require.Equal(t, max(0, gas), used)
	}
	uri := cellgraphtest.Snake(500, cell.BeginCell().MustStoreUInt(1, 8))
	found, used := content.ReadFor(uri, 20_000)
	require.Equal(t, content.Read(uri), found)
	require.Positive(t, used)
	found, _ = content.ReadFor(uri, 5000)
	require.Empty(t, found)
}
