package store

import (
	"strings"

	"tonql/internal/chain"
)

// recordList is a list of latest records of one table, whose rows have the alias c in every piece.
type recordList struct {
	list

	table   string
	columns string
}

// byAddress is the order of a list by the address of the contract.
func byAddress(column string, desc bool) order { return order{{column, desc, "?", bindMinor}} }

// column is a term of an order that is read from the cursor's row.
func (t recordList) column(name string, desc bool) term {
	return columnOf(t.table, "address", "c."+name, name, desc)
}

// columnOf is a term whose value at a cursor is an expression over the row with the cursor's address.
func columnOf(table, key, column, expression string, desc bool) term {
	return term{column, desc, "(SELECT " + expression + " FROM " + table + " WHERE " + key + " = ?)", bindMinor}
}

// everything is a walk along the order.
func (t *recordList) everything(s *statement, conditions func()) {
	s.from("SELECT " + t.columns + " FROM " + t.table + " c")
	conditions()
	t.between(s, t.order)
	s.orderBy(t.order).window(&t.list)
}

// between restricts the current SELECT to the rows between the cursors by comparing whole keys, which an index that
// begins with what is the same along a walk serves to the row. All terms of o have one direction.
func (t *recordList) between(s *statement, o order) {
	compare := func(operator string, c *chain.Cursor) {
		columns, at, values := make([]string, len(o)), make([]string, len(o)), []any{}
		for i, term := range o {
			columns[i], at[i] = term.column, term.at
			values = append(values, term.bind(c)...)
		}
		s.and("("+strings.Join(columns, ", ")+")"+operator+"("+strings.Join(at, ", ")+")", values...)
	}
	if t.after != nil {
		compare(o[0].operator()+" ", t.after)
	}
	if t.before != nil {
		compare(o.reversed()[0].operator()+" ", t.before)
	}
}

// among starts from a bounded number of rows: conditions select them.
func (t *recordList) among(s *statement, conditions func()) {
	s.fence(t.columns, "c", func() {
		s.from("SELECT c.* FROM " + t.table + " c")
		conditions()
		s.keyset(&t.list)
	})
	s.orderBy(t.order).window(&t.list)
}

// along is a walk in the order of the list for each of several values of a column, merged. An index begins with the
// column and goes on with inner, the order without what is the same along a walk.
func (t *recordList) along(s *statement, column string, values []chain.Address, inner order, conditions func()) {
	s.add("SELECT "+t.columns+" FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", addressArray(values))
	s.from("SELECT c.* FROM " + t.table + " c").and(column + " = v.value")
	conditions()
	if len(values) == 1 || len(inner) == len(t.order) {
		t.between(s, inner)
	} else {
		s.keyset(&t.list)
	}
	s.orderBy(inner).add(" LIMIT ?", t.reach()).add(") c")
	s.orderBy(t.order).window(&t.list)
}

func nothing() {}
