package resolvers

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// number is a row of a list.
type number uint64

func (n *number) Cursor() chain.Cursor { return chain.Cursor{Major: uint64(*n)} }

func cursorAt(n uint64) *chain.Cursor { return &chain.Cursor{Major: n} }

// A page of rows in memory is that of a list of the index: between its cursors, also crossed ones, from either end, in either order.
func TestPageOf_IsBetweenItsCursors(t *testing.T) {
	t.Parallel()
	rows := []*number{new(number(10)), new(number(20)), new(number(30)), new(number(40)), new(number(50))}
	for name, c := range map[string]struct {
		page           chain.Page
		descending     bool
		want           []number
		next, previous bool
	}{
		"all":                   {page: chain.Page{Limit: 5}, want: []number{10, 20, 30, 40, 50}},
		"first":                 {page: chain.Page{Limit: 2}, want: []number{10, 20}, next: true},
		"last":                  {page: chain.Page{Limit: 2, Last: true}, want: []number{40, 50}, previous: true},
		"descending":            {page: chain.Page{Limit: 2}, descending: true, want: []number{50, 40}, next: true},
		"after":                 {page: chain.Page{Limit: 9, After: cursorAt(30)}, want: []number{40, 50}, previous: true},
		"after, descending":     {page: chain.Page{Limit: 9, After: cursorAt(30)}, descending: true, want: []number{20, 10}, previous: true},
		"before":                {page: chain.Page{Limit: 9, Before: cursorAt(30)}, want: []number{10, 20}},
		"between":               {page: chain.Page{Limit: 9, After: cursorAt(10), Before: cursorAt(40)}, want: []number{20, 30}, previous: true},
		"after the end":         {page: chain.Page{Limit: 9, After: cursorAt(50)}, previous: true},
		"crossed":               {page: chain.Page{Limit: 9, After: cursorAt(40), Before: cursorAt(20)}, previous: true},
		"crossed at one row":    {page: chain.Page{Limit: 9, After: cursorAt(20), Before: cursorAt(20)}, previous: true},
		"no rows are requested": {page: chain.Page{}, next: true},
	} {
		if !c.descending {
			c.page.Sort = chain.Ascending
		}
		got, err := pageOf(rows, c.page, 7)
		require.NoError(t, err, name)
		var have []number
		for _, e := range got.Edges {
			have = append(have, *e.Node)
		}
		require.Equal(t, c.want, have, name)
		require.Equal(t, c.next, got.PageInfo.HasNextPage, name)
		require.Equal(t, c.previous, got.PageInfo.HasPreviousPage, name)
	}
	require.Equal(t, number(10), *rows[0], "the rows of others are not reordered")
	for _, p := range []chain.Page{{Limit: 9, After: cursorAt(11)}, {Limit: 9, Before: cursorAt(11)}} {
		_, err := pageOf(rows, p, 7)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
}

// LTs have 63 bits on the chain: a later end is no bound, and nothing is after a later start.
func TestBoundLT_RangesBehindTheChain(t *testing.T) {
	t.Parallel()
	lt := func(n uint64) *uint64 { return &n }
	for name, c := range map[string]struct {
		start, end, wantEnd *uint64
		none                bool
	}{
		"no bounds": {}, "an instant": {lt(5), lt(5), lt(5), false}, "reversed": {lt(6), lt(5), lt(5), true},
		"the last": {lt(math.MaxInt64), lt(math.MaxInt64), lt(math.MaxInt64), false}, "a later end": {lt(6), lt(math.MaxInt64 + 1), nil, false},
		"a later start": {lt(math.MaxInt64 + 1), lt(math.MaxUint64), lt(math.MaxUint64), true}, "only a start": {start: lt(6)}, "only an end": {end: lt(6), wantEnd: lt(6)},
	} {
		start, end := c.start, c.end
		require.Equal(t, c.none, boundLT(&start, &end), name)
		require.Equal(t, c.start, start, name)
		require.Equal(t, c.wantEnd, end, name)
	}
}

// A part has at most 256 transactions, unless a single row has more. Each row is in one part.
func TestPartsOf_CoverTheRowsOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sizes []int
		want  [][2]int
	}{
		"no rows": {}, "small": {[]int{1, 2, 3}, [][2]int{{0, 3}}}, "full": {[]int{200, 56}, [][2]int{{0, 2}}}, "one more": {[]int{200, 57}, [][2]int{{0, 1}, {1, 2}}},
		"a large one": {[]int{1, 4000, 1}, [][2]int{{0, 1}, {1, 2}, {2, 3}}}, "a large one first": {[]int{4000, 1, 1}, [][2]int{{0, 1}, {1, 3}}},
		"of no transactions": {make([]int, 300), [][2]int{{0, 256}, {256, 300}}},
	} {
		rows := make([]number, len(c.sizes))
		for i := range rows {
			rows[i] = number(i + 1)
		}
		var read [][2]int
		parts := PartsOf(rows, func(i int) int { return c.sizes[i] }, func(_ context.Context, first, end int) ([]int, error) {
			read = append(read, [2]int{first, end})
			return nil, nil
		})
		for i := range parts.Len() {
			_, err := parts.Read(t.Context(), i)
			require.NoError(t, err)
		}
		require.Equal(t, c.want, read, name)
		require.Equal(t, len(rows), parts.Rows, name)
		require.Equal(t, uint64(len(rows)), parts.Last.Major, name)
	}
}

// The limits are the largest values that are allowed. Negative ones count as none.
func TestPage_LimitsAreInclusive(t *testing.T) {
	t.Parallel()
	s := &Service{opts: Options{Limits: Limits{Rows: 10, Offset: 20, Addresses: 3}}}
	for _, c := range []struct {
		page, want chain.Page
		refused    string
	}{
		{page: chain.Page{Limit: 10, Offset: 20}, want: chain.Page{Limit: 10, Offset: 20}}, {page: chain.Page{Limit: -1, Offset: -1}},
		{page: chain.Page{Limit: 11}, refused: "limit is not allowed: 11 > 10"}, {page: chain.Page{Offset: 21}, refused: "offset is not allowed: 21 > 20"},
	} {
		got, err := s.lists(c.page, list{"account", 3}, list{"hash", 0})
		if c.refused != "" {
			require.Equal(t, chain.Invalid, chain.KindOf(err))
			require.ErrorContains(t, err, c.refused)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := s.lists(chain.Page{}, list{"account", 3}, list{"hash", 4})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "4 values of hash are too many: at most 3")
	_, err = s.pageWithin(chain.Page{Limit: 11}, 11)
	require.NoError(t, err)
}

func TestEmptyUtime_ReversedTimesMatchNothing(t *testing.T) {
	t.Parallel()
	at := func(n uint32) *uint32 { return &n }
	require.True(t, emptyUtime(at(6), at(5)))
	for _, c := range [][2]*uint32{{at(5), at(5)}, {at(5), at(6)}, {nil, at(5)}, {at(5), nil}, {nil, nil}} {
		require.False(t, emptyUtime(c[0], c[1]))
	}
}
