package layout

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// ShardDescr is the masterchain's record of a shard's newest block.
type ShardDescr struct {
	Workchain int32  // position in the tree, not part of the record
	Shard     uint64 // likewise

	Seqno, RegMcSeqno                          uint32
	StartLT, EndLT                             uint64
	RootHash, FileHash                         []byte
	BeforeSplit, BeforeMerge                   bool
	WantSplit, WantMerge                       bool
	NextCatchainSeqno, MinRefMcSeqno, GenUtime uint32
	FutureSplit, FutureMerge                   *FutureChange // at most one
	FeesCollected, FundsCreated                *big.Int
}

// FutureChange is the time window in which a split or merge may happen.
type FutureChange struct{ Utime, Interval uint32 }

// store appends shard_descr_new#a.
func (d *ShardDescr) store(b *cell.Builder) {
	b.MustStoreUInt(0xa, 4).
		MustStoreUInt(uint64(d.Seqno), 32).
		MustStoreUInt(uint64(d.RegMcSeqno), 32).
		MustStoreUInt(d.StartLT, 64).
		MustStoreUInt(d.EndLT, 64).
		MustStoreSlice(d.RootHash, 256).
		MustStoreSlice(d.FileHash, 256).
		MustStoreBoolBit(d.BeforeSplit).
		MustStoreBoolBit(d.BeforeMerge).
		MustStoreBoolBit(d.WantSplit).
		MustStoreBoolBit(d.WantMerge).
		MustStoreBoolBit(false). // nx_cc_updated
		MustStoreUInt(0, 3).
		MustStoreUInt(uint64(d.NextCatchainSeqno), 32).
		MustStoreUInt(d.Shard, 64). // next_validator_shard
		MustStoreUInt(uint64(d.MinRefMcSeqno), 32).
		MustStoreUInt(uint64(d.GenUtime), 32)
	switch {
	case d.FutureSplit != nil:
		b.MustStoreUInt(0b10, 2).MustStoreUInt(uint64(d.FutureSplit.Utime), 32).MustStoreUInt(uint64(d.FutureSplit.Interval), 32)
	case d.FutureMerge != nil:
		b.MustStoreUInt(0b11, 2).MustStoreUInt(uint64(d.FutureMerge.Utime), 32).MustStoreUInt(uint64(d.FutureMerge.Interval), 32)
	default:
		b.MustStoreUInt(0, 1)
	}
	money := cell.BeginCell()
	StoreGrams(money, d.FeesCollected)
	StoreGrams(money, d.FundsCreated)
	b.MustStoreRef(money.EndCell())
}

func parseShardDescr(wc int32, shard uint64, s *cell.Slice) (*ShardDescr, error) {
	r := reader{s: s}
	if tag := r.uint(4); r.err == nil && tag != 0xa {
		return nil, fmt.Errorf("shard description tag %#x", tag)
	}
	d := &ShardDescr{Workchain: wc, Shard: shard}
	d.Seqno, d.RegMcSeqno = uint32(r.uint(32)), uint32(r.uint(32))
	d.StartLT, d.EndLT = r.uint(64), r.uint(64)
	d.RootHash, d.FileHash = r.bytes(32), r.bytes(32)
	d.BeforeSplit, d.BeforeMerge, d.WantSplit, d.WantMerge = r.bool(), r.bool(), r.bool(), r.bool()
	r.uint(4)
	d.NextCatchainSeqno = uint32(r.uint(32))
	r.uint(64)
	d.MinRefMcSeqno, d.GenUtime = uint32(r.uint(32)), uint32(r.uint(32))
	if r.bool() {
		merge := r.bool()
		change := &FutureChange{Utime: uint32(r.uint(32)), Interval: uint32(r.uint(32))}
		if merge {
			d.FutureMerge = change
		} else {
			d.FutureSplit = change
		}
	}
	money := r.ref()
	if r.err != nil {
		return nil, fmt.Errorf("shard description: %w", r.err)
	}
	ms, err := money.BeginParse()
	if err != nil {
		return nil, err
	}
	m := reader{s: ms}
	d.FeesCollected, d.FundsCreated = m.grams(), m.grams()
	return d, m.err
}

// ShardHashes builds the dictionary root of all shards. The shards of a
// workchain must cover it without overlap.
func ShardHashes(descrs []*ShardDescr) (*cell.Cell, error) {
	byWc := map[int32][]*ShardDescr{}
	var wcs []int32
	for _, d := range descrs {
		if byWc[d.Workchain] == nil {
			wcs = append(wcs, d.Workchain)
		}
		byWc[d.Workchain] = append(byWc[d.Workchain], d)
	}
	slices.Sort(wcs)
	dict := cell.NewDict(32)
	for _, wc := range wcs {
		tree, err := binTree(FullShard, byWc[wc])
		if err != nil {
			return nil, fmt.Errorf("shards of workchain %d: %w", wc, err)
		}
		key := cell.BeginCell().MustStoreInt(int64(wc), 32).EndCell()
		if err := dict.Set(key, cell.BeginCell().MustStoreRef(tree).EndCell()); err != nil {
			return nil, err
		}
	}
	return dict.AsCell(), nil
}

func binTree(shard uint64, descrs []*ShardDescr) (*cell.Cell, error) {
	if len(descrs) == 1 && descrs[0].Shard == shard {
		b := cell.BeginCell().MustStoreUInt(0, 1)
		descrs[0].store(b)
		return b.EndCell(), nil
	}
	if len(descrs) < 2 {
		return nil, fmt.Errorf("shard %016x is not covered", shard)
	}
	left, right := ShardChildren(shard)
	b := cell.BeginCell().MustStoreUInt(1, 1)
	for _, half := range []uint64{left, right} {
		var inside []*ShardDescr
		for _, d := range descrs {
			if ShardIsAncestor(half, d.Shard) {
				inside = append(inside, d)
			}
		}
		branch, err := binTree(half, inside)
		if err != nil {
			return nil, err
		}
		b.MustStoreRef(branch)
	}
	return b.EndCell(), nil
}

// ParseShardHashes lists the shards of a dictionary root, left to right.
func ParseShardHashes(root *cell.Cell) ([]*ShardDescr, error) {
	if root == nil {
		return nil, nil
	}
	kvs, err := root.AsDict(32).LoadAll()
	if err != nil {
		return nil, fmt.Errorf("shard hashes: %w", err)
	}
	var out []*ShardDescr
	for _, kv := range kvs {
		wc, err := kv.Key.LoadInt(32)
		if err != nil {
			return nil, err
		}
		tree, err := kv.Value.LoadRefCell()
		if err != nil {
			return nil, err
		}
		if out, err = walkBinTree(out, int32(wc), FullShard, tree); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func walkBinTree(out []*ShardDescr, wc int32, shard uint64, node *cell.Cell) ([]*ShardDescr, error) {
	s, err := node.BeginParse()
	if err != nil {
		return nil, err
	}
	fork, err := s.LoadBoolBit()
	if err != nil {
		return nil, err
	}
	if !fork {
		d, err := parseShardDescr(wc, shard, s)
		if err != nil {
			return nil, err
		}
		return append(out, d), nil
	}
	left, right := ShardChildren(shard)
	for _, half := range []uint64{left, right} {
		branch, err := s.LoadRefCell()
		if err != nil {
			return nil, err
		}
		if out, err = walkBinTree(out, wc, half, branch); err != nil {
			return nil, err
		}
	}
	return out, nil
}
