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
	const sides = "m.account, m.src_tx_lt, m.destination, m.dst_tx_lt"
	if len(q.Hashes) > 0 {
		s.Fence(sides, "m", func() { q.among(s) })
		s.OrderBy(sqlbuild.Order{{Column: q.lt(), Desc: l.Order[0].Desc}}).Add(" LIMIT ?) ", l.Reach()+deliveryMargin)
	} else {
		q.hits(s, &l, sides)
	}
	const received = "SELECT destination AS account, dst_tx_lt AS lt FROM hits WHERE dst_tx_lt IS NOT NULL"
	const sent = "SELECT account, src_tx_lt FROM hits WHERE src_tx_lt IS NOT NULL"
	writeRowsAmong(s, &l, func() {
		switch q.Direction {
		case chain.In:
			s.Add(received + " GROUP BY 1, 2")
		case chain.Out:
			s.Add("SELECT account, src_tx_lt AS lt FROM hits WHERE src_tx_lt IS NOT NULL GROUP BY 1, 2")
		case chain.Both:
			s.Add(received + " UNION " + sent)
		}
	})
	s.OrderBy(l.Order).Window(&l)
	return s, l
}

// hits walks along messages from where the page begins, and a little way back, since the order of transactions may differ
// by as much.
func (q *MessageQuery) hits(s *sqlbuild.Statement, l *sqlbuild.List, columns string) {
	lt := q.lt()
	forth := sqlbuild.Order{{Column: lt, Desc: l.Order[0].Desc}}
	walk := func(o sqlbuild.Order, from string, rows int64) {
		s.From("SELECT " + columns + " FROM messages m")
		q.conditions(s)
		q.BoundLT(s, lt)
		if l.After != nil {
			s.And(lt+from+" ?", int64(l.After.Major))
		}
		s.OrderBy(o).Add(" LIMIT ?", rows)
	}
	if l.After == nil {
		walk(forth, "", l.Reach()+deliveryMargin)
		s.Add(") ")
		return
	}
	back := forth.Reversed()
	s.Add("(")
	walk(back, back[0].Operator(), deliveryMargin)
	s.Add(") UNION ALL (")
	walk(forth, forth[0].Operator()+"=", l.Reach()+deliveryMargin)
	s.Add(")) ")
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
