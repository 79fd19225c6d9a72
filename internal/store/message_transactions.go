package store

import (
	"context"

	"tonql/internal/chain"
)

// deliveryMargin is by how many messages the order of creation may differ from the order of the transactions that sent
// or received them, for the pages of [Reader.TransactionsByMessage]: an opcode can have more messages than could be
// sorted.
const deliveryMargin = 256

// TransactionsByMessage lists the transactions that received (In) or sent (Out) a message that matches f, or both, by LT
// in the page's direction, then account; each once.
func (r *Reader) TransactionsByMessage(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Transaction, error) {
	q := newMessageQuery(&f)
	if q.impossible() {
		return nil, nil
	}
	if err := r.chooseLead(ctx, q); err != nil {
		return nil, err
	}
	s, l := q.transactions(p)
	rows, err := collect(ctx, r.pool, "transactions", l.limit, scanTransaction, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func (q *messageQuery) transactions(p chain.Page) (*statement, list) {
	l := newList(transactionOrder(p.Sort), p)
	s := &statement{}
	s.add("WITH hits AS MATERIALIZED (")
	const sides = "m.account, m.src_tx_lt, m.destination, m.dst_tx_lt"
	if len(q.Hashes) > 0 {
		s.fence(sides, "m", func() { q.among(s) })
		s.orderBy(order{{column: q.lt(), desc: l.order[0].desc}}).add(" LIMIT ?) ", l.reach()+deliveryMargin)
	} else {
		q.hits(s, &l, sides)
	}
	const received = "SELECT destination AS account, dst_tx_lt AS lt FROM hits WHERE dst_tx_lt IS NOT NULL"
	const sent = "SELECT account, src_tx_lt FROM hits WHERE src_tx_lt IS NOT NULL"
	writeRowsAmong(s, &l, func() {
		switch q.Direction {
		case chain.In:
			s.add(received + " GROUP BY 1, 2")
		case chain.Out:
			s.add("SELECT account, src_tx_lt AS lt FROM hits WHERE src_tx_lt IS NOT NULL GROUP BY 1, 2")
		case chain.Both:
			s.add(received + " UNION " + sent)
		}
	})
	s.orderBy(l.order).window(&l)
	return s, l
}

// hits walks along messages from where the page begins, and a little way back, since the order of transactions may differ
// by as much.
func (q *messageQuery) hits(s *statement, l *list, columns string) {
	lt := q.lt()
	forth := order{{column: lt, desc: l.order[0].desc}}
	walk := func(o order, from string, rows int64) {
		s.from("SELECT " + columns + " FROM messages m")
		q.conditions(s)
		q.boundLT(s, lt)
		if l.after != nil {
			s.and(lt+from+" ?", int64(l.after.Major))
		}
		s.orderBy(o).add(" LIMIT ?", rows)
	}
	if l.after == nil {
		walk(forth, "", l.reach()+deliveryMargin)
		s.add(") ")
		return
	}
	back := forth.reversed()
	s.add("(")
	walk(back, back[0].operator(), deliveryMargin)
	s.add(") UNION ALL (")
	walk(forth, forth[0].operator()+"=", l.reach()+deliveryMargin)
	s.add(")) ")
}

// writeRowsAmong is rowsOf for more keys than the page has rows.
func writeRowsAmong(s *statement, l *list, write func()) {
	s.fence(transactionColumns, "t", func() {
		s.add("SELECT t.* FROM (")
		write()
		s.from(") k JOIN transactions t ON t.account = k.account AND t.lt = k.lt")
		s.keyset(l)
	})
}
