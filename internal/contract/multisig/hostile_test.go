package multisig_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/multisig"
)

// An order of 256 actions that share their cells is decoded up to a limit; a few such actions are decoded completely.
func TestParseOrder_SharedCellsAreBounded(t *testing.T) {
	t.Parallel()
	members := cellgraphtest.Dict(8, cell.BeginCell().MustStoreAddr(contracttest.Party("member")))
	update := cell.BeginCell().MustStoreUInt(0x1d0cfbd3, 32).MustStoreUInt(1, 8).MustStoreRef(members).MustStoreMaybeRef(members).EndCell()
	sendAction := func(body *cell.Cell) *cell.Cell {
		m := cell.BeginCell().MustStoreUInt(0b0110, 4).MustStoreUInt(0, 2).MustStoreAddr(contracttest.Party("to")).MustStoreCoins(1).
			MustStoreBoolBit(false).MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 64+32).MustStoreBoolBit(false).
			MustStoreBoolBit(true).MustStoreRef(body).EndCell()
		return cell.BeginCell().MustStoreUInt(0xf1381e5b, 32).MustStoreUInt(1, 8).MustStoreRef(m).EndCell()
	}
	for name, action := range map[string]*cell.Cell{
		"members": update, "body": sendAction(cellgraphtest.Chain(500, nil)), "endless": sendAction(cellgraphtest.Shared(500, nil)),
	} {
		actions, err := multisig.ParseOrder(cellgraphtest.Dict(8, cell.BeginCell().MustStoreRef(action)))
		require.NoError(t, err)
		require.Len(t, actions, 256)
		size := 0
		for _, a := range actions {
			size += len(a.BodyRaw) + len(a.Body) + 64*len(a.Addresses)
		}
		require.Less(t, size, 8<<20, name)
		require.Equal(t, name != "endless", actions[0].Parsed, name)
		require.False(t, actions[255].Parsed, name)
	}
	// Without the limit the members alone would be 131,072 addresses.
	few := cell.NewDict(8)
	for i := range uint64(4) {
		require.NoError(t, few.Set(cell.BeginCell().MustStoreUInt(i, 8).EndCell(), cell.BeginCell().MustStoreRef(update).EndCell()))
	}
	actions, err := multisig.ParseOrder(few.AsCell())
	require.NoError(t, err)
	require.True(t, actions[3].Parsed)
}
