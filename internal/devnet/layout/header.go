package layout

import (
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Header is a BlockInfo. Prev has one entry, or two after a merge.
type Header struct {
	Workchain                                                   int32
	Shard                                                       uint64
	Seqno                                                       uint32
	AfterMerge, BeforeSplit, AfterSplit, WantSplit, WantMerge   bool
	KeyBlock                                                    bool
	GenUtime                                                    uint32
	StartLT, EndLT                                              uint64
	ValidatorListHash, CatchainSeqno, MinRefMcSeqno, PrevKeySeq uint32
	Version                                                     uint32
	Capabilities                                                uint64
	MasterRef                                                   *tlb.ExtBlkRef // nil in the masterchain
	Prev                                                        []tlb.ExtBlkRef
}

// Cell builds block_info#9bc7a987.
func (h *Header) Cell() *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0x9bc7a987, 32).
		MustStoreUInt(0, 32). // version
		MustStoreBoolBit(h.MasterRef != nil).
		MustStoreBoolBit(h.AfterMerge).
		MustStoreBoolBit(h.BeforeSplit).
		MustStoreBoolBit(h.AfterSplit).
		MustStoreBoolBit(h.WantSplit).
		MustStoreBoolBit(h.WantMerge).
		MustStoreBoolBit(h.KeyBlock).
		MustStoreBoolBit(false). // vert_seqno_incr
		MustStoreUInt(1, 8).     // flags: gen_software follows
		MustStoreUInt(uint64(h.Seqno), 32).
		MustStoreUInt(0, 32) // vert_seq_no
	StoreShardIdent(b, h.Workchain, h.Shard)
	b.MustStoreUInt(uint64(h.GenUtime), 32).
		MustStoreUInt(h.StartLT, 64).
		MustStoreUInt(h.EndLT, 64).
		MustStoreUInt(uint64(h.ValidatorListHash), 32).
		MustStoreUInt(uint64(h.CatchainSeqno), 32).
		MustStoreUInt(uint64(h.MinRefMcSeqno), 32).
		MustStoreUInt(uint64(h.PrevKeySeq), 32).
		MustStoreUInt(0xc4, 8).
		MustStoreUInt(uint64(h.Version), 32).
		MustStoreUInt(h.Capabilities, 64)
	if h.MasterRef != nil {
		b.MustStoreRef(extBlkRefCell(*h.MasterRef))
	}
	prev := extBlkRefCell(h.Prev[0])
	if h.AfterMerge {
		prev = cell.BeginCell().MustStoreRef(prev).MustStoreRef(extBlkRefCell(h.Prev[1])).EndCell()
	}
	return b.MustStoreRef(prev).EndCell()
}

func extBlkRefCell(ref tlb.ExtBlkRef) *cell.Cell {
	b := cell.BeginCell()
	StoreExtBlkRef(b, ref)
	return b.EndCell()
}

// Body is everything of a block but its header.
type Body struct {
	GlobalID    int32
	Flow        ValueFlow
	StateUpdate *cell.Cell
	// InMsgs, OutMsgs and Accounts are the serialized dictionaries.
	InMsgs, OutMsgs, Accounts *cell.Cell
	RandSeed, CreatedBy       []byte
	McExtra                   *cell.Cell // McBlockExtra; nil outside the masterchain
}

// BlockCell builds block#11ef55aa.
func BlockCell(h *Header, body *Body) *cell.Cell {
	extra := cell.BeginCell().MustStoreUInt(0x4a33f6fd, 32).
		MustStoreRef(body.InMsgs).
		MustStoreRef(body.OutMsgs).
		MustStoreRef(body.Accounts).
		MustStoreSlice(body.RandSeed, 256).
		MustStoreSlice(body.CreatedBy, 256).
		MustStoreMaybeRef(body.McExtra)
	return cell.BeginCell().MustStoreUInt(0x11ef55aa, 32).
		MustStoreInt(int64(body.GlobalID), 32).
		MustStoreRef(h.Cell()).
		MustStoreRef(body.Flow.Cell()).
		MustStoreRef(body.StateUpdate).
		MustStoreRef(extra.EndCell()).
		EndCell()
}
