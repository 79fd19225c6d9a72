package store

import (
	"math"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// statement is a SELECT being put together from constant pieces; every value is bound. A question mark in a piece stands
// for the next value. Pieces come in a fixed order, so that equal questions give equal texts.
type statement struct {
	text  strings.Builder
	args  []any
	where bool // a condition has been written in the current SELECT
}

// add appends a piece as it is, with its values.
func (s *statement) add(piece string, values ...any) *statement {
	for {
		before, after, found := strings.Cut(piece, "?")
		s.text.WriteString(before)
		if !found {
			return s
		}
		s.args = append(s.args, values[0])
		values = values[1:]
		s.text.WriteByte('$')
		s.text.WriteString(strconv.Itoa(len(s.args)))
		piece = after
	}
}

// from starts a SELECT: conditions that follow belong to it.
func (s *statement) from(piece string, values ...any) *statement {
	s.where = false
	return s.add(piece, values...)
}

// fence encloses what write adds, a SELECT of a bounded number of rows, in a subquery. The planner chooses its way to
// these rows without regard to the order in which they are wanted afterwards.
func (s *statement) fence(columns, alias string, write func()) {
	s.add("SELECT " + columns + " FROM (")
	write()
	s.add(" OFFSET 0) " + alias)
	s.where = false
}

// and adds a condition to the current SELECT.
func (s *statement) and(condition string, values ...any) *statement {
	if s.where {
		s.text.WriteString(" AND ")
	} else {
		s.text.WriteString(" WHERE ")
		s.where = true
	}
	return s.add(condition, values...)
}

// term is one column of an order.
type term struct {
	column string
	desc   bool
	// at is the column's value at a cursor: an expression with question marks, and what it binds.
	at   string
	bind func(*chain.Cursor) []any
}

// order is a total order of a list.
type order []term

// reversed is the order read from the end.
func (o order) reversed() order {
	r := make(order, len(o))
	for i, t := range o {
		t.desc = !t.desc
		r[i] = t
	}
	return r
}

// list says which rows of an ordered list are wanted, in the direction in which they are read.
type list struct {
	order    order
	limit    int
	offset   int
	after    *chain.Cursor // rows beyond this one
	before   *chain.Cursor // rows short of this one
	backward bool          // rows are read from the end and have to be turned round
}

// maxRows is the limit of a page that has none of its own.
const maxRows = 1000

func newList(o order, p chain.Page) list {
	l := list{order: o, limit: p.Limit, offset: max(p.Offset, 0), after: p.After, before: p.Before}
	if l.limit <= 0 {
		l.limit = maxRows
	}
	if p.Backwards() {
		l.order, l.backward = o.reversed(), true
		l.after, l.before = p.Before, p.After
	}
	return l
}

// reach is how many rows have to be read before the page is complete.
func (l *list) reach() int64 { return int64(l.limit) + int64(l.offset) }

// keyset restricts the current SELECT to the rows between the cursors.
func (s *statement) keyset(l *list) {
	if l.after != nil {
		s.afterCursor(l.order, l.after)
	}
	if l.before != nil {
		s.afterCursor(l.order.reversed(), l.before)
	}
}

// afterCursor keeps the rows after a cursor: the first column at or beyond the cursor's, for the index; then, column by
// column, strictly beyond or equal and decided by the next.
func (s *statement) afterCursor(o order, c *chain.Cursor) {
	first := o[0]
	s.and(first.column+first.operator()+"= "+first.at, first.bind(c)...)
	if len(o) == 1 {
		s.and(first.column+" <> "+first.at, first.bind(c)...)
		return
	}
	s.and("(")
	for i, t := range o {
		s.add(t.column+t.operator()+" "+t.at, t.bind(c)...)
		if i < len(o)-1 {
			s.add(" OR ("+t.column+" = "+t.at+" AND (", t.bind(c)...)
		}
	}
	s.add(strings.Repeat("))", len(o)-1) + ")")
}

func (t *term) operator() string {
	if t.desc {
		return " <"
	}
	return " >"
}

// orderBy writes the order.
func (s *statement) orderBy(o order) *statement {
	for i := range o {
		if i == 0 {
			s.add(" ORDER BY ")
		} else {
			s.add(", ")
		}
		s.add(o[i].column)
		if o[i].desc {
			s.add(" DESC")
		}
	}
	return s
}

// window writes LIMIT, and OFFSET where rows are skipped.
func (s *statement) window(l *list) *statement {
	s.add(" LIMIT ?", int64(l.limit))
	if l.offset > 0 {
		s.add(" OFFSET ?", int64(l.offset))
	}
	return s
}

// restoreOrder gives rows their list's order back when they were read from the end.
func restoreOrder[T any](l *list, rows []T) []T {
	if l.backward {
		for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	return rows
}

// present narrows optional conditions: nothing is written for nil.
func present[T any](s *statement, v *T, condition string, value func(T) any) {
	if v != nil {
		s.and(condition, value(*v))
	}
}

// asInt8 binds a number as a bigint.
func asInt8[T ~uint32 | ~int32](v T) any { return int64(v) }

// asLT binds an LT. None on the chain has more than 63 bits, so larger ones are as good as the largest.
func asLT(v uint64) any { return int64(min(v, math.MaxInt64)) }

// asShard binds a shard, whose top bit is the sign.
func asShard(v chain.Shard) any { return int64(v) }

// replaceMark puts an expression in the place of a piece's question mark.
func replaceMark(piece, expression string) string { return strings.Replace(piece, "?", expression, 1) }

// isAny writes a condition that no index serves; nothing without values.
func (s *statement) isAny(column string, values []chain.Address) {
	if len(values) > 0 {
		s.and("("+column+" = ANY(?)) IS TRUE", addressArray(unique(values)))
	}
}

// on is the order with the columns of another alias.
func (o order) on(alias string) order {
	moved := make(order, len(o))
	for i, t := range o {
		for j := range t.column {
			if t.column[j] == '.' {
				t.column = alias + t.column[j:]
				break
			}
		}
		moved[i] = t
	}
	return moved
}

// direction says whether the list is read towards smaller LTs.
func (l *list) direction() bool { return l.order[0].desc }
