package vesting_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/contract/vesting"
)

// A whitelist of 2^264 addresses fits into 265 cells.
func TestWhitelist_StopsAtTheLimitOnSharedBranches(t *testing.T) {
	t.Parallel()
	require.Len(t, vesting.Whitelist(cellgraphtest.Dict(264, cell.BeginCell())), 256)
}
