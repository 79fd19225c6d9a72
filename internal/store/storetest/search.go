package storetest

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Select filters and sorts rows in memory.
func Select[T any](rows []T, keep func(*T) bool, compare func(a, b *T) int) []T {
	matching := []T{}
	for i := range rows {
		if keep(&rows[i]) {
			matching = append(matching, rows[i])
		}
	}
	slices.SortFunc(matching, func(a, b T) int { return compare(&a, &b) })
	return matching
}

// CutOffset returns the rows of an offset page.
func CutOffset[T any](rows []T, p chain.Page) []T {
	rows = rows[min(p.Offset, len(rows)):]
	return rows[:min(p.Limit, len(rows))]
}

// In reports whether v lies in an inclusive range with optional ends.
func In[T cmp.Ordered](v T, low, high *T) bool {
	return (low == nil || v >= *low) && (high == nil || v <= *high)
}

// Is reports whether v is the wanted value; nil wants every value.
func Is[T comparable](want *T, v T) bool { return want == nil || *want == v }

// Directed reverses a comparison for descending lists.
func Directed(s chain.Sort, c int) int {
	if s == chain.Descending {
		return -c
	}
	return c
}

// CompareHash compares hashes as PostgreSQL does.
func CompareHash(a, b chain.Hash) int { return bytes.Compare(a[:], b[:]) }

// Among reports whether v is in the list; an empty list contains every v.
func Among[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// AmongOptional is [Among] for an address that may be nil, which only an empty list contains.
func AmongOptional(list []chain.Address, v *chain.Address) bool {
	return len(list) == 0 || v != nil && slices.Contains(list, *v)
}

// RequireList compares a list with want: by cursor, by offset, and after its end.
func RequireList[T any](t *testing.T, name string, want []T, sort chain.Sort, cursor func(*T) chain.Cursor, read func(chain.Page) ([]T, error)) {
	t.Helper()
	all, err := read(chain.Page{Limit: 1000, Sort: sort})
	require.NoError(t, err, name)
	require.Equal(t, want, all, name)
	RequirePages(t, want, 3, sort, cursor, read)
	p := chain.Page{Limit: 4, Offset: 2, Sort: sort}
	page, err := read(p)
	require.NoError(t, err, name)
	require.Equal(t, CutOffset(want, p), page, name)
	page, err = read(chain.Page{Limit: 4, Offset: len(want), Sort: sort})
	require.NoError(t, err, name)
	require.Empty(t, page, name)
}

// RequirePages reads a list page by page with cursors, in both directions, and compares it with want.
func RequirePages[T any](t *testing.T, want []T, limit int, sort chain.Sort, cursor func(*T) chain.Cursor,
	read func(chain.Page) ([]T, error),
) {
	t.Helper()
	forward := []T{}
	p := chain.Page{Limit: limit, Sort: sort}
	for len(forward) <= len(want) {
		rows, err := read(p)
		require.NoError(t, err)
		forward = append(forward, rows...)
		if len(rows) < limit {
			break
		}
		p.After = new(cursor(&rows[len(rows)-1]))
	}
	require.Equal(t, want, forward, "forward by cursor")
	backward := []T{}
	p = chain.Page{Limit: limit, Sort: sort, Last: true}
	for len(backward) <= len(want) {
		rows, err := read(p)
		require.NoError(t, err)
		backward = append(slices.Clone(rows), backward...)
		if len(rows) < limit {
			break
		}
		p = chain.Page{Limit: limit, Sort: sort, Before: new(cursor(&rows[0])), Last: true}
	}
	require.Equal(t, want, backward, "backward by cursor")
	if len(want) > 4 { // a window between two cursors
		p = chain.Page{Limit: len(want), Sort: sort, After: new(cursor(&want[1])), Before: new(cursor(&want[len(want)-1]))}
		rows, err := read(p)
		require.NoError(t, err)
		require.Equal(t, want[2:len(want)-1], rows, "between two cursors")
		p = chain.Page{Limit: 2, Sort: sort, Before: new(cursor(&want[len(want)-1]))}
		rows, err = read(p)
		require.NoError(t, err)
		require.Equal(t, want[:2], rows, "the first before a cursor")
		p = chain.Page{Limit: 2, Sort: sort, After: new(cursor(&want[0])), Last: true}
		rows, err = read(p)
		require.NoError(t, err)
		require.Equal(t, want[len(want)-2:], rows, "the last after a cursor")
	}
}

// RequireSame compares rows; nil and empty are equal.
func RequireSame[T any](t *testing.T, want, got []T) {
	t.Helper()
	if len(want)+len(got) > 0 {
		require.Equal(t, want, got)
	}
}

// Search compares a list with a search in memory, for random filters.
type Search[T any] struct {
	Filters, Hits int // number of filters, and of those that match a row at least
	Cursor        func(*T) chain.Cursor
	// Filter returns, for a random filter, the rows that match in their order and the list that should have them.
	Filter func(chain.Sort) (rows []T, list func(chain.Page) ([]T, error))
}

// Run reads pages of the list of each filter, by offset and by cursor.
func (s Search[T]) Run(t *testing.T, w *Chain) {
	t.Helper()
	hits := 0
	for range s.Filters {
		p := chain.Page{Limit: 1 + w.Rand.IntN(40), Sort: chain.Sort(w.Rand.IntN(2))}
		if w.Chance(2) {
			p.Offset = w.Rand.IntN(30)
		}
		all, list := s.Filter(p.Sort)
		got, err := list(p)
		require.NoError(t, err)
		RequireSame(t, CutOffset(all, p), got)
		if len(all) > 0 {
			hits++
		}
		if len(all) > 3 && w.Chance(3) {
			RequirePages(t, all, 1+w.Rand.IntN(len(all)), p.Sort, s.Cursor, list)
		}
	}
	require.Greater(t, hits, s.Hits, "the random filters are too narrow to say anything")
}
