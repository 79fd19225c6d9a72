package replay

import (
	"context"
	"encoding/binary"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

// countingSource counts the libraries that are requested of the recorded block.
type countingSource struct {
	*mainnet.FatBlock

	requested atomic.Int64
}

func (s *countingSource) LibrariesAt(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	s.requested.Add(int64(len(hashes)))
	return s.FatBlock.LibrariesAt(ctx, at, hashes)
}

// libraryList is a list of library cells whose hashes begin with a number.
func libraryList(t *testing.T, number, count int) *cell.Cell {
	t.Helper()
	list := cell.BeginCell().EndCell()
	for i := range count {
		h := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(number)), uint32(i))
		lib, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(append(h, make([]byte, 24)...), 256).EndCellSpecial(true)
		require.NoError(t, err)
		list = cell.BeginCell().MustStoreRef(list).MustStoreRef(lib).EndCell()
	}
	return list
}

// Anyone can name thousands of libraries in a message, and a library that is not cached costs a part of a query. Those of a block are
// bounded. A transaction that does not replay and may need one that was left out is no mismatch.
func TestReplay_LibrariesOfMessagesAreBounded(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ messages, libraries, requested, mismatches int }{
		{messages: 2, libraries: 30, requested: 2 * 30, mismatches: 2},
		{messages: 2, libraries: 200, requested: 2 * 200, mismatches: 2},
		{messages: 3, libraries: 300, requested: 3 * (maxNamed + maxSecond - 20), mismatches: 3}, // 236 of each are left for the second try
		{messages: 1, libraries: 400, requested: maxNamed + maxSecond, mismatches: 0},
		{messages: 40, libraries: 250, requested: maxPrepared + maxSecondOfBlock, mismatches: -1},
	} {
		fat := mainnet.OpenFatBlock(t)
		source := &countingSource{FatBlock: fat}
		m := newMaster(t, fat)
		honest := New(NewNetwork(source), Options{})
		_, err := honest.Run(t.Context(), newMaster(t, fat))
		require.NoError(t, err)
		before := source.requested.Swap(0)

		at := slices.DeleteFunc(loneTransactions(m), func(i int) bool { return m.Cells[i].InMsg == nil })[:tc.messages]
		for n, i := range at {
			c, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: address.NewAddress(0, 0, make([]byte, 32)), Body: libraryList(t, n, tc.libraries)})
			require.NoError(t, err)
			m.Cells[i].InMsg = c
		}
		stats, err := New(NewNetwork(source), Options{}).Run(t.Context(), m)
		require.NoError(t, err)
		named := source.requested.Load() - before
		if tc.mismatches < 0 {
			require.LessOrEqual(t, named, int64(tc.requested))
			require.Positive(t, stats.Unverified["cells"])
			continue
		}
		require.InDelta(t, tc.requested, named, 8, "%+v", tc) // the messages that were replaced named libraries, too
		require.Equal(t, tc.mismatches, stats.Mismatched, "%+v", tc)
		require.Equal(t, tc.messages-tc.mismatches, stats.Unverified["cells"], "%+v", tc)
		require.Equal(t, fat.TxCount-tc.messages, stats.Replayed, "%+v", tc)
	}
}
