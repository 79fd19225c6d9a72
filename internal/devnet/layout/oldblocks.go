package layout

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// OldMcBlocks is the augmentation of OldMcBlocksInfo
// (HashmapAugE 32 KeyExtBlkRef KeyMaxLt): each subtree has a flag for
// key blocks in it and its greatest end LT.
type OldMcBlocks struct{}

// SkipExtra skips one KeyMaxLt.
func (OldMcBlocks) SkipExtra(s *cell.Slice) error { return s.SkipBits(65) }

// EmptyExtra is the value of an empty dictionary.
func (OldMcBlocks) EmptyExtra() (*cell.Cell, error) {
	return cell.BeginCell().MustStoreUInt(0, 1).MustStoreUInt(0, 64).EndCell(), nil
}

// LeafExtra copies the key flag and the end LT of a KeyExtBlkRef.
func (OldMcBlocks) LeafExtra(value *cell.Slice) (*cell.Cell, error) {
	head, err := value.Copy().LoadSlice(65)
	if err != nil {
		return nil, err
	}
	return cell.BeginCell().MustStoreSlice(head, 65).EndCell(), nil
}

// CombineExtra joins two subtrees.
func (OldMcBlocks) CombineExtra(left, right *cell.Slice) (*cell.Cell, error) {
	l, r := reader{s: left}, reader{s: right}
	lKey, lLT := l.bool(), l.uint(64)
	rKey, rLT := r.bool(), r.uint(64)
	if l.err != nil {
		return nil, l.err
	}
	if r.err != nil {
		return nil, r.err
	}
	return cell.BeginCell().MustStoreBoolBit(lKey || rKey).MustStoreUInt(max(lLT, rLT), 64).EndCell(), nil
}

// AddOldMcBlock records a masterchain block that has a successor now.
func AddOldMcBlock(d *cell.AugmentedDictionary, key bool, ref tlb.ExtBlkRef) error {
	b := cell.BeginCell().MustStoreBoolBit(key)
	StoreExtBlkRef(b, ref)
	return d.SetIntKey(big.NewInt(int64(ref.SeqNo)), b.EndCell())
}

// OldMcBlock finds a recorded masterchain block.
func OldMcBlock(d *cell.AugmentedDictionary, seqno uint32) (ref tlb.ExtBlkRef, key bool, err error) {
	s, err := d.LoadValueByIntKey(big.NewInt(int64(seqno)))
	if err != nil {
		return ref, false, fmt.Errorf("old masterchain block %d: %w", seqno, err)
	}
	r := reader{s: s}
	key = r.bool()
	if p := r.extBlkRef(); p != nil {
		ref = *p
	}
	return ref, key, r.err
}
