package transactions

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// deliveryMargin is by how many messages the order of creation may differ from the order of the transactions that sent
// or received them, for the pages of [Reader.TransactionsByMessage]: an opcode can have more messages than could be
// sorted.
const deliveryMargin = 256

// TransactionsByMessage lists the transactions that received (In) or sent (Out) a message that matches f, or both, by LT
// in the page's direction, then account; each once.
func (r *Reader) TransactionsByMessage(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Transaction, error) {
	q := NewMessageQuery(&f)
	if q.impossible() {
		return nil, nil
	}
	if err := r.ChooseLead(ctx, q); err != nil {
		return nil, err
	}
	s, l := q.Transactions(p)
	var rows []chain.Transaction
	var err error
	if len(f.Hashes) > 0 { // a hash can have any number of messages
		rows, err = r.Collect(ctx, "transactions", l.Limit, s.Text.String(), s.Args...)
	} else {
		rows, err = r.collect(ctx, "transactions", l.Limit, sqlbuild.InOrder(&l, sqlbuild.Bounds{Span: q.Span}, 1, position), s.Text.String(), s.Args...)
	}
	return sqlbuild.RestoreOrder(&l, rows), err
}

// Transactions returns the statement of a page of the transactions of messages.
func (q *MessageQuery) Transactions(p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	l := sqlbuild.NewList(transactionOrder(p.Sort), p)
	s := &sqlbuild.Statement{}
	s.Add("WITH hits AS MATERIALIZED (")
	if len(q.Hashes) > 0 {
		q.walk(s, walk{desc: l.Order[0].Desc, rows: q.rows(l.Reach()), matching: func(s *sqlbuild.Statement) { s.Keyset(&l) }})
	} else {
		q.hits(s, &l, nil)
	}
	writeHits(s, &l)
	return s, l
}

// writeHits ends the walks of a page with its rows.
func writeHits(s *sqlbuild.Statement, l *sqlbuild.List) {
	s.Add(") ")
	writeRowsAmong(s, l, func() { s.Add("SELECT account, lt FROM hits GROUP BY 1, 2") })
	s.OrderBy(l.Order).Window(l)
}

// hits walks along messages from where the page begins, and a little way back, since the order of transactions may differ
// by as much.
func (q *MessageQuery) hits(s *sqlbuild.Statement, l *sqlbuild.List, matching func(*sqlbuild.Statement)) {
	forth := sqlbuild.Term{Column: q.lt(), Desc: l.Order[0].Desc}
	if l.After == nil {
		q.walk(s, walk{desc: forth.Desc, rows: q.rows(l.Reach() + deliveryMargin), matching: matching})
		return
	}
	back := forth
	back.Desc = !back.Desc
	from := func(operator string) func(*sqlbuild.Statement) {
		return func(s *sqlbuild.Statement) { s.And(q.lt()+operator+" ?", int64(l.After.Major)) }
	}
	s.Add("(")
	q.walk(s, walk{desc: back.Desc, rows: q.rows(deliveryMargin), bound: from(back.Operator()), matching: matching})
	s.Add(") UNION ALL (")
	q.walk(s, walk{desc: forth.Desc, rows: q.rows(l.Reach() + deliveryMargin), bound: from(forth.Operator() + "="), matching: matching})
	s.Add(")")
}

// rows returns how many rows of a walk have n transactions: one can have received a message and sent one.
func (q *MessageQuery) rows(n int64) int64 {
	if q.Direction == chain.Both {
		return 2 * n
	}
	return n
}

// walk is a way along messages in the order of their LTs.
type walk struct {
	desc bool
	rows int64
	// bound and matching write conditions on the messages m and on their transactions t; nil for none.
	bound, matching func(*sqlbuild.Statement)
}

// walk reads the keys of the transactions of messages. Of the messages that one transaction sent only the first counts, so that a page of
// transactions that send hundreds each is complete.
func (q *MessageQuery) walk(s *sqlbuild.Statement, w walk) {
	s.Add("SELECT k.account, k.lt FROM (")
	if len(q.Hashes) > 0 {
		q.among(s)
		s.Add(" OFFSET 0) m")
	} else {
		s.From("SELECT m.account, m.lt, m.destination, m.src_tx_lt, m.dst_tx_lt, " + q.lt() + " AS place FROM messages m")
		q.conditions(s)
		q.BoundLT(s, q.lt())
		if w.bound != nil {
			w.bound(s)
		}
		s.OrderBy(sqlbuild.Order{{Column: q.lt(), Desc: w.desc}}).Add(" OFFSET 0) m")
	}
	s.Add(" CROSS JOIN LATERAL (")
	if q.Direction != chain.Out {
		s.Add("SELECT m.destination AS account, m.dst_tx_lt AS lt WHERE m.dst_tx_lt IS NOT NULL")
	}
	if q.Direction == chain.Both {
		s.Add(" UNION ALL ")
	}
	if q.Direction != chain.In {
		s.Add("SELECT m.account AS account, m.src_tx_lt AS lt WHERE m.src_tx_lt IS NOT NULL")
		q.firstOfTransaction(s)
	}
	s.Add(") k")
	if w.matching != nil {
		s.Add(" CROSS JOIN LATERAL (").From("SELECT FROM transactions t")
		s.And("t.account = k.account AND t.lt = k.lt")
		w.matching(s)
		s.Add(" OFFSET 0) t")
	}
	place := "m.place"
	if len(q.Hashes) > 0 {
		place = creationLT
	}
	s.OrderBy(sqlbuild.Order{{Column: place, Desc: w.desc}}).Add(" LIMIT ?", w.rows)
}

// firstOfTransaction restricts the messages m to the first one that its transaction sent of those that match. No two messages have a hash.
func (q *MessageQuery) firstOfTransaction(s *sqlbuild.Statement) {
	if len(q.Hashes) > 0 {
		return
	}
	s.Add(" AND NOT EXISTS (SELECT FROM (SELECT m.account AS sender, m.src_tx_lt AS sent, m.lt AS at) o")
	s.From(" CROSS JOIN messages m")
	s.And("m.account = o.sender AND m.lt > o.sent AND m.lt < o.at")
	q.plain(s)
	s.Add(")")
}

// plain writes all conditions on the messages m, none with a claim to an index.
func (q *MessageQuery) plain(s *sqlbuild.Statement) {
	if hashes := sqlbuild.Unique(q.Hashes); len(hashes) > 0 {
		array := sqlbuild.HashArray(hashes)
		s.And("(m.hash = ANY(?) OR m.hash_norm = ANY(?)) IS TRUE", array, array)
	}
	for _, l := range q.leads {
		s.And(l.plain, l.value)
	}
	q.kindConditions(s, true)
	q.Filter(s, "m.created_at", creationLT)
}

// writeRowsAmong is writeRowsOf for more keys than the page has rows.
func writeRowsAmong(s *sqlbuild.Statement, l *sqlbuild.List, write func()) {
	s.Fence(TransactionColumns, "t", func() {
		s.Add("SELECT t.* FROM (")
		write()
		s.From(") k JOIN transactions t ON t.account = k.account AND t.lt = k.lt")
		s.Keyset(l)
	})
}

// OfMessages returns the query of the messages of a filter of transactions, which the account of the filter narrows if it is the only one;
// false if no transaction matches.
func OfMessages(f *chain.TransactionFilter) (*MessageQuery, bool) {
	m := chain.MessageFilter{
		Hashes: f.Message.Hashes, BodyHash: f.Message.BodyHash, Opcode: f.Message.Opcode, Direction: f.Message.Direction,
		Source: f.Message.Source, Destination: f.Message.Destination,
	}
	if m.Opcode != nil {
		if m.Direction == chain.Out {
			return nil, false
		}
		m.Direction = chain.In
	}
	accounts := sqlbuild.Unique(f.Accounts)
	if len(accounts) != 1 {
		return NewMessageQuery(&m), true
	}
	a := &accounts[0]
	sender, receiver := m.Source == nil || *m.Source == *a, m.Destination == nil || *m.Destination == *a
	switch m.Direction {
	case chain.In:
		sender = false
	case chain.Out:
		receiver = false
	case chain.Both:
	}
	switch {
	case sender && receiver:
	case receiver:
		m.Direction, m.Destination = chain.In, a
	case sender:
		m.Direction, m.Source = chain.Out, a
	default:
		return nil, false
	}
	return NewMessageQuery(&m), true
}

// transactionsOfMessages lists transactions that received or sent a message that matches, in the order of [Reader.Transactions]. Where few
// messages match a condition it starts from them, otherwise from the account, block or time of the transactions, if they are restricted.
func (r *Reader) transactionsOfMessages(ctx context.Context, f *chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	q, ok := OfMessages(f)
	if !ok {
		return nil, nil
	}
	if err := r.ChooseWalk(ctx, f, q); err != nil {
		return nil, err
	}
	return r.transactionsOf(ctx, q, f, p)
}

// transactionsOf lists the transactions of a filter by the walk that was chosen.
func (r *Reader) transactionsOf(ctx context.Context, q *MessageQuery, f *chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	s, l, fromMessages := q.StatementOf(f, p)
	var rows []chain.Transaction
	var err error
	if fromMessages { // any number of messages can be of blocks elsewhere
		rows, err = r.Collect(ctx, "transactions", l.Limit, s.Text.String(), s.Args...)
	} else {
		rows, err = r.collect(ctx, "transactions", l.Limit, sqlbuild.InOrder(&l, boundsOf(f), 1, position), s.Text.String(), s.Args...)
	}
	return sqlbuild.RestoreOrder(&l, rows), err
}

// ChooseWalk makes the rarest condition on messages lead.
func (r *Reader) ChooseWalk(ctx context.Context, f *chain.TransactionFilter, q *MessageQuery) error {
	if len(q.Hashes) > 0 || len(q.leads) == 0 || blockOrLT(f) {
		return nil
	}
	return r.probeLeads(ctx, q)
}

// blockOrLT reports whether the filter names a block, or one LT.
func blockOrLT(f *chain.TransactionFilter) bool {
	return f.McSeqno != nil || f.Seqno != nil || f.LT != nil
}

// StatementOf returns the statement of a page of transactions, and whether it starts from messages.
func (q *MessageQuery) StatementOf(f *chain.TransactionFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List, bool) {
	everything := len(f.Accounts) == 0 && f.Workchain == nil && f.Shard == nil && f.StartUtime == nil && f.EndUtime == nil && f.StartLT == nil && f.EndLT == nil
	t := newTransactionQuery(f)
	switch {
	case len(q.Hashes) > 0, q.few:
		l := sqlbuild.NewList(t.order(p.Sort), p)
		s := &sqlbuild.Statement{}
		s.Add("WITH hits AS MATERIALIZED (")
		w := walk{desc: p.Sort == chain.Descending, rows: q.rows(probeDepth), matching: func(s *sqlbuild.Statement) { t.all(s); s.Keyset(&l) }}
		if len(q.Hashes) > 0 {
			w.rows = max(w.rows, q.rows(l.Reach()))
		}
		q.walk(s, w)
		writeHits(s, &l)
		return s, l, true
	case len(q.leads) > 0 && everything && !blockOrLT(f):
		l := sqlbuild.NewList(t.order(p.Sort), p)
		s := &sqlbuild.Statement{}
		s.Add("WITH hits AS MATERIALIZED (")
		q.hits(s, &l, t.all)
		writeHits(s, &l)
		return s, l, true
	default:
		s, l := ListStatement(f, p)
		return s, l, false
	}
}

// message restricts the transactions t to those that received or sent a message that matches.
func (q *transactionQuery) message(s *sqlbuild.Statement) {
	if !q.Message.Any() {
		return
	}
	m, ok := OfMessages(q.TransactionFilter)
	if !ok {
		s.And("false")
		return
	}
	if len(m.leads) == 0 && len(m.Hashes) == 0 {
		switch m.Direction {
		case chain.In:
			s.And("(t.in_msg_account IS NOT NULL) IS TRUE")
		case chain.Out:
			s.And("(t.out_msg_count > 0) IS TRUE")
		case chain.Both:
		}
		return
	}
	exists := func(between string) {
		s.Add("EXISTS (").From("SELECT FROM messages m").And(between)
		m.plain(s)
		s.Add(" OFFSET 0)")
		s.Continue()
	}
	s.And("(")
	if m.Direction != chain.Out {
		exists("m.account = t.in_msg_account AND m.lt = t.in_msg_lt")
	}
	if m.Direction == chain.Both {
		s.Add(" OR ")
	}
	if m.Direction != chain.In {
		exists("m.account = t.account AND m.lt > t.lt AND m.lt <= t.lt + t.out_msg_count")
	}
	s.Add(")")
}
