package ledger

import (
	"crypto/sha256"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

// Block is one block of the chain. It is immutable: callers may share it.
type Block struct {
	ID   ton.BlockIDExt
	Root *cell.Cell
	Data []byte // the BoC whose SHA-256 is ID.FileHash

	StartLT, EndLT uint64
	GenUtime       uint32
	// McSeqno is the seqno of the masterchain block that commits this block; for a
	// masterchain block its own seqno.
	McSeqno  uint32
	KeyBlock bool
	// PrevKeySeqno is the seqno of the last key block before this block; 0 when there is none.
	PrevKeySeqno uint32
	// Prev lists the parents: two after a merge, otherwise one.
	Prev []ton.BlockIDExt
}

// parseBlock reads a block from its BoC. The BoC does not contain McSeqno, which stays 0.
func parseBlock(data []byte) (*Block, error) {
	root, err := cell.FromBOC(data)
	if err != nil {
		return nil, fmt.Errorf("block: %w", err)
	}
	s, err := root.BeginParse()
	if err != nil {
		return nil, err
	}
	if err := s.SkipBits(64); err != nil { // tag, global_id
		return nil, fmt.Errorf("block: %w", err)
	}
	info, err := s.LoadRef()
	if err != nil {
		return nil, fmt.Errorf("block: %w", err)
	}
	var h tlb.BlockHeader
	if err := h.LoadFromCell(info); err != nil {
		return nil, fmt.Errorf("block header: %w", err)
	}
	fileHash := sha256.Sum256(data)
	wc, shard := tlb.ConvertShardIdentToShard(h.Shard)
	return &Block{
		ID:   ton.BlockIDExt{Workchain: wc, Shard: int64(shard), SeqNo: h.SeqNo, RootHash: root.Hash(), FileHash: fileHash[:]},
		Root: root, Data: data,
		StartLT: h.StartLt, EndLT: h.EndLt, GenUtime: h.GenUtime, KeyBlock: h.KeyBlock, PrevKeySeqno: h.PrevKeyBlockSeqno,
		Prev: parents(wc, shard, &h),
	}, nil
}

func parents(wc int32, shard uint64, h *tlb.BlockHeader) []ton.BlockIDExt {
	id := func(shard uint64, ref tlb.ExtBlkRef) ton.BlockIDExt {
		return ton.BlockIDExt{Workchain: wc, Shard: int64(shard), SeqNo: ref.SeqNo, RootHash: ref.RootHash, FileHash: ref.FileHash}
	}
	switch {
	case h.AfterMerge && h.PrevRef.Prev2 != nil:
		left, right := layout.ShardChildren(shard)
		return []ton.BlockIDExt{id(left, h.PrevRef.Prev1), id(right, *h.PrevRef.Prev2)}
	case h.AfterSplit:
		return []ton.BlockIDExt{id(layout.ShardParent(shard), h.PrevRef.Prev1)}
	default:
		return []ton.BlockIDExt{id(shard, h.PrevRef.Prev1)}
	}
}
