package traces

import (
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// actionOrder is by the end of the trace, its id, the end of the action, its id, all in the page's direction.
func actionOrder(sort chain.Sort, alias string) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{
		{Column: alias + ".trace_end_lt", Desc: desc, At: "?", Bind: sqlbuild.BindMajor},
		{Column: alias + ".trace_id", Desc: desc, At: "?", Bind: boundTraceID},
		{Column: alias + ".end_lt", Desc: desc, At: "(SELECT c.end_lt FROM actions c WHERE " + ofAction + ")", Bind: boundAction},
		{Column: alias + ".action_id", Desc: desc, At: "?", Bind: boundActionID},
	}
}

// actionUtimeOrder is the same by times.
func actionUtimeOrder(sort chain.Sort) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{
		{Column: "a.trace_end_utime", Desc: desc, At: "(SELECT c.trace_end_utime FROM actions c WHERE " + ofAction + ")", Bind: boundAction},
		{Column: "a.trace_id", Desc: desc, At: "?", Bind: boundTraceID},
		{Column: "a.end_utime", Desc: desc, At: "(SELECT c.end_utime FROM actions c WHERE " + ofAction + ")", Bind: boundAction},
		{Column: "a.action_id", Desc: desc, At: "?", Bind: boundActionID},
	}
}

// alongIndex returns an order of rows with an alias as an index has it: after the end of the trace what indexes have of its id.
// The order of the rows is the same.
func alongIndex(o sqlbuild.Order, alias string) sqlbuild.Order {
	id := sqlbuild.Term{Column: sqlbuild.HashKey(alias + ".trace_id"), Desc: o[0].Desc, At: "?", Bind: boundIndexedID}
	return append(sqlbuild.Order{o[0], id}, o[1:]...)
}

// ofTrace is the condition that actions a belong to a trace t, whose end leads to them.
var ofTrace = "a.trace_end_lt = t.end_lt AND " + sqlbuild.HashKey("a.trace_id") + " = " + sqlbuild.HashKey("t.trace_id") + " AND (a.trace_id = t.trace_id) IS TRUE"

const withTrace = ` JOIN traces t ON t.trace_id = a.trace_id`

// actionQuery is a filter on its way to a statement.
type actionQuery struct {
	*chain.ActionFilter
	mergedScan
}

// Actions lists the actions that match f by the end of their trace in the page's direction, the trace's id, their own end
// and id; lists restricted in time by times instead of LTs.
func (r *Reader) Actions(ctx context.Context, f chain.ActionFilter, p chain.Page) ([]chain.Action, error) {
	if len(f.TxHashes) > 0 || len(f.MsgHashes) > 0 {
		if err := r.resolveActions(ctx, &f); err != nil || len(f.TraceIDs) == 0 {
			return nil, err
		}
	}
	lists := &AccountLists{}
	if f.Account != nil {
		var err error
		if lists, err = r.lists(ctx); err != nil {
			return nil, err
		}
	}
	s, l := lists.Actions(&f, p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}, McSeqno: f.McSeqno}, 1, actionEnd)
	switch {
	case len(f.IDs) > 0:
		rule = sqlbuild.EachFound[chain.Action](len(sqlbuild.Unique(f.IDs)))
	case f.ByHash():
		rule = nil
	}
	rows, err := collectActions(ctx, r, l.Limit, rule, s)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// actionEnd is the place of an action in lists.
func actionEnd(a *chain.Action) (lt uint64, utime uint32) { return a.TraceEndLT, a.TraceEndUtime }

// collectActions reads actions; a rule that is nil means that rows may always be missing.
func collectActions(ctx context.Context, r *Reader, limit int, rule sqlbuild.Rule[chain.Action], s *sqlbuild.Statement) ([]chain.Action, error) {
	var rows actionRows
	var found []chain.Action
	var err error
	if rule == nil {
		found, err = sqlbuild.Collect(ctx, r.pool, "actions", limit, rows.scan, s.Text.String(), s.Args...)
	} else {
		found, err = sqlbuild.Covered(ctx, r.pool, "actions", limit, rule, rows.scan, s.Text.String(), s.Args...)
	}
	if err != nil {
		return nil, err
	}
	return found, r.finishActions(ctx, &rows, func(i int) *chain.Action { return &found[i] })
}

// labelled is a transaction with the trace it belongs to, nil when that is not known.
type labelled struct {
	hash  chain.Hash
	trace *chain.Hash
}

func scanLabelled(r *sqlbuild.Row, l *labelled) {
	l.hash = r.Hash()
	l.trace = r.SetHash(new(chain.Hash))
}

var selectLabelsByHash = `SELECT t.hash, t.trace_id FROM unnest($1::bytea[]) h(hash) JOIN transactions t ON ` + sqlbuild.EqualHash("t.hash", "h.hash")

// resolveActions turns hashes of transactions and messages into the transactions that actions must cover, and their traces, of those
// that the filter names if it names any.
func (r *Reader) resolveActions(ctx context.Context, f *chain.ActionFilter) error {
	text, hashes := selectLabelsByHash, f.TxHashes
	if len(f.MsgHashes) > 0 {
		text, hashes = selectBothByMessage, f.MsgHashes
	}
	rule := sqlbuild.EachFound[labelled](len(sqlbuild.Unique(hashes)))
	if len(f.MsgHashes) > 0 { // a hash can have any number of messages
		rule = func([]labelled, sqlbuild.Moved) bool { return false }
	}
	found, err := sqlbuild.Covered(ctx, r.pool, "transactions", len(hashes), rule, scanLabelled, text, sqlbuild.HashArray(sqlbuild.Unique(hashes)))
	if err != nil {
		return err
	}
	covered := map[chain.Hash]bool{}
	for _, h := range f.TxHashes {
		covered[h] = true
	}
	narrow := len(f.TxHashes) > 0 && len(f.MsgHashes) > 0
	named := f.TraceIDs
	f.TxHashes, f.TraceIDs = nil, nil
	for i := range found {
		if found[i].trace == nil || len(named) > 0 && !slices.Contains(named, *found[i].trace) {
			continue
		}
		if !narrow || covered[found[i].hash] {
			f.TxHashes = append(f.TxHashes, found[i].hash)
			f.TraceIDs = append(f.TraceIDs, *found[i].trace)
		}
	}
	f.TraceIDs = sqlbuild.Unique(f.TraceIDs)
	return nil
}

// selectBothByMessage finds both the sender and the receiver of messages.
var selectBothByMessage = `SELECT t.hash, t.trace_id FROM (
	SELECT m.* FROM unnest($1::bytea[]) h(hash) JOIN messages m ON ` + sqlbuild.EqualHash("m.hash", "h.hash") + `
	UNION SELECT m.* FROM unnest($1::bytea[]) h(hash) JOIN messages m ON ` + sqlbuild.EqualHash("m.hash_norm", "h.hash") + ` AND m.hash_norm IS NOT NULL) m
	CROSS JOIN LATERAL (SELECT m.destination AS account, m.dst_tx_lt AS lt WHERE m.dst_tx_lt IS NOT NULL
		UNION ALL SELECT m.account, m.src_tx_lt WHERE m.src_tx_lt IS NOT NULL) k
	JOIN transactions t ON t.account = k.account AND t.lt = k.lt`

// Actions returns the statement of [Reader.Actions], and its page.
func (a *AccountLists) Actions(f *chain.ActionFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	q := &actionQuery{ActionFilter: f, mergedScan: mergedScan{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}, utime: "a.trace_end_utime"}}
	q.order = actionOrder(p.Sort, "a")
	if q.HasUtime() {
		q.order = actionUtimeOrder(p.Sort)
	}
	l := sqlbuild.NewList(q.order, p)
	s := &sqlbuild.Statement{}
	switch {
	case f.ByHash():
		s.Fence(actionRowColumns, "a", func() { q.named(s, &l) })
		s.Add(withTrace)
		return s.OrderBy(l.Order).Window(&l), l
	case f.McSeqno != nil:
		s.Fence(actionRowColumns, "a", func() {
			s.From("SELECT a.* FROM traces t JOIN actions a ON " + ofTrace)
			s.And("t.mc_seqno_end = ?", int64(*f.McSeqno)).And("t.pending = 0")
			q.account(s)
			q.conditions(s)
			s.Keyset(&l)
		})
		s.Add(withTrace)
		return s.OrderBy(l.Order).Window(&l), l
	case f.Account != nil && !a.replaced && !q.HasUtime():
		walk := sqlbuild.NewList(a.actionWalk(p.Sort), p)
		s.Add("SELECT " + actionRowColumns + " FROM (")
		s.From("SELECT a.* FROM " + a.actionRows())
		a.ofOneAction(s, q, f.Account)
		q.Restrict(s, "a.trace_end_utime", "k.trace_end_lt")
		s.Keyset(&walk)
		s.OrderBy(walk.Order).Window(&walk).Add(") a" + withTrace)
		return s.OrderBy(l.Order), l
	case f.Account != nil:
		q.head = "SELECT " + ownActionColumns + " FROM " + a.actionRows()
		q.lt, q.walk = "k.trace_end_lt", a.actionWalk(p.Sort)
		q.mergeScans(s, &l, a.values(*f.Account), func(s *sqlbuild.Statement) { a.ofActions(s, q) })
		return s, l
	case len(f.Types) > 0:
		q.head = "SELECT " + ownActionColumns + " FROM actions a"
		q.lt, q.walk = "(a.trace_end_lt + 0)", alongIndex(actionOrder(p.Sort, "a"), "a")
		q.walk[0].Column = q.lt // of the index of types alone
		q.mergeScans(s, &l, scanValues{"unnest(?::text[]) v(value)", []any{sqlbuild.Unique(f.Types)}}, func(s *sqlbuild.Statement) {
			s.And("hashtext(a.type) = hashtext(v.value)").And("(a.type = v.value) IS TRUE")
			q.excluded(s, "a.type")
			q.hidden(s)
		})
		return s, l
	default:
		walk := sqlbuild.NewList(alongIndex(q.order, "a"), p)
		s.Add("SELECT " + actionRowColumns + " FROM (")
		s.From("SELECT a.* FROM actions a")
		q.types(s, "a.type")
		q.hidden(s)
		q.Restrict(s, "a.trace_end_utime", "a.trace_end_lt")
		if q.HasUtime() {
			q.BoundUtime(s, "a.trace_end_utime")
		}
		s.Keyset(&walk)
		s.OrderBy(walk.Order).Window(&walk).Add(") a")
		s.Add(withTrace)
		return s.OrderBy(l.Order), l
	}
}

// mergeScans is the walks of legs, with what the trace adds to the rows of the page.
func (q *actionQuery) mergeScans(s *sqlbuild.Statement, l *sqlbuild.List, values scanValues, conditions func(*sqlbuild.Statement)) {
	s.Add("SELECT " + actionRowColumns + " FROM (")
	q.scans(s, l, "w.*", values, conditions) // ends with the page's window, which is fence enough
	s.Add(") a" + withTrace)
	s.OrderBy(l.Order)
}

// named reads the actions that ids name, or of the traces that they name, as far as the other fields match.
func (q *actionQuery) named(s *sqlbuild.Statement, l *sqlbuild.List) {
	if len(q.IDs) > 0 {
		s.From("SELECT a.* FROM unnest(?::bytea[]) i(action_id) JOIN actions a ON "+sqlbuild.EqualHash("a.action_id", "i.action_id"), sqlbuild.HashArray(sqlbuild.Unique(q.IDs)))
		if len(q.TraceIDs) > 0 {
			s.And("(a.trace_id = ANY(?)) IS TRUE", sqlbuild.HashArray(q.TraceIDs))
		}
	} else {
		s.From("SELECT a.* FROM unnest(?::bytea[]) i(trace_id) JOIN traces t ON t.trace_id = i.trace_id JOIN actions a ON "+ofTrace, sqlbuild.HashArray(sqlbuild.Unique(q.TraceIDs)))
	}
	if len(q.TxHashes) > 0 {
		s.And("EXISTS (SELECT 1 FROM unnest(?::bytea[]) h WHERE position(h IN a.tx_hashes) > 0)", sqlbuild.HashArray(q.TxHashes))
	}
	q.account(s)
	if q.McSeqno != nil {
		s.And("EXISTS (SELECT 1 FROM traces t WHERE t.trace_id = a.trace_id AND t.mc_seqno_end = ?)", int64(*q.McSeqno))
	}
	q.conditions(s)
	s.Keyset(l)
}

// account filters rows that were found otherwise.
func (q *actionQuery) account(s *sqlbuild.Statement) {
	if q.Account != nil {
		bindAccount(s, inAction, q.Account)
	}
}

// conditions are those on types and ranges, none with a claim to an index.
func (q *actionQuery) conditions(s *sqlbuild.Statement) {
	q.types(s, "a.type")
	q.hidden(s)
	q.Filter(s, "a.trace_end_utime", "a.trace_end_lt")
}

// wanted returns the requested types, or else those that the client understands.
func (q *actionQuery) wanted() []string {
	if len(q.Types) == 0 {
		return q.supported()
	}
	return q.Types
}

// types restricts to the wanted types.
func (q *actionQuery) types(s *sqlbuild.Statement, column string) {
	s.And("("+column+" = ANY(?)) IS TRUE", q.wanted())
	q.excluded(s, column)
}

func (q *actionQuery) excluded(s *sqlbuild.Statement, column string) {
	if len(q.ExcludeTypes) > 0 {
		s.And("("+column+" <> ALL(?)) IS TRUE", q.ExcludeTypes)
	}
}

// hidden leaves out the parts of actions that the client understands.
func (q *actionQuery) hidden(s *sqlbuild.Statement) {
	s.And("NOT a.ancestors && ?::text[]", q.supported())
}

func (q *actionQuery) supported() []string {
	if q.Supported == nil {
		return chain.ExpandActionTypes(nil)
	}
	return q.Supported
}

// ActionsOfTraces reads the actions of each trace by start LT, end LT and id, as far as a client that understands the
// supported types sees them.
func (r *Reader) ActionsOfTraces(ctx context.Context, ids []chain.Hash, supported []string) (map[chain.Hash][]chain.Action, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := &actionQuery{ActionFilter: &chain.ActionFilter{TraceIDs: ids, Supported: supported}}
	l := sqlbuild.List{}
	s := &sqlbuild.Statement{}
	s.Fence(actionRowColumns, "a", func() { q.named(s, &l) })
	s.Add(withTrace).Add(" ORDER BY a.start_lt, a.end_lt, a.action_id")
	// The traces were found: their actions are where they are.
	found, err := collectActions(sqlbuild.Checked(ctx), r, len(ids), nil, s)
	if err != nil {
		return nil, err
	}
	return sqlbuild.Group(found, func(a *chain.Action) chain.Hash { return a.TraceID }), nil
}
