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
