package indexrange

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// TestMerge_EqualsASetOfSeqnos adds seqnos in random batches and compares with a set after each.
func TestMerge_EqualsASetOfSeqnos(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var ranges []chain.SeqnoRange
		set := map[uint32]bool{}
		for len(set) < 60 {
			var batch []uint32
			for range 1 + rng.IntN(5) {
				s := rng.Uint32N(80)
				batch = append(batch, s)
				set[s] = true
			}
			ranges = Merge(ranges, batch)
			requireCanonical(t, ranges)
			for s := range uint32(82) {
				require.Equal(t, set[s], Holds(ranges, s), "seqno %d in %v", s, ranges)
			}
		}
	}
}

// requireCanonical checks that ranges ascend and neither touch nor overlap.
func requireCanonical(t *testing.T, ranges []chain.SeqnoRange) {
	t.Helper()
	for i, r := range ranges {
		require.LessOrEqual(t, r.First, r.Last)
		if i > 0 {
			require.Greater(t, uint64(r.First), uint64(ranges[i-1].Last)+1)
		}
	}
}

func TestMerge_IncludesTheFirstAndLastSeqno(t *testing.T) {
	t.Parallel()
	const last = math.MaxUint32
	require.Equal(t, []chain.SeqnoRange{{First: 0, Last: 1}, {First: last, Last: last}}, Merge(nil, []uint32{last, 0, 1, last}))
	require.Equal(t, []chain.SeqnoRange{{First: 0, Last: last}}, Merge([]chain.SeqnoRange{{First: 0, Last: last - 1}}, []uint32{last}))
	require.Empty(t, Merge(nil, nil))
	require.False(t, Holds(nil, 0))
}
