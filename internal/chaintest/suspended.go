package chaintest

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Suspend gives a block a configuration whose parameter 44 lists accounts that cannot be initialized before a time.
func Suspend(b *chain.MasterBlock, until uint32, accounts ...chain.Address) {
	list := cell.NewDict(288)
	for _, a := range accounts {
		key := cell.BeginCell().MustStoreInt(int64(a.Workchain), 32).MustStoreSlice(a.ID[:], 256).EndCell()
		if err := list.Set(key, cell.BeginCell().EndCell()); err != nil {
			panic(err)
		}
	}
	param := cell.BeginCell().MustStoreUInt(0, 8).MustStoreDict(list).MustStoreUInt(uint64(until), 32).EndCell()
	params := cell.NewDict(32)
	if err := params.Set(cell.BeginCell().MustStoreInt(44, 32).EndCell(), cell.BeginCell().MustStoreRef(param).EndCell()); err != nil {
		panic(err)
	}
	root := params.AsCell()
	b.Block.KeyBlock = true
	b.Config = &chain.Config{McSeqno: b.Block.Seqno, Root: chain.Hash(root.HashKey()), BOC: root.ToBOC()}
}
