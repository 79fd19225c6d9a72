package emulate

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Code and data that a simulation returns count for its limit of bytes, each once, however many states have them.
func TestEmulation_CellsCountForTheLimitOfBytes(t *testing.T) {
	t.Parallel()
	large := func(b byte) *cell.Cell {
		c := cell.BeginCell().EndCell()
		for range 100 {
			c = cell.BeginCell().MustStoreSlice(bytes.Repeat([]byte{b}, 100), 800).MustStoreRef(c).EndCell()
		}
		return c
	}
	account := func(data byte) *Account { return &Account{Contract: contract.State{Code: large(1), Data: large(data)}} }
	e := &Emulation{limits: Limits{Bytes: 35_000}, cells: map[chain.Hash]chain.BOC{}}
	for range 10 {
		s := e.state(account(2))
		require.Empty(t, s.CodeBOC, "states have none")
	}
	require.Len(t, e.cells, 2)
	require.InDelta(t, 2*10_300, e.size, 500)
	require.False(t, e.Full())
	e.state(account(3))
	e.state(account(4))
	require.True(t, e.Full())

	none := &Emulation{limits: Limits{Bytes: 1}}
	none.state(account(2))
	require.Zero(t, none.size, "they are not requested")
}
