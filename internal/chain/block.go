package chain

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// MasterchainID is the workchain of the masterchain; BasechainID of the workchain where accounts usually live.
const (
	MasterchainID int32 = -1
	BasechainID   int32 = 0
)

// Shard is a shard prefix as the chain prints it: the prefix bits, a one, zeros. 8000000000000000 is the complete
// workchain.
type Shard uint64

// FullShard is the shard that holds every account of its workchain.
const FullShard Shard = 1 << 63

// String is upper-case hex without leading zeros.
func (s Shard) String() string { return strings.ToUpper(strconv.FormatUint(uint64(s), 16)) }

// PrefixLen is the number of prefix bits, 0 for [FullShard].
func (s Shard) PrefixLen() int { return 63 - bits.TrailingZeros64(uint64(s)) }

// Contains reports whether an account with this id lives in the shard.
func (s Shard) Contains(id Hash) bool {
	prefix := uint64(0)
	for _, b := range id[:8] {
		prefix = prefix<<8 | uint64(b)
	}
	low := uint64(s) & -uint64(s)
	return (prefix^uint64(s))&^(low<<1-1) == 0
}

// ParseShard reads hex with or without 0x, or a signed decimal, as the REST parameters allow.
func ParseShard(s string) (Shard, error) {
	hexText := strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	if v, err := strconv.ParseUint(hexText, 16, 64); err == nil && v != 0 {
		return Shard(v), nil
	}
	if v, err := strconv.ParseInt(s, 10, 64); err == nil && v != 0 {
		return Shard(v), nil
	}
	return 0, Invalidf("a shard is up to 16 hex digits or a signed decimal number, not %s", Quote(s))
}

// BlockID names a block by its place: workchain, shard, seqno.
type BlockID struct {
	Workchain int32
	Shard     Shard
	Seqno     uint32
}

// MasterBlockID returns the id of the masterchain block with a seqno.
func MasterBlockID(seqno uint32) BlockID {
	return BlockID{Workchain: MasterchainID, Shard: FullShard, Seqno: seqno}
}

// String is the form explorers print: (0,8000000000000000,123).
func (id BlockID) String() string {
	return fmt.Sprintf("(%d,%016x,%d)", id.Workchain, uint64(id.Shard), id.Seqno)
}

// Compare orders by workchain, shard, seqno.
func (id BlockID) Compare(other BlockID) int {
	return cmp.Or(cmp.Compare(id.Workchain, other.Workchain), cmp.Compare(id.Shard, other.Shard), cmp.Compare(id.Seqno, other.Seqno))
}

// IsMaster reports whether the block belongs to the masterchain.
func (id BlockID) IsMaster() bool { return id.Workchain == MasterchainID }

// BlockIDExt is a block's place together with what proves its content (tonNode.blockIdExt).
type BlockIDExt struct {
	BlockID
	RootHash Hash // representation hash of the root cell
	FileHash Hash // SHA-256 of the serialized block
}

// Block is a block's header and extra as indexed (block_info, block_extra), without its transactions.
type Block struct {
	BlockIDExt
	McSeqno                uint32 // masterchain block that committed it; a masterchain block's own seqno
	GlobalID               int32
	Version                uint32
	AfterMerge             bool
	BeforeSplit            bool
	AfterSplit             bool
	WantMerge              bool
	WantSplit              bool
	KeyBlock               bool
	VertSeqnoIncr          bool
	Flags                  uint32
	VertSeqno              uint32
	GenUtime               uint32
	StartLT                uint64
	EndLT                  uint64
	ValidatorListHashShort uint32
	GenCatchainSeqno       uint32
	MinRefMcSeqno          uint32
	PrevKeyBlockSeqno      uint32
	MasterRefSeqno         *uint32 // nil for masterchain blocks
	RandSeed               Hash
	CreatedBy              Hash
	TxCount                int32
	PrevBlocks             []BlockID // one, two after a merge
}

// MasterchainInfo is the span of the index: its lowest and highest masterchain block.
type MasterchainInfo struct {
	First Block
	Last  Block
}

// BlockFilter selects blocks; nil fields do not restrict, all others combine with AND.
type BlockFilter struct {
	Workchain  *int32
	Shard      *Shard
	Seqno      *uint32
	RootHash   *Hash
	FileHash   *Hash
	KeyBlock   *bool
	McSeqno    *uint32 // blocks this masterchain block committed, itself included
	StartUtime *uint32 // on GenUtime, inclusive
	EndUtime   *uint32
	StartLT    *uint64 // on the block's StartLT, inclusive
	EndLT      *uint64
}
