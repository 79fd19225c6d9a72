package store

import (
	"context"

	"tonql/internal/chain"
)

// actionOrder is by the end of the trace, its id, the end of the action, its id, all in the page's direction.
func actionOrder(sort chain.Sort, alias string) order {
	desc := sort == chain.Descending
	return order{
		{alias + ".trace_end_lt", desc, "?", bindMajor},
		{alias + ".trace_id", desc, "?", boundTraceID},
		{alias + ".end_lt", desc, "(SELECT c.end_lt FROM actions c WHERE c.trace_id = ? AND c.action_id = ?)", boundAction},
		{alias + ".action_id", desc, "?", boundActionID},
	}
}

// actionUtimeOrder is the same by times.
func actionUtimeOrder(sort chain.Sort) order {
	desc := sort == chain.Descending
	return order{
		{"a.trace_end_utime", desc, "(SELECT c.trace_end_utime FROM actions c WHERE c.trace_id = ? AND c.action_id = ?)", boundAction},
		{"a.trace_id", desc, "?", boundTraceID},
		{"a.end_utime", desc, "(SELECT c.end_utime FROM actions c WHERE c.trace_id = ? AND c.action_id = ?)", boundAction},
		{"a.action_id", desc, "?", boundActionID},
	}
}

const withTrace = ` JOIN traces t ON t.trace_id = a.trace_id`

// actionQuery is a filter on its way to a statement.
type actionQuery struct {
	*chain.ActionFilter
	fan
}

// Actions lists the actions that match f by the end of their trace in the page's direction, the trace's id, their own end
// and id; lists restricted in time by times instead of LTs.
func (r *Reader) Actions(ctx context.Context, f chain.ActionFilter, p chain.Page) ([]chain.Action, error) {
	if len(f.TxHashes) > 0 || len(f.MsgHashes) > 0 {
		if err := r.resolveActions(ctx, &f); err != nil || len(f.TraceIDs) == 0 {
			return nil, err
		}
	}
	s, l := actionsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "actions", l.limit, scanActionRow, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

// labelled is a transaction with the trace it belongs to, nil when that is not known.
type labelled struct {
	hash  chain.Hash
	trace *chain.Hash
}

func scanLabelled(r *row, l *labelled) {
	l.hash = r.hash()
	l.trace = r.setHash(new(chain.Hash))
}

const selectLabelsByHash = `SELECT t.hash, t.trace_id FROM unnest($1::bytea[]) h(hash) JOIN transactions t ON t.hash = h.hash`

// resolveActions turns hashes of transactions and messages into traces and the transactions that actions must cover.
func (r *Reader) resolveActions(ctx context.Context, f *chain.ActionFilter) error {
	text, hashes := selectLabelsByHash, f.TxHashes
	if len(f.MsgHashes) > 0 {
		text, hashes = selectBothByMessage, f.MsgHashes
	}
	found, err := collect(ctx, r.pool, "transactions", len(hashes), scanLabelled, text, hashArray(unique(hashes)))
	if err != nil {
		return err
	}
	covered := map[chain.Hash]bool{}
	for _, h := range f.TxHashes {
		covered[h] = true
	}
	narrow := len(f.TxHashes) > 0 && len(f.MsgHashes) > 0
	f.TxHashes, f.TraceIDs = nil, nil
	for i := range found {
		if found[i].trace != nil && (!narrow || covered[found[i].hash]) {
			f.TxHashes = append(f.TxHashes, found[i].hash)
			f.TraceIDs = append(f.TraceIDs, *found[i].trace)
		}
	}
	f.TraceIDs = unique(f.TraceIDs)
	return nil
}

// selectBothByMessage finds both the sender and the receiver of messages.
const selectBothByMessage = `SELECT t.hash, t.trace_id FROM (
	SELECT m.* FROM unnest($1::bytea[]) h(hash) JOIN messages m ON m.hash = h.hash
	UNION SELECT m.* FROM unnest($1::bytea[]) h(hash) JOIN messages m ON m.hash_norm = h.hash AND m.hash_norm IS NOT NULL) m
	CROSS JOIN LATERAL (SELECT m.destination AS account, m.dst_tx_lt AS lt WHERE m.dst_tx_lt IS NOT NULL
		UNION ALL SELECT m.account, m.src_tx_lt WHERE m.src_tx_lt IS NOT NULL) k
	JOIN transactions t ON t.account = k.account AND t.lt = k.lt`

func actionsStatement(f *chain.ActionFilter, p chain.Page) (*statement, list) {
	q := &actionQuery{ActionFilter: f, fan: fan{span: span{f.StartUtime, f.EndUtime, f.StartLT, f.EndLT}, utime: "a.trace_end_utime"}}
	q.order = actionOrder(p.Sort, "a")
	if q.hasUtime() {
		q.order = actionUtimeOrder(p.Sort)
	}
	l := newList(q.order, p)
	s := &statement{}
	switch {
	case f.ByHash():
		s.fence(actionRowColumns, "a", func() { q.named(s, &l) })
		s.add(withTrace)
		return s.orderBy(l.order).window(&l), l
	case f.McSeqno != nil:
		s.fence(actionRowColumns, "a", func() {
			s.from("SELECT a.* FROM traces t JOIN actions a ON a.trace_id = t.trace_id")
			s.and("t.mc_seqno_end = ?", int64(*f.McSeqno)).and("t.pending = 0")
			q.account(s)
			q.conditions(s)
			s.keyset(&l)
		})
		s.add(withTrace)
		return s.orderBy(l.order).window(&l), l
	case f.Account != nil:
		q.head = "SELECT " + ownActionColumns + " FROM action_accounts k JOIN actions a ON a.trace_id = k.trace_id AND a.action_id = k.action_id"
		q.lt, q.walk = "k.trace_end_lt", actionOrder(p.Sort, "k")
		q.fanOut(s, &l, "unnest(?::bytea[])", [][]byte{f.Account.Bytes()}, func(s *statement) {
			s.and("k.account = v.value")
			q.types(s, "k.type")
			q.hidden(s)
		})
		return s, l
	case len(f.Types) > 0:
		q.head = "SELECT " + ownActionColumns + " FROM actions a"
		q.lt, q.walk = "a.trace_end_lt", actionOrder(p.Sort, "a")
		q.fanOut(s, &l, "unnest(?::text[])", unique(f.Types), func(s *statement) {
			s.and("a.type = v.value")
			q.excluded(s, "a.type")
			q.hidden(s)
		})
		return s, l
	default:
		s.add("SELECT " + actionRowColumns + " FROM (")
		s.from("SELECT a.* FROM actions a")
		q.types(s, "a.type")
		q.hidden(s)
		q.restrict(s, "a.trace_end_utime", "a.trace_end_lt")
		if q.hasUtime() {
			q.boundUtime(s, "a.trace_end_utime")
		}
		s.keyset(&l)
		s.orderBy(l.order).window(&l).add(") a")
		s.add(withTrace)
		return s.orderBy(l.order), l
	}
}

// fanOut is the walks of legs, with what the trace adds to the rows of the page.
func (q *actionQuery) fanOut(s *statement, l *list, unnest string, values any, conditions func(*statement)) {
	s.add("SELECT " + actionRowColumns + " FROM (")
	q.legsOf(s, l, "w.*", unnest, values, conditions) // ends with the page's window, which is fence enough
	s.add(") a" + withTrace)
	s.orderBy(l.order)
}

// named reads the actions that ids name, or of the traces that they name.
func (q *actionQuery) named(s *statement, l *list) {
	if len(q.IDs) > 0 {
		s.from("SELECT a.* FROM unnest(?::bytea[]) i(action_id) JOIN actions a ON a.action_id = i.action_id", hashArray(unique(q.IDs)))
	} else {
		s.from("SELECT a.* FROM unnest(?::bytea[]) i(trace_id) JOIN actions a ON a.trace_id = i.trace_id", hashArray(unique(q.TraceIDs)))
		if len(q.TxHashes) > 0 {
			s.and("EXISTS (SELECT 1 FROM unnest(?::bytea[]) h WHERE position(h IN a.tx_hashes) > 0)", hashArray(q.TxHashes))
		}
		q.account(s)
	}
	if q.McSeqno != nil {
		s.and("EXISTS (SELECT 1 FROM traces t WHERE t.trace_id = a.trace_id AND t.mc_seqno_end = ?)", int64(*q.McSeqno))
	}
	q.conditions(s)
	s.keyset(l)
}

// account filters rows that were found otherwise.
func (q *actionQuery) account(s *statement) {
	if q.Account != nil {
		s.and("position(?::bytea IN a.accounts) > 0", q.Account.Bytes())
	}
}

// conditions are those on types and ranges, none with a claim to an index.
func (q *actionQuery) conditions(s *statement) {
	q.types(s, "a.type")
	q.hidden(s)
	q.filter(s, "a.trace_end_utime", "a.trace_end_lt")
}

// types keeps the types asked for, or else those that the client understands.
func (q *actionQuery) types(s *statement, column string) {
	wanted := q.Types
	if len(wanted) == 0 {
		wanted = q.supported()
	}
	s.and("("+column+" = ANY(?)) IS TRUE", wanted)
	q.excluded(s, column)
}

func (q *actionQuery) excluded(s *statement, column string) {
	if len(q.ExcludeTypes) > 0 {
		s.and("("+column+" <> ALL(?)) IS TRUE", q.ExcludeTypes)
	}
}

// hidden leaves out the parts of actions that the client understands.
func (q *actionQuery) hidden(s *statement) { s.and("NOT a.ancestors && ?::text[]", q.supported()) }

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
	l := list{}
	s := &statement{}
	s.fence(actionRowColumns, "a", func() { q.named(s, &l) })
	s.add(withTrace).add(" ORDER BY a.start_lt, a.end_lt, a.action_id")
	rows, err := collect(ctx, r.pool, "actions", len(ids), scanActionRow, s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	return group(rows, func(a *chain.Action) chain.Hash { return a.TraceID }), nil
}
