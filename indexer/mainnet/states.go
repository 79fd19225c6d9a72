package mainnet

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// ZerostateFile returns the recorded zerostate of the masterchain or the basechain, as nodes serve it.
func ZerostateFile(tb testing.TB, workchain int32) []byte {
	tb.Helper()
	name, ok := map[int32]string{chain.MasterchainID: "masterchain", chain.BasechainID: "basechain"}[workchain]
	require.True(tb, ok)
	return recorded(tb, "zerostate-"+name+".boc")
}

// State returns the state after a recorded block, or nil.
func (c *Chain) State(id chain.BlockID) *cell.Cell { return c.states[id] }
