package mainnet

import (
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// BlockForm describes a block in any form that TL-B allows, of which the recorded blocks have only some.
type BlockForm struct {
	ID         chain.BlockID
	Software   bool // gen_software, flag 0
	Vertical   bool // vert_seqno_incr, with prev_vert_ref
	AfterMerge bool // prev_blks_info
	AfterSplit bool
	OldFlow    bool       // value_flow#b8e48dfb without burned, which value_flow_v2#3ebf98b7 has
	Session    uint32     // gen_validator_list_hash_short; the catchain seqno is 17
	Accounts   *cell.Cell // ShardAccountBlocks; nil: none
	StateAfter *cell.Cell // nil: a cell that is no state
	Master     *MasterForm
}

// MasterForm describes McBlockExtra.
type MasterForm struct {
	Shards     []ShardForm
	Fees       bool       // shard_fees of the shard, with an extra currency
	Recover    bool       // recover_create_msg
	Mint       bool       // mint_msg
	Signatures bool       // prev_blk_signatures
	Config     *cell.Cell // of a key block
}

// ShardForm describes a ShardDescr of the basechain. The shards of a list are halves, or one.
type ShardForm struct {
	Old   bool   // shard_descr#b, with amounts in the cell; otherwise shard_descr_new#a
	At    string // split_merge_at: none, split or merge
	ID    chain.BlockIDExt
	Extra bool // amounts have an extra currency
}

// Build writes the block. Its file hash is that of its bag of cells.
func (f *BlockForm) Build(tb testing.TB) chain.RawBlock {
	tb.Helper()
	accounts := f.Accounts
	if accounts == nil {
		accounts = cell.BeginCell().MustStoreUInt(0, 6).EndCell() // ahme_empty$0 and no currencies
	}
	empty := cell.BeginCell().MustStoreUInt(0, 16).EndCell()
	extra := cell.BeginCell().MustStoreUInt(0x4a33f6fd, 32).
		MustStoreRef(empty).MustStoreRef(empty).MustStoreRef(accounts).
		MustStoreSlice(hash(7), 256).MustStoreSlice(hash(8), 256).MustStoreBoolBit(f.Master != nil)
	if f.Master != nil {
		extra.MustStoreRef(f.Master.build())
	}
	root := cell.BeginCell().MustStoreUInt(0x11ef55aa, 32).MustStoreInt(-239, 32).
		MustStoreRef(f.info()).MustStoreRef(f.flow()).MustStoreRef(stateUpdate(tb, f.StateAfter)).MustStoreRef(extra.EndCell()).EndCell()
	return chain.RawBlock{Root: root, ID: chain.BlockIDExt{
		BlockID: f.ID, RootHash: chain.Hash(root.HashKey()), FileHash: sha256.Sum256(root.ToBOC()),
	}}
}

// info writes block_info#9bc7a987.
func (f *BlockForm) info() *cell.Cell {
	key := f.Master != nil && f.Master.Config != nil
	b := cell.BeginCell().MustStoreUInt(0x9bc7a987, 32).MustStoreUInt(0, 32).
		MustStoreBoolBit(!f.ID.IsMaster()).MustStoreBoolBit(f.AfterMerge).MustStoreBoolBit(false).MustStoreBoolBit(f.AfterSplit).
		MustStoreUInt(0, 2).MustStoreBoolBit(key).MustStoreBoolBit(f.Vertical).
		MustStoreUInt(flag(f.Software), 8).
		MustStoreUInt(uint64(f.ID.Seqno), 32).MustStoreUInt(flag(f.Vertical), 32).
		MustStoreUInt(0, 2).MustStoreUInt(uint64(f.ID.Shard.PrefixLen()), 6).MustStoreInt(int64(f.ID.Workchain), 32).
		MustStoreUInt(uint64(f.ID.Shard&(f.ID.Shard-1)), 64).
		MustStoreUInt(1_573_821_854, 32).MustStoreUInt(1_000_000, 64).MustStoreUInt(1_000_009, 64).
		MustStoreUInt(uint64(f.Session), 32).MustStoreUInt(17, 32).MustStoreUInt(3, 32).MustStoreUInt(2, 32)
	if f.Software {
		b.MustStoreUInt(0xc4, 8).MustStoreUInt(3, 32).MustStoreUInt(0x2e, 64)
	}
	if !f.ID.IsMaster() {
		b.MustStoreRef(blockRef(f.ID.Seqno + 5))
	}
	if f.AfterMerge {
		b.MustStoreRef(cell.BeginCell().MustStoreRef(blockRef(f.ID.Seqno - 1)).MustStoreRef(blockRef(f.ID.Seqno - 2)).EndCell())
	} else {
		b.MustStoreRef(blockRef(f.ID.Seqno - 1))
	}
	if f.Vertical {
		b.MustStoreRef(blockRef(f.ID.Seqno))
	}
	return b.EndCell()
}

// flow writes ValueFlow.
func (f *BlockForm) flow() *cell.Cell {
	four := cell.BeginCell().MustStoreBuilder(amount(true)).MustStoreBuilder(amount(false)).
		MustStoreBuilder(amount(false)).MustStoreBuilder(amount(false)).EndCell()
	b := cell.BeginCell()
	if f.OldFlow {
		b.MustStoreUInt(0xb8e48dfb, 32).MustStoreRef(four).MustStoreBuilder(amount(false))
	} else {
		b.MustStoreUInt(0x3ebf98b7, 32).MustStoreRef(four).MustStoreBuilder(amount(false)).MustStoreBuilder(amount(true))
	}
	return b.MustStoreRef(four).EndCell()
}

// build writes masterchain_block_extra#cca5.
func (m *MasterForm) build() *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0xcca5, 16).MustStoreBoolBit(m.Config != nil)
	b.MustStoreBoolBit(len(m.Shards) > 0)
	if len(m.Shards) > 0 {
		b.MustStoreRef(shardHashes(m.Shards))
	}
	b.MustStoreBoolBit(m.Fees)
	if m.Fees { // one leaf: hml_long$10 of 96 bits, extra, value
		b.MustStoreRef(cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(96, 7).MustStoreInt(0, 32).MustStoreUInt(1<<63, 64).
			MustStoreBuilder(amount(true)).MustStoreBuilder(amount(false)).MustStoreBuilder(amount(true)).MustStoreBuilder(amount(false)).EndCell())
	}
	b.MustStoreBuilder(amount(m.Fees && m.Config == nil)).MustStoreBuilder(amount(false)) // at most four references
	inner := cell.BeginCell().MustStoreBoolBit(m.Signatures)
	if m.Signatures { // hml_long$10 of 16 bits, then CryptoSignaturePair
		inner.MustStoreRef(cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(16, 5).MustStoreUInt(0, 16).
			MustStoreSlice(hash(1), 256).MustStoreUInt(5, 4).MustStoreSlice(make([]byte, 64), 512).EndCell())
	}
	for _, some := range []bool{m.Recover, m.Mint} {
		inner.MustStoreBoolBit(some)
		if some {
			inner.MustStoreRef(cell.BeginCell().MustStoreUInt(0b100, 3).EndCell())
		}
	}
	b.MustStoreRef(inner.EndCell())
	if m.Config != nil {
		b.MustStoreSlice(hash(5), 256).MustStoreRef(m.Config)
	}
	return b.EndCell()
}

// shardHashes writes HashmapE 32 ^(BinTree ShardDescr) without its first bit, for the basechain alone.
func shardHashes(shards []ShardForm) *cell.Cell {
	leaves := make([]*cell.Cell, len(shards))
	for i := range shards {
		leaves[i] = shards[i].leaf()
	}
	tree := leaves[0]
	if len(leaves) > 1 {
		tree = cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(leaves[0]).MustStoreRef(leaves[1]).EndCell()
	}
	return cell.BeginCell().MustStoreUInt(0b110, 3).MustStoreUInt(32, 6).MustStoreRef(tree).EndCell() // hml_same$11 of zeros
}

// leaf writes bt_leaf$0 with a ShardDescr.
func (s *ShardForm) leaf() *cell.Cell {
	tag := uint64(0xa)
	if s.Old {
		tag = 0xb
	}
	b := cell.BeginCell().MustStoreUInt(0, 1).MustStoreUInt(tag, 4).MustStoreUInt(uint64(s.ID.Seqno), 32).MustStoreUInt(4, 32).
		MustStoreUInt(1_000_000, 64).MustStoreUInt(1_000_005, 64).
		MustStoreSlice(s.ID.RootHash[:], 256).MustStoreSlice(s.ID.FileHash[:], 256).
		MustStoreUInt(0b00100, 5).MustStoreUInt(0, 3).MustStoreUInt(9, 32).MustStoreUInt(uint64(s.ID.Shard), 64).
		MustStoreUInt(4, 32).MustStoreUInt(1_573_821_850, 32)
	switch s.At {
	case "split":
		b.MustStoreUInt(0b10, 2).MustStoreUInt(1_573_821_900, 32).MustStoreUInt(100, 32)
	case "merge":
		b.MustStoreUInt(0b11, 2).MustStoreUInt(1_573_821_900, 32).MustStoreUInt(100, 32)
	default:
		b.MustStoreUInt(0, 1)
	}
	if s.Old {
		return b.MustStoreBuilder(amount(s.Extra)).MustStoreBuilder(amount(false)).EndCell()
	}
	return b.MustStoreRef(cell.BeginCell().MustStoreBuilder(amount(s.Extra)).MustStoreBuilder(amount(false)).EndCell()).EndCell()
}

// amount writes CurrencyCollection.
func amount(extra bool) *cell.Builder {
	b := cell.BeginCell().MustStoreUInt(2, 4).MustStoreUInt(1000, 16).MustStoreBoolBit(extra)
	if extra { // one currency: hml_long$10 of 32 bits
		b.MustStoreRef(cell.BeginCell().MustStoreUInt(0b10, 2).MustStoreUInt(32, 6).MustStoreUInt(9, 32).
			MustStoreUInt(1, 5).MustStoreUInt(200, 8).EndCell())
	}
	return b
}

// blockRef writes ext_blk_ref.
func blockRef(seqno uint32) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(999_999, 64).MustStoreUInt(uint64(seqno), 32).
		MustStoreSlice(hash(byte(seqno)), 256).MustStoreSlice(hash(byte(seqno)+1), 256).EndCell()
}

// stateUpdate writes !merkle_update#04 of two states that it shows completely.
func stateUpdate(tb testing.TB, after *cell.Cell) *cell.Cell {
	tb.Helper()
	before := cell.BeginCell().MustStoreUInt(1, 32).EndCell()
	if after == nil {
		after = cell.BeginCell().MustStoreUInt(2, 32).EndCell()
	}
	c, err := cell.BeginCell().MustStoreUInt(4, 8).MustStoreSlice(before.Hash(), 256).MustStoreSlice(after.Hash(), 256).
		MustStoreUInt(0, 16).MustStoreUInt(uint64(after.Depth()), 16).MustStoreRef(before).MustStoreRef(after).EndCellSpecial(true)
	require.NoError(tb, err)
	return c
}

func hash(b byte) []byte {
	h := make([]byte, 32)
	h[0], h[31] = b, 1
	return h
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
