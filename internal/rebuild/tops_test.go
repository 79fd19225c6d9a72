package rebuild_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

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
