package sqlbuild

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// moved is the newest block whose rows are on a cold server.
var moved = Moved{Dropped: chain.Dropped{Last: 100, EndLT: 5000, GenUtime: 1_700_000_000}}

// overTheTables returns the context of a run that reads the tables of the index alone, and its cover.
func overTheTables(t *testing.T, cold Moved) (context.Context, *Cover) {
	t.Helper()
	c := &Cover{}
	c.SetCold(cold)
	return WithCover(t.Context(), c), c
}

func TestCover_StatementsOfMovedTablesNeedAllServers(t *testing.T) {
	t.Parallel()
	const reads, other = "SELECT lt FROM transactions t WHERE t.account = $1", "SELECT account FROM latest_transactions"
	require.True(t, ReadsMoved(reads))
	require.True(t, ReadsMoved(reads), "from the cache")
	require.False(t, ReadsMoved(other), "a name that contains one")

	ctx, c := overTheTables(t, moved)
	require.NoError(t, c.Check(ctx, other))
	require.NoError(t, c.Check(Checked(ctx), reads), "its caller knows")
	require.False(t, c.Missed())
	require.Error(t, c.Check(ctx, reads))
	require.True(t, c.Missed(), "the request runs again")

	ctx, c = overTheTables(t, Moved{})
	require.NoError(t, c.Check(ctx, reads), "no rows were moved")
	require.False(t, c.Missed())

	c = &Cover{Complete: true}
	ctx = WithCover(t.Context(), c)
	require.NoError(t, c.Check(ctx, reads), "it reads all servers")
	require.Equal(t, ctx, Checked(ctx))
	require.Zero(t, c.Cold())
	require.Equal(t, t.Context(), Checked(t.Context()), "outside of a request")
	require.Zero(t, CoverOf(t.Context()).Cold())
}

// Several snapshots of a run may see different numbers of moved blocks.
func TestCover_NewestMovedBlockCounts(t *testing.T) {
	t.Parallel()
	c := &Cover{}
	require.Zero(t, c.Cold())
	older, newer := Moved{Dropped: chain.Dropped{Last: 99, EndLT: 4900}}, Moved{Dropped: chain.Dropped{Last: 101, EndLT: 5100}}
	for _, d := range []Moved{moved, older, newer, moved} {
		c.SetCold(d)
	}
	require.Equal(t, newer, c.Cold())
}

func TestFound_MissingRowsMayBeElsewhere(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name          string
		cold          Moved
		found, wanted int
		missed        bool
	}{
		{"all", moved, 2, 2, false}, {"one is missing", moved, 1, 2, true}, {"none is wanted", moved, 0, 0, false}, {"nothing was moved", Moved{}, 0, 2, false},
	} {
		ctx, c := overTheTables(t, tc.cold)
		require.Equal(t, tc.missed, Found(ctx, tc.found, tc.wanted) != nil, tc.name)
		require.Equal(t, tc.missed, c.Missed(), tc.name)
		ctx, c = overTheTables(t, tc.cold)
		require.Equal(t, tc.missed, Suffices(ctx, make([]int, tc.found), EachFound[int](tc.wanted)) != nil, tc.name)
		require.Equal(t, tc.missed, c.Missed(), tc.name)
	}
	require.NoError(t, Found(t.Context(), 0, 2), "outside of a request")
	require.NoError(t, Suffices(t.Context(), nil, EachFound[int](2)))
}

// byLT is the order of transactions; byUtime an order of times, by which cursors name rows of equal times.
var (
	byLT    = Order{{Column: "t.lt", Desc: true, At: "?"}, {Column: "t.account", Desc: true, At: "?"}}
	byUtime = Order{{Column: "t.now", Desc: true, At: "(SELECT now FROM x WHERE lt = ?)"}, {Column: "t.lt", Desc: true, At: "?"}}
)

type position struct {
	lt    uint64
	utime uint32
}

func positionOf(p *position) (uint64, uint32) { return p.lt, p.utime }

func TestInOrder_RowsOfThePageComeBeforeThoseThatWereMoved(t *testing.T) {
	t.Parallel()
	newer, oldest, older := position{6000, 1_700_000_100}, position{5001, 1_700_000_031}, position{5000, 1_700_000_000}
	at := func(lt uint64) *chain.Cursor { return &chain.Cursor{Major: lt} }
	ascending := byLT.Reversed()
	for _, tc := range []struct {
		name  string
		order Order
		page  chain.Page
		from  Bounds
		lists int
		rows  []position
		want  bool
	}{
		{"a full page of newer rows", byLT, chain.Page{Limit: 2}, Bounds{}, 1, []position{newer, oldest}, true},
		{"a page that is not full", byLT, chain.Page{Limit: 2}, Bounds{}, 1, []position{newer}, false},
		{"no rows", byLT, chain.Page{Limit: 2}, Bounds{}, 1, nil, false},
		{"a row of the LT of the moved block", byLT, chain.Page{Limit: 2}, Bounds{}, 1, []position{newer, older}, false},
		{"an older row before a newer one", byLT, chain.Page{Limit: 2}, Bounds{}, 1, []position{older, newer}, false},
		{"full pages of two lists", byLT, chain.Page{Limit: 1}, Bounds{}, 2, []position{newer, newer}, true},
		{"a full page of one of two lists", byLT, chain.Page{Limit: 1}, Bounds{}, 2, []position{newer}, false},
		{"before a newer cursor", byLT, chain.Page{Limit: 2, Before: at(5001)}, Bounds{}, 1, nil, true},
		{"before a cursor of the moved block", byLT, chain.Page{Limit: 2, Before: at(5000)}, Bounds{}, 1, nil, false},
		{"after a newer cursor", byLT, chain.Page{Limit: 2, After: at(6000)}, Bounds{}, 1, []position{newer}, false},

		{"ascending", ascending, chain.Page{Limit: 2}, Bounds{}, 1, []position{oldest, newer}, false},
		{"ascending, after a newer cursor", ascending, chain.Page{Limit: 2, After: at(5001)}, Bounds{}, 1, nil, true},
		{"ascending, after a cursor of the moved block", ascending, chain.Page{Limit: 2, After: at(5000)}, Bounds{}, 1, []position{oldest, newer}, false},
		{"ascending, before a newer cursor", ascending, chain.Page{Limit: 2, Before: at(6000)}, Bounds{}, 1, []position{oldest, newer}, false},

		{"the end of the descending list", byLT, chain.Page{Limit: 2, Last: true}, Bounds{}, 1, []position{oldest, newer}, false},
		{"its end before a newer cursor", byLT, chain.Page{Limit: 2, Last: true, Before: at(5001)}, Bounds{}, 1, nil, true},
		{"its end after a newer cursor", byLT, chain.Page{Limit: 2, Last: true, After: at(5001)}, Bounds{}, 1, []position{oldest, newer}, false},
		{"the end of the ascending list", ascending, chain.Page{Limit: 2, Last: true}, Bounds{}, 1, []position{newer, oldest}, true},
		{"its end, not full", ascending, chain.Page{Limit: 2, Last: true}, Bounds{}, 1, []position{newer}, false},
		{"its end after a newer cursor, not full", ascending, chain.Page{Limit: 2, Last: true, After: at(5001)}, Bounds{}, 1, []position{newer}, true},

		{"by time, well after the moved block", byUtime, chain.Page{Limit: 1}, Bounds{}, 1, []position{newer}, true},
		{"by time, as clocks may differ", byUtime, chain.Page{Limit: 1}, Bounds{}, 1, []position{{6000, 1_700_000_030}}, false},
		{"by time, just after", byUtime, chain.Page{Limit: 1}, Bounds{}, 1, []position{oldest}, true},
		{"by time, of a moved LT", byUtime, chain.Page{Limit: 1}, Bounds{}, 1, []position{{5000, 1_700_000_100}}, false},
		{"by time, before a newer cursor", byUtime, chain.Page{Limit: 2, Before: at(5001)}, Bounds{}, 1, nil, false},
		{"by time ascending, after a newer cursor", byUtime.Reversed(), chain.Page{Limit: 2, After: at(5001)}, Bounds{}, 1, nil, false},

		{"from a later LT", ascending, chain.Page{Limit: 2}, Bounds{Span: Span{FromLT: new(uint64(5001))}}, 1, nil, true},
		{"from the LT of the moved block", ascending, chain.Page{Limit: 2}, Bounds{Span: Span{FromLT: new(uint64(5000))}}, 1, nil, false},
		{"from a later time", ascending, chain.Page{Limit: 2}, Bounds{Span: Span{FromUtime: new(uint32(1_700_000_031))}}, 1, nil, true},
		{"from a time as clocks may differ", ascending, chain.Page{Limit: 2}, Bounds{Span: Span{FromUtime: new(uint32(1_700_000_030))}}, 1, nil, false},
		{"of a later block", ascending, chain.Page{Limit: 2}, Bounds{McSeqno: new(uint32(101))}, 1, nil, true},
		{"of the moved block", ascending, chain.Page{Limit: 2}, Bounds{McSeqno: new(uint32(100))}, 1, nil, false},
	} {
		l := NewList(tc.order, tc.page)
		require.Equal(t, tc.want, InOrder(&l, tc.from, tc.lists, positionOf)(tc.rows, moved), tc.name)
	}
}

// Where only some blocks were moved, the rows before them are read, too: they come first in the ascending list.
func TestInOrder_RowsBeforeThoseThatWereMoved(t *testing.T) {
	t.Parallel()
	between := moved
	between.First, between.FirstMcSeqno, between.FirstLT, between.FirstUtime = 50, 48, 2000, 1_699_000_000
	oldest, older, first := position{1000, 1_698_000_000}, position{1999, 1_698_999_999}, position{2000, 1_698_999_999}
	at := func(lt uint64) *chain.Cursor { return &chain.Cursor{Major: lt} }
	ascending := byLT.Reversed()
	for _, tc := range []struct {
		name  string
		order Order
		page  chain.Page
		from  Bounds
		rows  []position
		want  bool
	}{
		{"a full page of older rows", ascending, chain.Page{Limit: 2}, Bounds{}, []position{oldest, older}, true},
		{"a page that is not full", ascending, chain.Page{Limit: 2}, Bounds{}, []position{oldest}, false},
		{"a row of the first LT that moved", ascending, chain.Page{Limit: 2}, Bounds{}, []position{oldest, first}, false},
		{"before an older cursor", ascending, chain.Page{Limit: 2, Before: at(1999)}, Bounds{}, nil, true},
		{"before the first cursor that moved", ascending, chain.Page{Limit: 2, Before: at(2000)}, Bounds{}, nil, false},
		{"descending", byLT, chain.Page{Limit: 2}, Bounds{}, []position{older, oldest}, false},
		{"descending, after an older cursor", byLT, chain.Page{Limit: 2, After: at(1999)}, Bounds{}, []position{oldest}, true},
		{"descending, after the first cursor that moved", byLT, chain.Page{Limit: 2, After: at(2000)}, Bounds{}, []position{older, oldest}, false},
		{"ascending, after an older cursor", ascending, chain.Page{Limit: 2, After: at(1999)}, Bounds{}, nil, false},
		{"by time", byUtime.Reversed(), chain.Page{Limit: 1}, Bounds{}, []position{older}, true},
		{"by time, of the first time that moved", byUtime.Reversed(), chain.Page{Limit: 1}, Bounds{}, []position{{1999, 1_699_000_000}}, false},
		{"by time, of the first LT that moved", byUtime.Reversed(), chain.Page{Limit: 1}, Bounds{}, []position{first}, false},

		{"up to an older LT", byLT, chain.Page{Limit: 2}, Bounds{Span: Span{ToLT: new(uint64(1999))}}, nil, true},
		{"up to the first LT that moved", byLT, chain.Page{Limit: 2}, Bounds{Span: Span{ToLT: new(uint64(2000))}}, nil, false},
		{"up to an older time", byLT, chain.Page{Limit: 2}, Bounds{Span: Span{ToUtime: new(uint32(1_698_999_999))}}, nil, true},
		{"up to the first time that moved", byLT, chain.Page{Limit: 2}, Bounds{Span: Span{ToUtime: new(uint32(1_699_000_000))}}, nil, false},
		{"of an older block", byLT, chain.Page{Limit: 2}, Bounds{McSeqno: new(uint32(47))}, nil, true},
		{"of the first block with rows that moved", byLT, chain.Page{Limit: 2}, Bounds{McSeqno: new(uint32(48))}, nil, false},
	} {
		l := NewList(tc.order, tc.page)
		require.Equal(t, tc.want, InOrder(&l, tc.from, 1, positionOf)(tc.rows, between), tc.name)
	}
}

// A complete run that may leave out servers checks its statements as one that reads the tables of the index alone, and cannot run again.
func TestCover_PartialRunEndsWhereRowsAreMissing(t *testing.T) {
	t.Parallel()
	c := &Cover{Complete: true, Partial: true}
	c.SetCold(moved)
	ctx := WithCover(t.Context(), c)
	require.NotEqual(t, ctx, Checked(ctx))
	const reads = "SELECT lt FROM transactions"
	require.NoError(t, c.Check(Checked(ctx), reads))
	err := c.Check(ctx, reads)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.False(t, chain.IsTransient(err), "another try would end the same")
	require.Contains(t, chain.PublicMessage(err), "masterchain blocks 0 to 100")
	require.False(t, c.Missed())
	require.Error(t, Found(ctx, 1, 2))
	require.NoError(t, Found(ctx, 2, 2))
}

// A page of rows in memory is the page that a statement would read.
func TestPageOf_IsBetweenItsCursors(t *testing.T) {
	t.Parallel()
	rows := []uint64{10, 20, 30, 40, 50}
	is := func(v *uint64, c *chain.Cursor) bool { return *v == c.Major }
	at := func(v uint64) *chain.Cursor { return &chain.Cursor{Major: v} }
	for _, tc := range []struct {
		name string
		page chain.Page
		want []uint64
	}{
		{"all", chain.Page{}, rows}, {"first", chain.Page{Limit: 2}, []uint64{10, 20}}, {"last", chain.Page{Limit: 2, Last: true}, []uint64{40, 50}},
		{"skipped", chain.Page{Limit: 2, Offset: 1}, []uint64{20, 30}}, {"skipped from the end", chain.Page{Limit: 2, Offset: 1, Last: true}, []uint64{30, 40}},
		{"all skipped", chain.Page{Offset: 5}, []uint64{}}, {"more skipped", chain.Page{Offset: 9, Last: true}, []uint64{}}, {"negative offset", chain.Page{Limit: 1, Offset: -1}, []uint64{10}},
		{"after", chain.Page{After: at(20)}, []uint64{30, 40, 50}}, {"before", chain.Page{Before: at(20)}, []uint64{10}},
		{"between", chain.Page{After: at(10), Before: at(40)}, []uint64{20, 30}}, {"between, last", chain.Page{Limit: 1, Last: true, After: at(10), Before: at(40)}, []uint64{30}},
		{"crossed", chain.Page{After: at(40), Before: at(10)}, []uint64{}}, {"after the end", chain.Page{After: at(50)}, []uint64{}},
		{"cursors of no row", chain.Page{After: at(1), Before: at(2)}, rows}, {"larger than the list", chain.Page{Limit: 9}, rows},
	} {
		require.Equal(t, tc.want, PageOf(rows, tc.page, is), tc.name)
	}
	long := make([]uint64, MaxRows+1)
	require.Len(t, PageOf(long, chain.Page{}, is), MaxRows)
}

func TestNewList_PageFromTheEndIsReadBackwards(t *testing.T) {
	t.Parallel()
	after, before := &chain.Cursor{Major: 1}, &chain.Cursor{Major: 2}
	l := NewList(byLT, chain.Page{Limit: 3, Offset: 4, After: after, Before: before})
	require.Equal(t, List{Order: byLT, Limit: 3, Offset: 4, After: after, Before: before}, l)
	require.Equal(t, int64(7), l.Reach())
	require.True(t, l.Direction())
	require.Equal(t, []int{1, 2}, RestoreOrder(&l, []int{1, 2}))
	l = NewList(byLT, chain.Page{Last: true, Offset: -1, After: after, Before: before})
	require.Equal(t, List{Order: byLT.Reversed(), Limit: MaxRows, After: before, Before: after, Backward: true}, l)
	require.False(t, l.Direction())
	require.Equal(t, []int{2, 1}, RestoreOrder(&l, []int{1, 2}))
}
