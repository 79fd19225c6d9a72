package resolvers

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// An unreadable order is never returned as one without actions.
func TestParseOrder_UnreadableOrderIsUnknown(t *testing.T) {
	t.Parallel()
	require.Equal(t, []chain.OrderAction{}, parseOrder(nil), "not initialised yet")
	plain := cell.BeginCell().MustStoreUInt(7, 64).EndCell()
	complete := plain.ToBOC()
	for name, boc := range map[string]chain.BOC{
		"empty": {}, "noise": {1, 2, 3}, "truncated": complete[:len(complete)-3], "no dictionary": complete, "empty cell": cell.BeginCell().EndCell().ToBOC(),
		"too many cells": newTree(7, new(uint64)).ToBOC(),
	} {
		actions := parseOrder(boc)
		require.Len(t, actions, 1, name)
		require.False(t, actions[0].Parsed, name)
		require.Equal(t, "unknown", actions[0].BodyType, name)
		require.NotEmpty(t, actions[0].Error, name)
	}
}

// newTree returns a tree of different cells with four branches at each of depth levels.
func newTree(depth int, leaves *uint64) *cell.Cell {
	b := cell.BeginCell()
	if depth == 0 {
		*leaves++
		return b.MustStoreUInt(*leaves, 64).EndCell()
	}
	for range 4 {
		b.MustStoreRef(newTree(depth-1, leaves))
	}
	return b.EndCell()
}
