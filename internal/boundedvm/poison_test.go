package boundedvm_test

import (
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
)

func codeOf(tb testing.TB, text string) *cell.Cell {
	tb.Helper()
	data, err := hex.DecodeString(text)
	require.NoError(tb, err)
	return cell.BeginCell().MustStoreSlice(data, uint(len(data))*8).EndCell()
}

func TestDebugOpcodes_DoNotPrintSharedCells(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{11, 14, 30, 60} {
		code := codeOf(t, fmt.Sprintf("C8C980%02X99202020C8CCCCCCCCC9E4FE00", depth))
		start := time.Now()
		res, err := execute(t, boundedvm.New(), program{code: code})
		require.NoError(t, err)
		require.Zero(t, res.ExitCode)
		require.Less(t, time.Since(start), 2*time.Second, "depth %d", depth)
	}
}

