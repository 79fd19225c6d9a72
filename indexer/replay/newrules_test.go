package replay

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// The executor knows versions to 15. A transaction of a later one replays where the rules are the same; another result is no mismatch.
func TestNewRules_OfAnUnknownVersionAreNoMismatch(t *testing.T) {
	t.Parallel()
	for version, want := range map[uint32]chain.Verification{14: chain.Mismatch, 15: chain.Mismatch, 16: chain.Proven, 99: chain.Proven} {
		stats, _, tx := replayWithCode(t, version, pushes(20), func(*chain.Block, *chain.Transaction) {})
		require.Equal(t, want, tx.Verification, version)
		require.Equal(t, want == chain.Mismatch, stats.Mismatched > 0, version)
		require.Equal(t, want == chain.Proven, stats.Proven[newerVersion] > 0, version)
	}
	_, m, tx := replayWithCode(t, 15, pushes(20), func(*chain.Block, *chain.Transaction) {})
	got := mismatchOf(t, m, tx)
	_, _, tx = replayWithCode(t, 16, pushes(20), func(_ *chain.Block, tx *chain.Transaction) {
		tx.Hash, tx.StateHashAfter = *got.Got, *got.GotState
	})
	require.Equal(t, chain.Replayed, tx.Verification)
}

// Version 15 limits the messages of a transaction together, which the executor does not. The contract sends ten messages of 2,200
// cells each, which are more than the limit of 20,480.
func TestNewRules_LimitOfAllMessagesIsNoMismatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells   uint64
		version uint32
		want    chain.Verification
	}{
		"above the limit in version 14": {2200, 14, chain.Mismatch},
		"above the limit in version 15": {2200, 15, chain.Proven},
		"below the limit in version 15": {20, 15, chain.Mismatch},
	} {
		code := newContract(t, "F800"+"88"+strings.Repeat("20"+"8001"+"FB00", 10), coins(t, 1000, tree(0, c.cells))).code
		stats, m, tx := replayWithCode(t, c.version, code, func(*chain.Block, *chain.Transaction) {})
		require.Equal(t, c.want, tx.Verification, name)
		require.Equal(t, c.want == chain.Proven, stats.Proven[totalMessages] > 0, name)
		if c.want == chain.Proven {
			continue
		}
		got := mismatchOf(t, m, tx)
		_, _, tx = replayWithCode(t, c.version, code, func(_ *chain.Block, tx *chain.Transaction) {
			tx.Hash, tx.StateHashAfter = *got.Got, *got.GotState
		})
		require.Equal(t, chain.Replayed, tx.Verification, name)
	}
}

// tree builds a tree of different cells with the numbers from first on.
func tree(first, count uint64) *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(first, 32)
	if count == 1 {
		return b.EndCell()
	}
	half := (count - 1) / 2
	if half > 0 {
		b.MustStoreRef(tree(first+1, half))
	}
	return b.MustStoreRef(tree(first+1+half, count-1-half)).EndCell()
}
