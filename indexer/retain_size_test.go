package indexer

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// counted is an index of which each masterchain block has perBlock transactions.
type counted struct {
	ranges   []chain.SeqnoRange
	perBlock uint64
	queries  int
}

func (c *counted) Ranges(context.Context) ([]chain.SeqnoRange, error) { return c.ranges, nil }

func (c *counted) TransactionsOf(_ context.Context, within chain.SeqnoRange) (n uint64, _ error) {
	c.queries++
	for _, r := range c.ranges {
		if first, last := max(r.First, within.First), min(r.Last, within.Last); first <= last {
			n += uint64(last-first+1) * c.perBlock
		}
	}
	return n, nil
}

func TestSurplus_RetainsFullRangesWithAtLeastTheTransactions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ranges []chain.SeqnoRange
		n      uint64
		want   uint32
	}{
		"empty index":                       {nil, 1, 0},
		"fewer than are retained":           {[]chain.SeqnoRange{{First: 1, Last: 5500}}, 60_000, 0},
		"one":                               {[]chain.SeqnoRange{{First: 1, Last: 5500}}, 1, 4999},
		"the range of the head":             {[]chain.SeqnoRange{{First: 1, Last: 5500}}, 5010, 4999},
		"one more":                          {[]chain.SeqnoRange{{First: 1, Last: 5500}}, 5011, 3999},
		"all but the first range":           {[]chain.SeqnoRange{{First: 1, Last: 5500}}, 45_000, 999},
		"what a gap lacks":                  {[]chain.SeqnoRange{{First: 1, Last: 2100}, {First: 4500, Last: 5500}}, 11_000, 1999},
		"an index that begins later":        {[]chain.SeqnoRange{{First: 4900, Last: 5500}}, 10_000, 0},
		"an index of one block":             {[]chain.SeqnoRange{{First: 5500, Last: 5500}}, 1, 4999},
		"an index that begins with a range": {[]chain.SeqnoRange{{First: 5000, Last: 5500}}, 5010, 4999},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := blockSizes{}.surplus(t.Context(), &counted{ranges: c.ranges, perBlock: 10}, c.n)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// Full ranges are counted once, those that grow or have a gap each time; and what was dropped is forgotten.
func TestSurplus_CountsFullRangesOnce(t *testing.T) {
	t.Parallel()
	db := &counted{ranges: []chain.SeqnoRange{{First: 1, Last: 5500}}, perBlock: 10}
	s := blockSizes{}
	for range 3 {
		_, err := s.surplus(t.Context(), db, 45_000)
		require.NoError(t, err)
	}
	require.Equal(t, 5+2, db.queries)
	db.ranges[0].First = 3000
	_, err := s.surplus(t.Context(), db, 45_000)
	require.NoError(t, err)
	require.Len(t, s, 2)
}
