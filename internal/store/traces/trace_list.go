package traces

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// mergedScan builds lists of complete traces or their actions, ordered by the end of the trace.
type mergedScan struct {
	sqlbuild.Span

	head  string         // SELECT … FROM …, rows with all columns the list needs
	utime string         // column with the time of the trace's end
	lt    string         // column with its LT, for the walk
	order sqlbuild.Order // of the list
	walk  sqlbuild.Order // of a walk by LT; that of the list when it has no times
}

// boundTraceID binds the trace that a cursor of traces or actions names, boundAction the action with it for [ofAction].
func boundTraceID(c *chain.Cursor) []any { return []any{[]byte(c.Minor[:min(32, len(c.Minor))])} }

// boundIndexedID binds what indexes have of the id of that trace.
func boundIndexedID(c *chain.Cursor) []any {
	return []any{[]byte(c.Minor[:min(sqlbuild.HashKeyBytes, len(c.Minor))])}
}

func actionID(c *chain.Cursor) []byte { return []byte(c.Minor[min(32, len(c.Minor)):]) }

func boundActionID(c *chain.Cursor) []any { return []any{actionID(c)} }

func boundAction(c *chain.Cursor) []any {
	id := actionID(c)
	return append(boundTraceID(c), id[:min(sqlbuild.HashKeyBytes, len(id))], id)
}

// ofAction is the condition that a row c of actions is the one that a cursor names.
var ofAction = `c.trace_id = ? AND ` + sqlbuild.HashKey("c.action_id") + ` = ? AND c.action_id = ?`

// traceOrder is by end LT, then id, both in the page's direction; lists restricted in time go by time first.
func traceOrder(sort chain.Sort, alias string) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{{Column: alias + ".end_lt", Desc: desc, At: "?", Bind: sqlbuild.BindMajor}, {Column: alias + ".trace_id", Desc: desc, At: "?", Bind: boundTraceID}}
}

func traceUtimeOrder(sort chain.Sort) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{
		{Column: "t.end_utime", Desc: desc, At: "(SELECT c.end_utime FROM traces c WHERE c.trace_id = ?)", Bind: boundTraceID},
		{Column: "t.trace_id", Desc: desc, At: "?", Bind: boundTraceID},
	}
}

// Traces lists the traces that match f by their end in the page's direction, then id. Without hashes these are complete
// ones.
func (r *Reader) Traces(ctx context.Context, f chain.TraceFilter, p chain.Page) ([]chain.Trace, error) {
	return r.traces(ctx, &f, p, nil)
}

// traces is [Reader.Traces] that also finds the transactions of complete traces, unless nodes is nil.
func (r *Reader) traces(ctx context.Context, f *chain.TraceFilter, p chain.Page, nodes traceNodes) ([]chain.Trace, error) {
	if f.ByHash() {
		return r.tracesByHash(ctx, f, p, nodes)
	}
	lists := &AccountLists{}
	if f.Account != nil {
		var err error
		if lists, err = r.lists(ctx); err != nil {
			return nil, err
		}
	}
	s, l := lists.Traces(f, p, nodes.texts())
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}, McSeqno: f.McSeqno}, 1, traceEnd)
	rows, err := sqlbuild.Covered(ctx, r.pool, "traces", l.Limit, rule, nodes.scan, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// traceEnd is the place of a trace in lists.
func traceEnd(t *chain.Trace) (lt uint64, utime uint32) { return t.EndLT, t.EndUtime }

// Traces returns the statement of [Reader.Traces], and its page.
func (a *AccountLists) Traces(f *chain.TraceFilter, p chain.Page, texts *Texts) (*sqlbuild.Statement, sqlbuild.List) {
	q := &mergedScan{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}, utime: "t.end_utime"}
	q.order = traceOrder(p.Sort, "t")
	if q.HasUtime() {
		q.order = traceUtimeOrder(p.Sort)
	}
	s := &sqlbuild.Statement{}
	switch {
	case f.McSeqno != nil:
		l := sqlbuild.NewList(q.order, p)
		s.Fence(texts.columns, "t", func() {
			s.From("SELECT t.* FROM traces t").And("t.mc_seqno_end = ?", int64(*f.McSeqno)).And("t.pending = 0")
			if f.Account != nil {
				a.among(s, f.Account)
			}
			q.Filter(s, "t.end_utime", "t.end_lt")
			s.Keyset(&l)
		})
		return s.OrderBy(l.Order).Window(&l), l
	case f.Account != nil && !a.replaced && !q.HasUtime():
		l := sqlbuild.NewList(a.traceWalk(p.Sort), p)
		s.From("SELECT " + texts.columns + " FROM " + a.traceRows())
		a.ofOneTrace(s, f.Account)
		q.Restrict(s, "t.end_utime", "k.end_lt")
		s.Keyset(&l)
		return s.OrderBy(l.Order).Window(&l), l
	case f.Account != nil:
		q.head = "SELECT " + texts.columns + " FROM " + a.traceRows()
		q.lt, q.walk = "k.end_lt", a.traceWalk(p.Sort)
		l := sqlbuild.NewList(q.order, p)
		q.scans(s, &l, texts.walked, a.values(*f.Account), a.ofTraces)
		return s, l
	default:
		l := sqlbuild.NewList(q.order, p)
		walk := sqlbuild.NewList(alongIndex(q.order, "t"), p)
		conditions := func() {
			s.And("t.pending = 0")
			q.Restrict(s, "t.end_utime", "t.end_lt")
			if q.HasUtime() {
				q.BoundUtime(s, "t.end_utime")
			}
			s.Keyset(&walk)
		}
		if walk.Offset > 0 && walk.After == nil && walk.Before == nil && (!q.HasUtime() || q.FromLT == nil && q.ToLT == nil) {
			return s.SkipByFirst(texts.columns, "traces t", "t.pending = 0", &walk, conditions), l
		}
		s.From("SELECT " + texts.columns + " FROM traces t")
		conditions()
		return s.OrderBy(walk.Order).Window(&walk), l
	}
}

// scanValues is a table v of values, one of which each walk is for, and what it binds.
type scanValues struct {
	from string
	args []any
}

// scans walks by LT for each of several values and merges the walks. conditions are those of one walk, for a row of v.
func (q *mergedScan) scans(s *sqlbuild.Statement, l *sqlbuild.List, columns string, values scanValues, conditions func(*sqlbuild.Statement)) {
	s.Add("SELECT "+columns+" FROM (SELECT w.* FROM "+values.from+" CROSS JOIN LATERAL (", values.args...)
	along := func(head string) {
		s.From(head)
		conditions(s)
		q.Filter(s, q.utime, q.lt)
		sqlbuild.Present(s, q.FromLT, q.lt+" >= ?", sqlbuild.AsLT)
		sqlbuild.Present(s, q.ToLT, q.lt+" <= ?", sqlbuild.AsLT)
		q.BoundLT(s, q.lt)
		keys := *l
		if !q.HasUtime() {
			keys.Order = q.direct(l)
		}
		s.Keyset(&keys)
	}
	if !q.HasUtime() {
		along(q.head)
		s.OrderBy(q.direct(l)).Add(" LIMIT ?", l.Reach())
	} else {
		// The index is in the order of LTs and the list in that of times: the rows of the page lie among those up to the
		// time of the last one by LT, and a little after it.
		farthest, keep, bound, slack, none := "max", " <= ", sqlbuild.LTToUtime, " + 30", "0"
		if l.Direction() {
			farthest, keep, bound, slack, none = "min", " >= ", sqlbuild.LTFromUtime, " - 30", "4294967295"
		}
		s.Add("SELECT k.* FROM (SELECT COALESCE(" + farthest + "(h.at), " + none + ") AS at FROM (")
		along("SELECT " + q.utime + " AS at" + q.head[len(selectPart(q.head)):])
		s.OrderBy(q.direct(l)[:1]).Add(" LIMIT ?) h) edge CROSS JOIN LATERAL (", l.Reach())
		along(q.head)
		s.And("(" + q.utime + keep + "edge.at) IS TRUE")
		s.And(q.lt + sqlbuild.ReplaceMark(bound, "edge.at"+slack))
		s.Add(" OFFSET 0) k")
	}
	s.Add(") w) w")
	s.OrderBy(l.Order.On("w")).Window(l)
}

// selectPart is a statement up to its FROM.
func selectPart(head string) string {
	for i := range len(head) - 6 {
		if head[i:i+6] == " FROM " {
			return head[:i]
		}
	}
	return head
}

// direct is the order of a walk in the direction in which the list is read.
func (q *mergedScan) direct(l *sqlbuild.List) sqlbuild.Order {
	if l.Backward {
		return q.walk.Reversed()
	}
	return q.walk
}

// tracesByHash lists the traces that hashes name, and cuts the page from all. There are as many as the request names; but a contract may accept the same
// message any number of times, so the transactions of traces of messages are those of the page.
func (r *Reader) tracesByHash(ctx context.Context, f *chain.TraceFilter, p chain.Page, nodes traceNodes) ([]chain.Trace, error) {
	named := nodes
	if len(f.IDs) == 0 && len(f.MsgHashes) > 0 {
		named = nil
	}
	rows, err := r.tracesNamed(ctx, f, named)
	if err != nil {
		return nil, err
	}
	q := sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}
	rows = slices.DeleteFunc(rows, func(t chain.Trace) bool {
		return !q.Holds(t.EndUtime, t.EndLT) || f.McSeqno != nil && *f.McSeqno != t.McSeqnoEnd
	})
	slices.SortFunc(rows, func(a, b chain.Trace) int {
		by := cmp.Compare(a.EndLT, b.EndLT)
		if q.HasUtime() {
			by = cmp.Compare(a.EndUtime, b.EndUtime)
		}
		by = cmp.Or(by, bytes.Compare(a.ID[:], b.ID[:]))
		if p.Sort == chain.Descending {
			return -by
		}
		return by
	})
	rows = sqlbuild.PageOf(rows, p, func(t *chain.Trace, c *chain.Cursor) bool { return string(t.ID[:]) == c.Minor })
	if nodes == nil || named != nil {
		return rows, nil
	}
	return r.withNodes(ctx, rows, nodes)
}

// withNodes reads traces again, with the keys of their transactions. Broken ones, which are not stored, have none; others that are not there any more
// are left out.
func (r *Reader) withNodes(ctx context.Context, rows []chain.Trace, nodes traceNodes) ([]chain.Trace, error) {
	ids := make([]chain.Hash, 0, len(rows))
	for i := range rows {
		if rows[i].State != chain.TraceBroken {
			ids = append(ids, rows[i].ID)
		}
	}
	read, err := r.tracesByID(ctx, ids, nodes)
	if err != nil {
		return nil, err
	}
	byID := make(map[chain.Hash]*chain.Trace, len(read))
	for i := range read {
		byID[read[i].ID] = &read[i]
	}
	page := rows[:0]
	for i := range rows {
		if now := byID[rows[i].ID]; now != nil {
			page = append(page, *now)
		} else if rows[i].State == chain.TraceBroken {
			page = append(page, rows[i])
		}
	}
	return page, nil
}

// naming is a transaction that a hash names, with its trace, nil when it has none.
type naming struct {
	key   chain.TransactionKey
	trace *chain.Trace
}

// tracesNamed finds the traces that the hashes of f name, each once, in any order.
func (r *Reader) tracesNamed(ctx context.Context, f *chain.TraceFilter, nodes traceNodes) (traces []chain.Trace, err error) {
	text, hashes := nodes.texts().ByHash, f.TxHashes
	switch {
	case len(f.IDs) > 0:
		if traces, err = r.tracesByID(ctx, f.IDs, nodes); err != nil {
			return nil, err
		}
		hashes = slices.DeleteFunc(slices.Clone(f.IDs), func(id chain.Hash) bool {
			return slices.ContainsFunc(traces, func(t chain.Trace) bool { return t.ID == id })
		})
	case len(f.MsgHashes) > 0:
		text, hashes = nodes.texts().ByMessage, f.MsgHashes
	}
	if len(hashes) == 0 {
		return traces, nil
	}
	hashes = sqlbuild.Unique(hashes)
	rule := sqlbuild.EachFound[naming](len(hashes))
	if len(f.MsgHashes) > 0 && len(f.IDs) == 0 { // a hash can have any number of messages
		rule = func([]naming, sqlbuild.Moved) bool { return false }
	}
	found, err := sqlbuild.Covered(ctx, r.pool, "traces", len(hashes), rule, nodes.scanNaming, text, sqlbuild.HashArray(hashes))
	if err != nil {
		return nil, err
	}
	seen := make(map[chain.Hash]bool, len(found))
	var orphans []chain.TransactionKey
	for i := range found {
		switch t := found[i].trace; {
		case t == nil:
			orphans = append(orphans, found[i].key)
		case len(f.IDs) == 0 && !seen[t.ID]: // a transaction that is not its trace's root does not name it by id
			seen[t.ID] = true
			traces = append(traces, *t)
		}
	}
	broken, err := r.brokenTraces(ctx, orphans)
	if err != nil {
		return nil, err
	}
	for i := range broken {
		if len(f.IDs) == 0 || slices.Contains(f.IDs, broken[i].ID) {
			traces = append(traces, broken[i])
		}
	}
	return traces, nil
}

// TracesByID finds traces whose roots are indexed, in any order.
func (r *Reader) TracesByID(ctx context.Context, ids []chain.Hash) ([]chain.Trace, error) {
	return r.tracesByID(ctx, ids, nil)
}

func (r *Reader) tracesByID(ctx context.Context, ids []chain.Hash, nodes traceNodes) ([]chain.Trace, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ids = sqlbuild.Unique(ids)
	return sqlbuild.Covered(ctx, r.pool, "traces", len(ids), sqlbuild.EachFound[chain.Trace](len(ids)), nodes.scan, nodes.texts().ByID, sqlbuild.HashArray(ids))
}
