package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	tagState      = 0x9023afe2
	tagStateExtra = 0xcc26
)

// stateParts are the head and the subtrees of a shard state.
type stateParts struct {
	genUtime uint32
	genLT    uint64

	queue    *cell.Cell // OutMsgQueueInfo
	accounts *cell.Cell // ShardAccounts
	details  *cell.Cell // history, balances, libraries, masterchain reference
	custom   *cell.Cell // masterchain state extra; nil in other workchains
}

func openState(root *cell.Cell) (stateParts, error) {
	s, err := openTagged(root, tagState, 32)
	if err != nil {
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	var p stateParts
	// global_id, shard_id (2+6+32+64), seq_no, vert_seq_no
	if err := s.SkipBits(32 + 104 + 32 + 32); err != nil {
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	utime, err := s.LoadUInt(32)
	if err != nil {
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	p.genUtime = uint32(utime)
	if p.genLT, err = s.LoadUInt(64); err != nil {
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	if err := s.SkipBits(32 + 1); err != nil { // min_ref_mc_seqno, before_split
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	if err := loadRefs(s, &p.queue, &p.accounts, &p.details); err != nil {
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	if p.custom, err = loadMaybeRef(s); err != nil {
		return stateParts{}, fmt.Errorf("shard state: %w", err)
	}
	return p, nil
}

// masterState has the additional parts of a masterchain state.
type masterState struct {
	shards *cell.Cell // root of ShardHashes; nil when empty
	config *cell.Cell // root of the config dictionary
	info   *cell.Cell // validator info, previous blocks, last key block
}

func openMasterState(custom *cell.Cell) (masterState, error) {
	s, err := openTagged(custom, tagStateExtra, 16)
	if err != nil {
		return masterState{}, fmt.Errorf("masterchain state extra: %w", err)
	}
	var m masterState
	if m.shards, err = loadMaybeRef(s); err != nil {
		return masterState{}, fmt.Errorf("masterchain state extra: %w", err)
	}
	if err := s.SkipBits(256); err != nil { // config_addr
		return masterState{}, fmt.Errorf("masterchain state extra: %w", err)
	}
	if err := loadRefs(s, &m.config, &m.info); err != nil {
		return masterState{}, fmt.Errorf("masterchain state extra: %w", err)
	}
	return m, nil
}

// openStateMaster opens a masterchain state down to its masterchain extra.
func openStateMaster(root *cell.Cell) (masterState, error) {
	state, err := openState(root)
	if err != nil {
		return masterState{}, err
	}
	if state.custom == nil {
		return masterState{}, fmt.Errorf("state has no masterchain extra")
	}
	return openMasterState(state.custom)
}

// openLibraries returns the root of the public libraries in a masterchain state; nil when none.
func openLibraries(details *cell.Cell) (*cell.Cell, error) {
	s, err := details.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("state details: %w", err)
	}
	if err := s.SkipBits(128); err != nil { // overload_history, underload_history
		return nil, fmt.Errorf("state details: %w", err)
	}
	for range 2 { // total_balance, total_validator_fees
		if err := skipCurrencies(s); err != nil {
			return nil, fmt.Errorf("state details: %w", err)
		}
	}
	libs, err := loadMaybeRef(s)
	if err != nil {
		return nil, fmt.Errorf("state details: %w", err)
	}
	return libs, nil
}

// openMasterRef returns the masterchain block that a shard state refers to; nil in the
// masterchain and in zerostates.
func openMasterRef(details *cell.Cell) (*ton.BlockIDExt, error) {
	s, err := details.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("state details: %w", err)
	}
	if err := s.SkipBits(128); err != nil {
		return nil, fmt.Errorf("state details: %w", err)
	}
	for range 2 {
		if err := skipCurrencies(s); err != nil {
			return nil, fmt.Errorf("state details: %w", err)
		}
	}
	if _, err := loadMaybeRef(s); err != nil { // libraries
		return nil, fmt.Errorf("state details: %w", err)
	}
	has, err := s.LoadBoolBit()
	if err != nil || !has {
		return nil, err
	}
	return loadMasterID(s)
}

// masterInfo is the part of the masterchain state about earlier blocks.
type masterInfo struct {
	prevBlocks    *cell.Cell // root of OldMcBlocksInfo: every earlier masterchain block; nil when empty
	afterKeyBlock bool
	lastKeyBlock  *ton.BlockIDExt // nil before the second key block
	stats         *cell.Slice     // BlockCreateStats; nil when the chain keeps none
}

func openMasterInfo(info *cell.Cell) (masterInfo, error) {
	s, err := info.BeginParse()
	if err != nil {
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	flags, err := s.LoadUInt(16)
	if err != nil {
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	if err := s.SkipBits(32 + 32 + 1); err != nil { // validator_info
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	var m masterInfo
	if m.prevBlocks, err = loadMaybeRef(s); err != nil {
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	if err := s.SkipBits(keyMaxLTBits); err != nil {
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	if m.afterKeyBlock, err = s.LoadBoolBit(); err != nil {
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	hasKey, err := s.LoadBoolBit()
	if err != nil {
		return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
	}
	if hasKey {
		if m.lastKeyBlock, err = loadMasterID(s); err != nil {
			return masterInfo{}, fmt.Errorf("masterchain info: %w", err)
		}
	}
	if flags&1 != 0 {
		m.stats = s
	}
	return m, nil
}

// keyMaxLTBits is the augmentation of OldMcBlocksInfo: KeyMaxLt, a flag and an LT.
const keyMaxLTBits = 1 + 64

// oldBlock looks an earlier masterchain block up. found is false when the state does not
// list the seqno.
func (m masterInfo) oldBlock(seqno uint32) (id *ton.BlockIDExt, key, found bool, err error) {
	if m.prevBlocks == nil {
		return nil, false, false, nil
	}
	v, err := lookup(m.prevBlocks, uintKey(uint64(seqno), 32), 32)
	if err != nil || v == nil {
		return nil, false, false, err
	}
	if err := v.SkipBits(keyMaxLTBits); err != nil {
		return nil, false, false, fmt.Errorf("previous block %d: %w", seqno, err)
	}
	if key, err = v.LoadBoolBit(); err != nil {
		return nil, false, false, fmt.Errorf("previous block %d: %w", seqno, err)
	}
	id, err = loadMasterID(v)
	return id, key, err == nil, err
}

// loadMasterID reads an ExtBlkRef, which names a masterchain block.
func loadMasterID(s *cell.Slice) (*ton.BlockIDExt, error) {
	if err := s.SkipBits(64); err != nil { // end_lt
		return nil, fmt.Errorf("block reference: %w", err)
	}
	seqno, err := s.LoadUInt(32)
	if err != nil {
		return nil, fmt.Errorf("block reference: %w", err)
	}
	id := &ton.BlockIDExt{Workchain: masterWorkchain, Shard: rootShard, SeqNo: uint32(seqno)}
	if id.RootHash, err = s.LoadSlice(256); err != nil {
		return nil, fmt.Errorf("block reference: %w", err)
	}
	if id.FileHash, err = s.LoadSlice(256); err != nil {
		return nil, fmt.Errorf("block reference: %w", err)
	}
	return id, nil
}
