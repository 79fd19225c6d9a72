package indexer

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// ranges returns the ranges of pairs.
func ranges(pairs [][2]uint32) (out []chain.SeqnoRange) {
	for _, p := range pairs {
		out = append(out, chain.SeqnoRange{First: p[0], Last: p[1]})
	}
	return out
}

func TestPlan_FollowsTheHeadAndListsGaps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		floor, head uint32
		indexed     [][2]uint32
		follow      uint32
		gaps        [][2]uint32
	}{
		"empty, from the start, short chain": {1, 100, nil, 1, nil},
		"empty, from the start, long chain":  {1, 5000, nil, 5000, [][2]uint32{{1, 4999}}},
		"empty, latest":                      {5000, 5000, nil, 5000, nil},
		"up to date":                         {1, 5000, [][2]uint32{{1, 5000}}, 5001, nil},
		"a little behind":                    {1, 5000, [][2]uint32{{1, 4990}}, 4991, nil},
		"far behind":                         {1, 5000, [][2]uint32{{1, 1000}}, 5000, [][2]uint32{{1001, 4999}}},
		"hole and far behind":                {1, 5000, [][2]uint32{{10, 20}, {30, 1000}}, 5000, [][2]uint32{{1, 9}, {21, 29}, {1001, 4999}}},
		"hole below the floor":               {40, 60, [][2]uint32{{10, 20}, {30, 60}}, 61, [][2]uint32{{21, 29}}},
		"index below the floor":              {40, 60, [][2]uint32{{10, 20}}, 40, [][2]uint32{{21, 39}}},
		"network behind the index":           {1, 50, [][2]uint32{{1, 60}}, 61, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlan(c.floor, c.head, ranges(c.indexed))
			require.Equal(t, c.follow, p.follow)
			require.Equal(t, ranges(c.gaps), p.gaps())
		})
	}
}

func TestBatches_CoverGapsNewestFirst(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var gaps []chain.SeqnoRange
		next := uint32(1)
		for range r.IntN(5) {
			first := next + r.Uint32N(50)
			last := first + r.Uint32N(400)
			gaps = append(gaps, chain.SeqnoRange{First: first, Last: last})
			next = last + 2
		}
		size := 1 + r.IntN(130)
		var total, seen uint32
		for _, g := range gaps {
			total += g.Len()
		}
		previous := ^uint32(0)
		for _, b := range batches(gaps, size) {
			require.LessOrEqual(t, b.First, b.Last)
			require.LessOrEqual(t, b.Len(), uint32(size))
			require.Less(t, b.Last, previous)
			previous = b.First
			seen += b.Len()
		}
		require.Equal(t, total, seen)
	}
}

func TestParseFrom_SetsTheFirstBlock(t *testing.T) {
	t.Parallel()
	indexed := []chain.SeqnoRange{{First: 70, Last: 80}}
	for text, want := range map[string][2]uint32{ // floor of an empty index and of one from 70 on, head 100
		"": {1, 1}, "0": {1, 1}, "1": {1, 1}, "42": {42, 42}, "latest": {100, 70}, "-1": {100, 70}, "-10": {91, 70}, "-1000": {1, 70},
	} {
		f, err := ParseFrom(text)
		require.NoError(t, err, text)
		require.Equal(t, want, [2]uint32{f.floor(100, nil), f.floor(100, indexed)}, text)
	}
	for _, text := range []string{"x", "1.5", "-", "4294967296", "-9999999999", "newest"} {
		_, err := ParseFrom(text)
		require.Equal(t, chain.Invalid, chain.KindOf(err), text)
	}
}

func TestSplit_SeparatesPresentAndMissing(t *testing.T) {
	t.Parallel()
	present, missing := split(chain.SeqnoRange{First: 5, Last: 40}, []chain.SeqnoRange{{First: 1, Last: 8}, {First: 20, Last: 22}, {First: 50, Last: 60}})
	require.Equal(t, []chain.SeqnoRange{{First: 5, Last: 8}, {First: 20, Last: 22}}, present)
	require.Equal(t, []chain.SeqnoRange{{First: 9, Last: 19}, {First: 23, Last: 40}}, missing)
}

func TestMissingIn_IsWhatTheRangesLack(t *testing.T) {
	t.Parallel()
	within := chain.SeqnoRange{First: 10, Last: 20}
	for _, c := range []struct{ indexed, want [][2]uint32 }{
		{nil, [][2]uint32{{10, 20}}},
		{[][2]uint32{{1, 9}, {21, 30}}, [][2]uint32{{10, 20}}},
		{[][2]uint32{{1, 30}}, nil},
		{[][2]uint32{{10, 20}}, nil},
		{[][2]uint32{{1, 10}, {12, 13}, {20, 40}}, [][2]uint32{{11, 11}, {14, 19}}},
		{[][2]uint32{{15, 15}}, [][2]uint32{{10, 14}, {16, 20}}},
	} {
		require.Equal(t, ranges(c.want), missingIn(within, ranges(c.indexed)), "%v", c.indexed)
	}
	require.Equal(t, []chain.SeqnoRange{{First: 1<<32 - 1, Last: 1<<32 - 1}}, missingIn(chain.SeqnoRange{First: 1<<32 - 1, Last: 1<<32 - 1}, nil))
}
