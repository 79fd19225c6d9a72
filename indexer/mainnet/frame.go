package mainnet

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Frame builds the masterchain block seqno without transactions and lets it commit one shard block.
func Frame(tb testing.TB, seqno uint32, shard chain.RawBlock) *chain.RawMasterBlock {
	tb.Helper()
	var inner tlb.Block
	require.NoError(tb, tlb.Parse(&inner, shard.Root))
	root := frameBlock(seqno, &inner.BlockInfo)
	id := chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno},
		RootHash: chain.Hash(root.HashKey()),
		FileHash: chain.HashFrom(root.Hash()),
	}
	return &chain.RawMasterBlock{
		Master: chain.RawBlock{ID: id, Root: root},
		Shards: []chain.RawBlock{shard},
		Top:    []chain.BlockIDExt{shard.ID},
	}
}

// frameBlock writes block#11ef55aa with an empty extra, made at the time of the shard block inside.
func frameBlock(seqno uint32, inner *tlb.BlockHeader) *cell.Cell {
	prev := cell.BeginCell().MustStoreUInt(0, 64).MustStoreUInt(uint64(seqno)-1, 32).
		MustStoreSlice(make([]byte, 64), 512).EndCell()
	info := cell.BeginCell().
		MustStoreUInt(0x9bc7a987, 32).MustStoreUInt(0, 32).
		MustStoreUInt(0, 8). // masterchain, no split, merge or key block
		MustStoreUInt(0, 8). // no gen_software
		MustStoreUInt(uint64(seqno), 32).MustStoreUInt(0, 32).
		MustStoreUInt(0, 8).MustStoreInt(-1, 32).MustStoreUInt(0, 64). // shard_ident
		MustStoreUInt(uint64(inner.GenUtime), 32).
		MustStoreUInt(inner.StartLt, 64).MustStoreUInt(inner.EndLt, 64).
		MustStoreUInt(0, 64).
		MustStoreUInt(uint64(inner.MinRefMcSeqno), 32).
		MustStoreUInt(uint64(inner.PrevKeyBlockSeqno), 32).
		MustStoreRef(prev).EndCell()
	empty := cell.BeginCell().EndCell()
	noAccounts := cell.BeginCell().MustStoreUInt(0, 6).EndCell() // ahme_empty$0 and no currencies
	extra := cell.BeginCell().MustStoreUInt(0x4a33f6fd, 32).
		MustStoreRef(empty).MustStoreRef(empty).MustStoreRef(noAccounts).
		MustStoreSlice(make([]byte, 64), 512).MustStoreUInt(0, 1).EndCell()
	return cell.BeginCell().MustStoreUInt(0x11ef55aa, 32).MustStoreInt(-239, 32).
		MustStoreRef(info).MustStoreRef(empty).MustStoreRef(empty).MustStoreRef(extra).EndCell()
}
