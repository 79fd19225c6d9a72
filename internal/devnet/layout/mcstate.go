package layout

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// McExtra is a McStateExtra: what only the masterchain's state carries.
type McExtra struct {
	Shards     *cell.Cell // root of HashmapE 32 ^(BinTree ShardDescr); nil when empty
	ConfigAddr []byte
	Config     *cell.Cell // root of the parameter dictionary

	ValidatorListHash uint32
	CatchainSeqno     uint32
	NextCCUpdated     bool
	PrevBlocks        *cell.AugmentedDictionary // OldMcBlocksInfo
	AfterKeyBlock     bool
	LastKeyBlock      *tlb.ExtBlkRef // nil until a block follows the first key block
	CreateStats       *cell.Cell     // BlockCreateStats as a cell of its own; nil = absent
	GlobalBalance     Currencies
}

// Cell builds masterchain_state_extra#cc26.
func (x *McExtra) Cell() (*cell.Cell, error) {
	prev, err := x.PrevBlocks.ToCell()
	if err != nil {
		return nil, fmt.Errorf("old masterchain blocks: %w", err)
	}
	info := cell.BeginCell()
	info.MustStoreUInt(boolBit(x.CreateStats != nil), 16).
		MustStoreUInt(uint64(x.ValidatorListHash), 32).
		MustStoreUInt(uint64(x.CatchainSeqno), 32).
		MustStoreBoolBit(x.NextCCUpdated).
		MustStoreBuilder(prev.ToBuilder()).
		MustStoreBoolBit(x.AfterKeyBlock).
		MustStoreBoolBit(x.LastKeyBlock != nil)
	if x.LastKeyBlock != nil {
		StoreExtBlkRef(info, *x.LastKeyBlock)
	}
	if x.CreateStats != nil {
		info.MustStoreBuilder(x.CreateStats.ToBuilder())
	}
	b := cell.BeginCell().MustStoreUInt(0xcc26, 16).
		MustStoreMaybeRef(x.Shards).
		MustStoreSlice(x.ConfigAddr, 256).
		MustStoreRef(x.Config).
		MustStoreRef(info.EndCell())
	x.GlobalBalance.Store(b)
	return b.EndCell(), nil
}

// ParseMcExtra reads a McStateExtra.
func ParseMcExtra(c *cell.Cell) (*McExtra, error) {
	if c == nil {
		return nil, fmt.Errorf("state has no masterchain part")
	}
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	r := reader{s: s}
	if tag := r.uint(16); r.err == nil && tag != 0xcc26 {
		return nil, fmt.Errorf("masterchain state tag %#x", tag)
	}
	x := &McExtra{Shards: r.maybeRef(), ConfigAddr: r.bytes(32), Config: r.ref()}
	info := r.ref()
	x.GlobalBalance = r.currencies()
	if r.err != nil {
		return nil, fmt.Errorf("masterchain state: %w", r.err)
	}
	return x, x.parseInfo(info)
}

func (x *McExtra) parseInfo(c *cell.Cell) error {
	s, err := c.BeginParse()
	if err != nil {
		return err
	}
	r := reader{s: s}
	flags := r.uint(16)
	x.ValidatorListHash = uint32(r.uint(32))
	x.CatchainSeqno = uint32(r.uint(32))
	x.NextCCUpdated = r.bool()
	if r.err == nil {
		x.PrevBlocks, r.err = s.LoadAugDict(32, OldMcBlocks{}, false)
	}
	x.AfterKeyBlock = r.bool()
	if r.bool() {
		x.LastKeyBlock = r.extBlkRef()
	}
	if r.err != nil {
		return fmt.Errorf("masterchain state info: %w", r.err)
	}
	if flags&1 != 0 {
		x.CreateStats, err = s.ToCell()
	}
	return err
}

func boolBit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
