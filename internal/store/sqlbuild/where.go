package sqlbuild

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tonql/internal/chain"
)

// Statement builds a SELECT from constant pieces and binds every value. A question mark in a piece stands
// for the next value. Pieces come in a fixed order, so that equal queries have equal texts.
type Statement struct {
	Text  strings.Builder
	Args  []any
	where bool // a condition has been written in the current SELECT
}

// Add appends a piece as it is, with its values.
func (s *Statement) Add(piece string, values ...any) *Statement {
	for {
		before, after, found := strings.Cut(piece, "?")
		s.Text.WriteString(before)
		if !found {
			return s
		}
		s.Args = append(s.Args, values[0])
		values = values[1:]
		s.Text.WriteByte('$')
		s.Text.WriteString(strconv.Itoa(len(s.Args)))
		piece = after
	}
}

// From starts a SELECT: conditions that follow belong to it.
func (s *Statement) From(piece string, values ...any) *Statement {
	s.where = false
	return s.Add(piece, values...)
}

// Fence encloses what write adds, a SELECT of a bounded number of rows, in a subquery. The planner chooses its way to
// these rows without regard to their final order.
func (s *Statement) Fence(columns, alias string, write func()) {
	s.Add("SELECT " + columns + " FROM (")
	write()
	s.Add(" OFFSET 0) " + alias)
	s.where = false
}

// And adds a condition to the current SELECT.
func (s *Statement) And(condition string, values ...any) *Statement {
	if s.where {
		s.Text.WriteString(" AND ")
	} else {
		s.Text.WriteString(" WHERE ")
		s.where = true
	}
	return s.Add(condition, values...)
}

// Continue ends a SELECT within a condition: conditions that follow belong to the SELECT around it.
func (s *Statement) Continue() *Statement {
	s.where = true
	return s
}

// Term is one column of an order.
type Term struct {
	Column string
	Desc   bool
	// At is the column's value at a cursor: an expression with question marks, and what it binds.
	At   string
	Bind func(*chain.Cursor) []any
}

// Order is a total order of a list.
type Order []Term

// Reversed returns the order from the end to the beginning.
func (o Order) Reversed() Order {
	r := make(Order, len(o))
	for i, t := range o {
		t.Desc = !t.Desc
		r[i] = t
	}
	return r
}

// List is a page of an ordered list, in the direction in which its rows are read.
type List struct {
	Order    Order
	Limit    int
	Offset   int
	After    *chain.Cursor // rows beyond this one
	Before   *chain.Cursor // rows short of this one
	Backward bool          // rows are read from the end and have to be reversed
}

// MaxRows is the limit of a page without a limit.
const MaxRows = 1000

// NewList returns the page p of a list in order o.
func NewList(o Order, p chain.Page) List {
	l := List{Order: o, Limit: p.Limit, Offset: max(p.Offset, 0), After: p.After, Before: p.Before}
	if l.Limit <= 0 {
		l.Limit = MaxRows
	}
	if p.Last {
		l.Order, l.Backward = o.Reversed(), true
		l.After, l.Before = p.Before, p.After
	}
	return l
}

// Reach returns the number of rows to read for a complete page.
func (l *List) Reach() int64 { return int64(l.Limit) + int64(l.Offset) }

// Keyset restricts the current SELECT to the rows between the cursors.
func (s *Statement) Keyset(l *List) {
	if l.After != nil {
		s.afterCursor(l.Order, l.After)
	}
	if l.Before != nil {
		s.afterCursor(l.Order.Reversed(), l.Before)
	}
}

// afterCursor keeps the rows after a cursor: the first column at or beyond the cursor's, for the index; then, column by
// column, strictly beyond or equal and decided by the next.
func (s *Statement) afterCursor(o Order, c *chain.Cursor) {
	first := o[0]
	s.And(first.Column+first.Operator()+"= "+first.At, first.Bind(c)...)
	if len(o) == 1 {
		s.And(first.Column+" <> "+first.At, first.Bind(c)...)
		return
	}
	s.And("(")
	for i, t := range o {
		s.Add(t.Column+t.Operator()+" "+t.At, t.Bind(c)...)
		if i < len(o)-1 {
			s.Add(" OR ("+t.Column+" = "+t.At+" AND (", t.Bind(c)...)
		}
	}
	s.Add(strings.Repeat("))", len(o)-1) + ")")
}

// Operator returns the operator between the column and a value before it in the order.
func (t *Term) Operator() string {
	if t.Desc {
		return " <"
	}
	return " >"
}

// OrderBy writes the order.
func (s *Statement) OrderBy(o Order) *Statement {
	for i := range o {
		if i == 0 {
			s.Add(" ORDER BY ")
		} else {
			s.Add(", ")
		}
		s.Add(o[i].Column)
		if o[i].Desc {
			s.Add(" DESC")
		}
	}
	return s
}

// Window writes LIMIT, and OFFSET where rows are skipped.
func (s *Statement) Window(l *List) *Statement {
	s.Add(" LIMIT ?", int64(l.Limit))
	if l.Offset > 0 {
		s.Add(" OFFSET ?", int64(l.Offset))
	}
	return s
}

// Rows writes a page of one table, whose rows have the alias in every piece. write writes the conditions. With an offset the page's
// keys are found first: the rows that are skipped are not read where the index of the order has the keys, too.
func (s *Statement) Rows(columns, table, alias string, keys []string, l *List, write func()) *Statement {
	if l.Offset == 0 {
		s.From("SELECT " + columns + " FROM " + table + " " + alias)
		write()
		return s.OrderBy(l.Order).Window(l)
	}
	return s.RowsOf(columns, table, alias, keys, l, func() {
		s.From("SELECT " + alias + "." + strings.Join(keys, ", "+alias+".") + " FROM " + table + " " + alias)
		write()
		s.OrderBy(l.Order).Window(l)
	})
}

// RowsOf writes the rows of a table whose keys write selects, in the order of the list.
func (s *Statement) RowsOf(columns, table, alias string, keys []string, l *List, write func()) *Statement {
	s.Fence(columns, alias, func() {
		s.Add("SELECT " + alias + ".* FROM (")
		write()
		s.Add(") k JOIN " + table + " " + alias + " ON ")
		for i, key := range keys {
			if i > 0 {
				s.Add(" AND ")
			}
			s.Add(alias + "." + key + " = k." + key)
		}
	})
	return s.OrderBy(l.Order)
}

// RestoreOrder reverses rows that were read from the end, in place, and returns them.
func RestoreOrder[T any](l *List, rows []T) []T {
	if l.Backward {
		slices.Reverse(rows)
	}
	return rows
}

// Present adds an optional condition. It writes nothing for nil.
func Present[T any](s *Statement, v *T, condition string, value func(T) any) {
	if v != nil {
		s.And(condition, value(*v))
	}
}

// AsInt8 binds a number as a bigint.
func AsInt8[T ~uint32 | ~int32](v T) any { return int64(v) }

// AsLT binds an LT. None on the chain has more than 63 bits, so larger ones are as good as the largest.
func AsLT(v uint64) any { return int64(min(v, math.MaxInt64)) }

// AsShard binds a shard, whose top bit is the sign.
func AsShard(v chain.Shard) any { return int64(v) }

// ReplaceMark puts an expression in the place of a piece's question mark.
func ReplaceMark(piece, expression string) string { return strings.Replace(piece, "?", expression, 1) }

// IsAny adds a condition that no index serves. It writes nothing without values.
func (s *Statement) IsAny(column string, values []chain.Address) {
	if len(values) > 0 {
		s.And("("+column+" = ANY(?)) IS TRUE", AddressArray(Unique(values)))
	}
}

// On returns the order with the columns of another alias.
func (o Order) On(alias string) Order {
	moved := make(Order, len(o))
	for i, t := range o {
		for j := range t.Column {
			if t.Column[j] == '.' {
				t.Column = alias + t.Column[j:]
				break
			}
		}
		moved[i] = t
	}
	return moved
}

// Direction reports whether the list is read towards smaller LTs.
func (l *List) Direction() bool { return l.Order[0].Desc }

// Qualified puts alias in front of each column.
func Qualified(alias, columns string) string {
	names := strings.Fields(strings.ReplaceAll(columns, ",", " "))
	return alias + "." + strings.Join(names, ", "+alias+".")
}
