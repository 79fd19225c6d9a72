package rebuild_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/rebuild"
)

// blockWithShards is a cell that has the shape of a masterchain block as far as the shard hashes.
func blockWithShards(hashes *cell.Cell) *cell.Cell {
	custom := cell.BeginCell().MustStoreUInt(0xcca5, 16).MustStoreUInt(0b01, 2).MustStoreRef(hashes).EndCell()
	extra, block := cell.BeginCell(), cell.BeginCell()
	for range 3 {
		extra.MustStoreRef(leaf(1))
		block.MustStoreRef(leaf(1))
	}
	return block.MustStoreRef(extra.MustStoreRef(custom).EndCell()).EndCell()
}

// TestShardTops_SharedBranchesAreBounded has trees and dictionaries whose branches are one cell, so that they have more leaves
// than can be counted.
func TestShardTops_SharedBranchesAreBounded(t *testing.T) {
	t.Parallel()
	tree := cell.BeginCell().MustStoreUInt(0, 1).MustStoreUInt(0xb, 4).MustStoreSlice(make([]byte, 88), 704).EndCell()
	for range 59 {
		tree = cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(tree).MustStoreRef(tree).EndCell()
	}
	dict := cell.NewDict(32)
	require.NoError(t, dict.SetIntKey(big.NewInt(0), cell.BeginCell().MustStoreRef(tree).EndCell()))
	_, err := rebuild.ShardTops(blockWithShards(dict.AsCell()))
	require.Error(t, err)

	node := cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(tree).EndCell() // hml_short$0 of no bits
	for range 32 {
		node = cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(node).MustStoreRef(node).EndCell()
	}
	_, err = rebuild.ShardTops(blockWithShards(node))
	require.Error(t, err)
}

// A tree of shards has one descriptor for each, in both forms. Another one, or one that is cut off, is an error.
func TestShardTops_DamagedTreesAreRefused(t *testing.T) {
	t.Parallel()
	descriptor := func(tag, seqno uint64, bytes int) *cell.Cell {
		return cell.BeginCell().MustStoreUInt(0, 1).MustStoreUInt(tag, 4).MustStoreUInt(seqno, 32).MustStoreSlice(make([]byte, bytes), uint(bytes)*8).EndCell()
	}
	fork := func(branches ...*cell.Cell) *cell.Cell {
		b := cell.BeginCell().MustStoreUInt(1, 1)
		for _, branch := range branches {
			b.MustStoreRef(branch)
		}
		return b.EndCell()
	}
	tops := func(tree *cell.Cell) ([]chain.BlockIDExt, error) {
		dict := cell.NewDict(32)
		require.NoError(t, dict.SetIntKey(big.NewInt(0), cell.BeginCell().MustStoreRef(tree).EndCell()))
		return rebuild.ShardTops(blockWithShards(dict.AsCell()))
	}
	const complete = 4 + 2*8 + 2*32
	list, err := tops(fork(descriptor(0xa, 1, complete), fork(descriptor(0xb, 2, complete), descriptor(0xb, 3, complete))))
	require.NoError(t, err)
	var shards []string
	for _, b := range list {
		shards = append(shards, fmt.Sprintf("%x %d", uint64(b.Shard), b.Seqno))
	}
	require.Equal(t, []string{"4000000000000000 1", "a000000000000000 2", "e000000000000000 3"}, shards)
	for name, tree := range map[string]*cell.Cell{
		"another tag":           descriptor(0xc, 1, complete),
		"a tag of a short form": fork(descriptor(0xb, 1, complete), descriptor(0x9, 1, complete)),
		"a descriptor cut off":  descriptor(0xb, 1, complete-1),
		"a fork of one":         fork(descriptor(0xb, 1, complete)),
		"nothing":               cell.BeginCell().EndCell(),
	} {
		_, err := tops(tree)
		require.Error(t, err, name)
	}
	for name, root := range map[string]*cell.Cell{
		"no dictionary": blockWithShards(cell.BeginCell().EndCell()),
		"no references": cell.BeginCell().MustStoreUInt(0x11ef55aa, 32).EndCell(),
	} {
		_, err := rebuild.ShardTops(root)
		require.Error(t, err, name)
	}
}
