package sqlbuild

// SkipByFirst writes a page with an offset of a table, with its alias, in an order whose first column has an index that lacks the
// others. It skips rows in this index alone: it reads the values of the page, then the rows from the first of these values on.
// Of the rows with that value, those before the page are skipped. They are the ones that the values of the page lack, unless all of
// these are equal: then they are counted along the index. conditions writes conditions on the first column, and always, a
// condition of the index or empty.
func (s *Statement) SkipByFirst(columns, table, always string, l *List, conditions func()) *Statement {
	first := l.Order[:1]
	column := first[0].Column
	name := column[len(aliasOf(column)):]
	farthest, nearest, from := "max", "min", column+" <= "
	if !l.Direction() {
		farthest, nearest, from = "min", "max", column+" >= "
	}
	walk := func() *Statement {
		s.From("SELECT " + column + " FROM " + table)
		conditions()
		return s.OrderBy(first)
	}
	s.Add("WITH e AS MATERIALIZED (SELECT " + farthest + "(w." + name + ") AS first, " + nearest + "(w." + name + ") AS last, array_agg(w." + name + ") AS lts FROM (")
	walk().Window(l)
	s.Add(") w) ").From("SELECT " + columns + " FROM " + table).And(from + "(SELECT e.first FROM e)")
	conditions()
	s.OrderBy(l.Order).Add(" LIMIT ? OFFSET (SELECT CASE WHEN e.first <> e.last OR cardinality(e.lts) < ?", int64(l.Limit), int64(l.Limit))
	s.Add(" THEN (").From("SELECT count(*) FROM " + table).And(column + " = e.first")
	if always != "" {
		s.And(always)
	}
	s.Add(") - (SELECT count(*) FROM unnest(e.lts) k(at) WHERE k.at = e.first)")
	s.Add(" ELSE (SELECT count(*) FROM (")
	walk().Add(" LIMIT ?) p WHERE p."+name+" = e.first) END FROM e)", int64(l.Offset))
	return s
}

// aliasOf is the part of a column up to its point.
func aliasOf(column string) string {
	for i := range column {
		if column[i] == '.' {
			return column[:i+1]
		}
	}
	return ""
}
