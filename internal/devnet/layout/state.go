package layout

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	tagState      = 0x9023afe2
	tagStateSplit = 0x5f327da5
)

// State is a ShardStateUnsplit. Cells carry the trace of the root they were read from, so
// that unchanged parts stay out of a Merkle update.
type State struct {
	GlobalID      int32
	Workchain     int32
	Shard         uint64
	Seqno         uint32
	VertSeqno     uint32
	GenUtime      uint32
	GenLT         uint64
	MinRefMcSeqno uint32
	OutQueue      *cell.Cell // OutMsgQueueInfo
	BeforeSplit   bool
	Accounts      *cell.Cell // ShardAccounts
	// Overload and Underload are histories of 64 blocks, newest in the lowest bit.
	Overload, Underload uint64
	TotalBalance        Currencies
	ValidatorFees       *big.Int
	Libraries           *cell.Cell // root of HashmapE 256 LibDescr; nil when empty
	MasterRef           *tlb.ExtBlkRef
	Extra               *cell.Cell // McStateExtra; nil outside the masterchain
}

// Cell builds the root of the state.
func (st *State) Cell() (*cell.Cell, error) {
	stats := cell.BeginCell().
		MustStoreUInt(st.Overload, 64).
		MustStoreUInt(st.Underload, 64)
	st.TotalBalance.Store(stats)
	StoreGrams(stats, st.ValidatorFees)
	stats.MustStoreMaybeRef(st.Libraries).MustStoreBoolBit(st.MasterRef != nil)
	if st.MasterRef != nil {
		StoreExtBlkRef(stats, *st.MasterRef)
	}

	b := cell.BeginCell().MustStoreUInt(tagState, 32).MustStoreInt(int64(st.GlobalID), 32)
	StoreShardIdent(b, st.Workchain, st.Shard)
	b.MustStoreUInt(uint64(st.Seqno), 32).
		MustStoreUInt(uint64(st.VertSeqno), 32).
		MustStoreUInt(uint64(st.GenUtime), 32).
		MustStoreUInt(st.GenLT, 64).
		MustStoreUInt(uint64(st.MinRefMcSeqno), 32)
	for _, ref := range []*cell.Cell{st.OutQueue, st.Accounts} {
		if ref == nil {
			return nil, fmt.Errorf("state of %d:%016x lacks a part", st.Workchain, st.Shard)
		}
	}
	return b.MustStoreRef(st.OutQueue).
		MustStoreBoolBit(st.BeforeSplit).
		MustStoreRef(st.Accounts).
		MustStoreRef(stats.EndCell()).
		MustStoreMaybeRef(st.Extra).
		EndCell(), nil
}

// ParseState reads a state root, traced or not.
func ParseState(root *cell.Cell) (*State, error) {
	s, err := root.BeginParse()
	if err != nil {
		return nil, err
	}
	tag, err := s.LoadUInt(32)
	if err != nil {
		return nil, err
	}
	if tag != tagState {
		return nil, fmt.Errorf("state tag %#x", tag)
	}
	st := &State{}
	r := reader{s: s}
	st.GlobalID = int32(r.int(32))
	if r.err == nil {
		st.Workchain, st.Shard, r.err = loadShardIdent(s)
	}
	st.Seqno = uint32(r.uint(32))
	st.VertSeqno = uint32(r.uint(32))
	st.GenUtime = uint32(r.uint(32))
	st.GenLT = r.uint(64)
	st.MinRefMcSeqno = uint32(r.uint(32))
	st.OutQueue = r.ref()
	st.BeforeSplit = r.bool()
	st.Accounts = r.ref()
	stats := r.ref()
	st.Extra = r.maybeRef()
	if r.err != nil {
		return nil, fmt.Errorf("state: %w", r.err)
	}
	return st, st.parseStats(stats)
}

func (st *State) parseStats(c *cell.Cell) error {
	s, err := c.BeginParse()
	if err != nil {
		return err
	}
	r := reader{s: s}
	st.Overload, st.Underload = r.uint(64), r.uint(64)
	st.TotalBalance, st.ValidatorFees = r.currencies(), r.grams()
	st.Libraries = r.maybeRef()
	if r.bool() {
		st.MasterRef = r.extBlkRef()
	}
	if r.err != nil {
		return fmt.Errorf("state statistics: %w", r.err)
	}
	return nil
}

// SplitState joins the states of two sibling shards into the root an
// after-merge block updates: split_state#5f327da5.
func SplitState(left, right *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(tagStateSplit, 32).MustStoreRef(left).MustStoreRef(right).EndCell()
}

// StoreExtBlkRef appends an ExtBlkRef.
func StoreExtBlkRef(b *cell.Builder, ref tlb.ExtBlkRef) {
	b.MustStoreUInt(ref.EndLt, 64).
		MustStoreUInt(uint64(ref.SeqNo), 32).
		MustStoreSlice(ref.RootHash, 256).
		MustStoreSlice(ref.FileHash, 256)
}
