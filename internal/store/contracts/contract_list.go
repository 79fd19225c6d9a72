package contracts

import (
	"strings"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// recordList is a list of latest records of one table, whose rows have the alias c in every piece.
type recordList struct {
	sqlbuild.List

	table   string
	columns string
}

// byAddress is the order of a list by the address of the contract.
func byAddress(column string, desc bool) sqlbuild.Order {
	return sqlbuild.Order{{Column: column, Desc: desc, At: "?", Bind: sqlbuild.BindMinor}}
}

// column is a term of an order that is read from the cursor's row.
func (t recordList) column(name string, desc bool) sqlbuild.Term {
	return columnOf(t.table, "address", "c."+name, name, desc)
}

// columnOf is a term whose value at a cursor is an expression over the row with the cursor's address.
func columnOf(table, key, column, expression string, desc bool) sqlbuild.Term {
	return sqlbuild.Term{Column: column, Desc: desc, At: "(SELECT " + expression + " FROM " + table + " WHERE " + key + " = ?)", Bind: sqlbuild.BindMinor}
}

// key returns the column that is the table's key, the last one of every order.
func (t *recordList) key() []string {
	return []string{strings.TrimPrefix(t.Order[len(t.Order)-1].Column, "c.")}
}

// everything is a walk along the order.
func (t *recordList) everything(s *sqlbuild.Statement, conditions func()) {
	s.Rows(t.columns, t.table, "c", t.key(), &t.List, func() {
		conditions()
		t.between(s, t.Order)
	})
}

// between restricts the current SELECT to the rows between the cursors by comparing full keys, which an index that
// begins with what is the same along a walk serves to the row. All terms of o have one direction.
func (t *recordList) between(s *sqlbuild.Statement, o sqlbuild.Order) {
	compare := func(operator string, c *chain.Cursor) {
		columns, at, values := make([]string, len(o)), make([]string, len(o)), []any{}
		for i, term := range o {
			columns[i], at[i] = term.Column, term.At
			values = append(values, term.Bind(c)...)
		}
		s.And("("+strings.Join(columns, ", ")+")"+operator+"("+strings.Join(at, ", ")+")", values...)
	}
	if t.After != nil {
		compare(o[0].Operator()+" ", t.After)
	}
	if t.Before != nil {
		compare(o.Reversed()[0].Operator()+" ", t.Before)
	}
}

// among starts from a bounded number of rows: conditions select them.
func (t *recordList) among(s *sqlbuild.Statement, conditions func()) {
	s.Fence(t.columns, "c", func() {
		s.From("SELECT c.* FROM " + t.table + " c")
		conditions()
		s.Keyset(&t.List)
	})
	s.OrderBy(t.Order).Window(&t.List)
}

// along is a walk in the order of the list for each of several values of a column, merged. An index begins with the
// column and continues with inner, the order without what is the same along a walk.
func (t *recordList) along(s *sqlbuild.Statement, column string, values []chain.Address, inner sqlbuild.Order, conditions func()) {
	walk := func(head, columns string) {
		s.Add(head+" FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", sqlbuild.AddressArray(values))
		s.From("SELECT " + columns + " FROM " + t.table + " c").And(column + " = v.value")
		conditions()
		if len(values) == 1 || len(inner) == len(t.Order) {
			t.between(s, inner)
		} else {
			s.Keyset(&t.List)
		}
		s.OrderBy(inner).Add(" LIMIT ?", t.Reach()).Add(") c")
		s.OrderBy(t.Order).Window(&t.List)
	}
	if t.Offset == 0 {
		walk("SELECT "+t.columns, "c.*")
		return
	}
	ordered := make([]string, len(t.Order))
	for i, term := range t.Order {
		ordered[i] = term.Column
	}
	s.RowsOf(t.columns, t.table, "c", t.key(), &t.List, func() { walk("SELECT c."+t.key()[0], strings.Join(ordered, ", ")) })
}

func nothing() {}
