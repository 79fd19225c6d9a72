package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// The functions of this file open one cell of a block each and return the cells that it
// refers to, unopened. When a proof builder watches the cell, the builder therefore sees
// exactly the cells that a response needs.
//
// Augmented dictionaries are read as plain ones: their labels are the same, and
// each value is preceded by its augmentation, which the reader skips.

// Constructor tags of the cells opened here.
const (
	tagBlock        = 0x11ef55aa
	tagBlockExtra   = 0x4a33f6fd
	tagMcBlockExtra = 0xcca5
	tagAccountBlock = 0x5
)

// blockParts are the subtrees of a block.
type blockParts struct {
	info, valueFlow, update, extra *cell.Cell
}

func openBlock(root *cell.Cell) (blockParts, error) {
	s, err := openTagged(root, tagBlock, 32)
	if err != nil {
		return blockParts{}, fmt.Errorf("block: %w", err)
	}
	if err := s.SkipBits(32); err != nil { // global_id
		return blockParts{}, fmt.Errorf("block: %w", err)
	}
	var p blockParts
	if err := loadRefs(s, &p.info, &p.valueFlow, &p.update, &p.extra); err != nil {
		return blockParts{}, fmt.Errorf("block: %w", err)
	}
	return p, nil
}

// openHeader opens the block info with the references to previous blocks and to
// the masterchain block.
func openHeader(root *cell.Cell) (*tlb.BlockHeader, blockParts, error) {
	parts, err := openBlock(root)
	if err != nil {
		return nil, blockParts{}, err
	}
	s, err := parts.info.BeginParse()
	if err != nil {
		return nil, blockParts{}, fmt.Errorf("block info: %w", err)
	}
	var h tlb.BlockHeader
	if err := h.LoadFromCell(s); err != nil {
		return nil, blockParts{}, fmt.Errorf("block info: %w", err)
	}
	return &h, parts, nil
}

// openUpdate opens the state update and returns the hash of the new state.
func openUpdate(update *cell.Cell) ([]byte, error) {
	s, err := update.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("state update: %w", err)
	}
	if update.GetType() != cell.MerkleUpdateCellType {
		return nil, fmt.Errorf("state update: not a Merkle update")
	}
	after, err := s.PeekRefCellAt(1)
	if err != nil {
		return nil, fmt.Errorf("state update: %w", err)
	}
	return after.Hash(0), nil
}

// stateHash returns the root hash of the state after a block.
func stateHash(blockRoot *cell.Cell) ([]byte, error) {
	parts, err := openBlock(blockRoot)
	if err != nil {
		return nil, err
	}
	return openUpdate(parts.update)
}

// extraParts are the subtrees of a block's extra.
type extraParts struct {
	inMsgs, outMsgs, accounts *cell.Cell
	custom                    *cell.Cell // masterchain extra; nil in other workchains
}

func openExtra(extra *cell.Cell) (extraParts, error) {
	s, err := openTagged(extra, tagBlockExtra, 32)
	if err != nil {
		return extraParts{}, fmt.Errorf("block extra: %w", err)
	}
	var p extraParts
	if err := loadRefs(s, &p.inMsgs, &p.outMsgs, &p.accounts); err != nil {
		return extraParts{}, fmt.Errorf("block extra: %w", err)
	}
	if err := s.SkipBits(512); err != nil { // rand_seed, created_by
		return extraParts{}, fmt.Errorf("block extra: %w", err)
	}
	if p.custom, err = loadMaybeRef(s); err != nil {
		return extraParts{}, fmt.Errorf("block extra: %w", err)
	}
	return p, nil
}

// masterExtra has the additional parts of a masterchain block.
type masterExtra struct {
	keyBlock   bool
	shards     *cell.Cell // root of the ShardHashes dictionary; nil when empty
	signatures *cell.Cell // prev_blk_signatures and the two special messages
	config     *cell.Cell // root of the config dictionary; only in key blocks
}

func openMasterExtra(custom *cell.Cell) (masterExtra, error) {
	s, err := openTagged(custom, tagMcBlockExtra, 16)
	if err != nil {
		return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
	}
	var m masterExtra
	if m.keyBlock, err = s.LoadBoolBit(); err != nil {
		return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
	}
	if m.shards, err = loadMaybeRef(s); err != nil {
		return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
	}
	if _, err = loadMaybeRef(s); err != nil { // shard_fees
		return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
	}
	for range 2 { // their augmentation: fees and created
		if err = skipCurrencies(s); err != nil {
			return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
		}
	}
	if err := loadRefs(s, &m.signatures); err != nil {
		return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
	}
	if m.keyBlock {
		if err := s.SkipBits(256); err != nil { // config_addr
			return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
		}
		if err := loadRefs(s, &m.config); err != nil {
			return masterExtra{}, fmt.Errorf("masterchain block extra: %w", err)
		}
	}
	return m, nil
}

// openBlockMaster opens a masterchain block down to its masterchain extra.
func openBlockMaster(root *cell.Cell) (masterExtra, error) {
	parts, err := openBlock(root)
	if err != nil {
		return masterExtra{}, err
	}
	extra, err := openExtra(parts.extra)
	if err != nil {
		return masterExtra{}, err
	}
	if extra.custom == nil {
		return masterExtra{}, fmt.Errorf("block has no masterchain extra")
	}
	return openMasterExtra(extra.custom)
}

// openTagged opens an ordinary cell and checks the constructor it starts with.
func openTagged(c *cell.Cell, tag uint64, bits uint) (*cell.Slice, error) {
	if c == nil {
		return nil, fmt.Errorf("cell is absent")
	}
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	got, err := s.LoadUInt(bits)
	if err != nil {
		return nil, err
	}
	if got != tag {
		return nil, fmt.Errorf("constructor %#x instead of %#x", got, tag)
	}
	return s, nil
}

// loadRefs takes the next references without opening them.
func loadRefs(s *cell.Slice, dst ...**cell.Cell) error {
	for _, d := range dst {
		c, err := s.LoadRefCell()
		if err != nil {
			return err
		}
		*d = c
	}
	return nil
}

// loadMaybeRef takes an optional reference without opening it.
func loadMaybeRef(s *cell.Slice) (*cell.Cell, error) {
	has, err := s.LoadBoolBit()
	if err != nil || !has {
		return nil, err
	}
	return s.LoadRefCell()
}

// skipCurrencies skips a CurrencyCollection.
func skipCurrencies(s *cell.Slice) error {
	if _, err := s.LoadBigCoins(); err != nil {
		return err
	}
	_, err := loadMaybeRef(s)
	return err
}

// visit opens a complete subtree, so that a proof contains all of it.
func visit(c *cell.Cell) error {
	if c == nil {
		return nil
	}
	s, err := c.BeginParse()
	if err != nil {
		return err
	}
	for i := range s.RefsNum() {
		child, err := s.PeekRefCellAt(i)
		if err != nil {
			return err
		}
		if err := visit(child); err != nil {
			return err
		}
	}
	return nil
}
