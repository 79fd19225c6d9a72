package v2_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	v2 "tonql/rest/v2"
)

// A comment is the bits of a chain of cells, which only together are complete bytes; further references are not part of it.
func TestComment_IsTheChainOfFirstReferences(t *testing.T) {
	t.Parallel()
	other := cell.BeginCell().MustStoreUInt(7, 3).EndCell()
	library, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	last := cell.BeginCell().MustStoreUInt(0xc6f, 12).EndCell()
	for name, tc := range map[string]struct {
		body *cell.Cell
		text string
		ok   bool
	}{
		"one cell":      {cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hello"), 40).EndCell(), "hello", true},
		"nothing":       {cell.BeginCell().MustStoreUInt(0, 32).EndCell(), "", true},
		"in two cells":  {cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hel"), 24).MustStoreRef(cell.BeginCell().MustStoreSlice([]byte("lo"), 16).EndCell()).EndCell(), "hello", true},
		"within a byte": {cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hel\x60"), 28).MustStoreRef(cell.BeginCell().MustStoreUInt(0xc6f, 12).EndCell()).EndCell(), "hello", true},
		"in three cells": {cell.BeginCell().MustStoreUInt(0, 32).MustStoreUInt(0x3, 3).MustStoreRef(
			cell.BeginCell().MustStoreUInt(0x8, 5).MustStoreRef(cell.BeginCell().MustStoreSlice([]byte("ello"), 32).EndCell()).EndCell()).EndCell(), "hello", true},
		"a second reference": {cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hel"), 24).MustStoreRef(
			cell.BeginCell().MustStoreSlice([]byte("lo"), 16).EndCell()).MustStoreRef(other).EndCell(), "hello", true},
		"an exotic cell":   {cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hel"), 24).MustStoreRef(library).EndCell(), "", false},
		"incomplete":       {cell.BeginCell().MustStoreUInt(0, 32).MustStoreUInt(1, 7).EndCell(), "", false},
		"incomplete chain": {cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("hel"), 24).MustStoreRef(last).EndCell(), "", false},
	} {
		text, ok := v2.Comment(tc.body.ToBOC())
		require.Equal(t, tc.ok, ok, name)
		if ok {
			require.Equal(t, tc.text, string(text), name)
		}
	}
}
