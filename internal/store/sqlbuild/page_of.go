package sqlbuild

import (
	"slices"

	"tonql/internal/chain"
)

// PageOf returns a page of the complete, ordered rows of a list; at reports whether a row is the one that a cursor names. A
// cursor that names none of the rows does not limit the page.
func PageOf[T any](rows []T, p chain.Page, at func(*T, *chain.Cursor) bool) []T {
	find := func(c *chain.Cursor) int { return slices.IndexFunc(rows, func(row T) bool { return at(&row, c) }) }
	first, last := 0, len(rows)
	if p.After != nil {
		first = find(p.After) + 1
	}
	if p.Before != nil {
		if i := find(p.Before); i >= 0 {
			last = i
		}
	}
	rows = rows[min(first, last):last]
	limit := p.Limit
	if limit <= 0 {
		limit = MaxRows
	}
	skip := min(max(p.Offset, 0), len(rows))
	if p.Last {
		rows = rows[:len(rows)-skip]
		return rows[max(0, len(rows)-limit):]
	}
	rows = rows[skip:]
	return rows[:min(limit, len(rows))]
}
