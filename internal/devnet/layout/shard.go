// Package layout builds and parses the parts of block.tlb that the TON library can parse
// but not build: states, block headers, value flow, shard descriptions and message
// records. It implements layouts only, not the rules of a chain.
package layout

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	// Masterchain is the workchain of the validators and the configuration.
	Masterchain int32 = -1
	// Basechain is the workchain of all other accounts.
	Basechain int32 = 0

	// FullShard is the shard id that covers a full workchain.
	FullShard uint64 = 1 << 63
)

// ShardDepth is the number of prefix bits of a shard id.
func ShardDepth(shard uint64) int { return 63 - bits.TrailingZeros64(shard) }

// ShardContains reports whether an account prefix (first 64 address bits)
// lies in the shard.
func ShardContains(shard, prefix uint64) bool {
	low := shard & -shard
	return (shard^prefix)&(-low<<1) == 0
}

// ShardIsAncestor reports whether shard a covers shard b (also when equal).
func ShardIsAncestor(a, b uint64) bool {
	return a&-a >= b&-b && ShardContains(a, b)
}

// ShardChildren returns the two halves of a shard, left first.
func ShardChildren(shard uint64) (left, right uint64) {
	half := (shard & -shard) >> 1
	return shard - half, shard + half
}

// ShardParent returns the shard of which this one is a half.
func ShardParent(shard uint64) uint64 {
	low := shard & -shard
	return (shard - low) | low<<1
}

// ShardSibling returns the other half of the parent.
func ShardSibling(shard uint64) uint64 { return shard ^ (shard&-shard)<<1 }

// AccountPrefix returns the part of an address that decides its shard: the first 64 bits.
func AccountPrefix(addr []byte) uint64 { return binary.BigEndian.Uint64(addr) }

// StoreShardIdent appends shard_ident$00.
func StoreShardIdent(b *cell.Builder, wc int32, shard uint64) {
	b.MustStoreUInt(0, 2).
		MustStoreUInt(uint64(ShardDepth(shard)), 6).
		MustStoreInt(int64(wc), 32).
		MustStoreUInt(shard&(shard-1), 64)
}

func loadShardIdent(s *cell.Slice) (wc int32, shard uint64, err error) {
	head, err := s.LoadUInt(8)
	if err != nil {
		return 0, 0, err
	}
	if head > 60 {
		return 0, 0, fmt.Errorf("shard ident with head %#x", head)
	}
	w, err := s.LoadInt(32)
	if err != nil {
		return 0, 0, err
	}
	prefix, err := s.LoadUInt(64)
	if err != nil {
		return 0, 0, err
	}
	return int32(w), prefix | 1<<(63-head), nil
}

// ShardBits returns the shard's address prefix alone, empty for a full workchain.
func ShardBits(shard uint64) *cell.Cell {
	b := cell.BeginCell()
	if d := ShardDepth(shard); d > 0 {
		b.MustStoreUInt(shard>>(64-d), uint(d))
	}
	return b.EndCell()
}
