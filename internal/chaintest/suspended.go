package chaintest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Suspend gives a block a configuration whose parameter 44 lists accounts that cannot be initialized before a time.
func Suspend(t testing.TB, b *chain.MasterBlock, until uint32, accounts ...chain.Address) {
	t.Helper()
	list := cell.NewDict(288)
	for _, a := range accounts {
		key := cell.BeginCell().MustStoreInt(int64(a.Workchain), 32).MustStoreSlice(a.ID[:], 256).EndCell()
		require.NoError(t, list.Set(key, cell.BeginCell().EndCell()))
	}
	param := cell.BeginCell().MustStoreUInt(0, 8).MustStoreDict(list).MustStoreUInt(uint64(until), 32).EndCell()
	params := cell.NewDict(32)
	require.NoError(t, params.Set(cell.BeginCell().MustStoreInt(44, 32).EndCell(), cell.BeginCell().MustStoreRef(param).EndCell()))
	root := params.AsCell()
	b.Block.KeyBlock = true
	b.Config = &chain.Config{McSeqno: b.Block.Seqno, Root: chain.Hash(root.HashKey()), BOC: root.ToBOC()}
}
