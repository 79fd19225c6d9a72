package store

import (
	"bytes"
	"context"
	"slices"

	"tonql/internal/chain"
)

// Orders of lists of transactions. The account decides ties and ascends whatever the direction, as the published
// service has it.
func transactionOrder(sort chain.Sort) order {
	return order{
		{"t.lt", sort == chain.Descending, "?", bindMajor},
		{"t.account", false, "?", bindMinor},
	}
}

// utimeOrder is the order of lists restricted in time.
func utimeOrder(sort chain.Sort) order {
	now := term{"t.now", sort == chain.Descending, "(SELECT c.now FROM transactions c WHERE c.account = ? AND c.lt = ?)", bindKey}
	return append(order{now}, transactionOrder(sort)...)
}

// atLTOrder is the order of transactions of one LT.
func atLTOrder(sort chain.Sort) order {
	return order{{"t.account", sort == chain.Descending, "?", bindMinor}}
}

// Transactions lists the transactions that match f by LT in the page's direction, then account. Lists restricted in
// time go by time first, transactions of one LT by account, transactions by hash by hash, both in the page's direction.
func (r *Reader) Transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	if len(f.Hashes) > 0 {
		return r.transactionsAmong(ctx, &f, p)
	}
	s, l := transactionsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "transactions", l.limit, scanTransaction, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func transactionsStatement(f *chain.TransactionFilter, p chain.Page) (*statement, list) {
	q := &transactionQuery{TransactionFilter: f, span: span{f.StartUtime, f.EndUtime, f.StartLT, f.EndLT}}
	q.accounts = unique(f.Accounts)
	o := transactionOrder(p.Sort)
	switch {
	case f.LT != nil:
		o = atLTOrder(p.Sort)
	case q.hasUtime() && len(q.accounts) != 1: // along one account time never decreases
		o = utimeOrder(p.Sort)
	}
	l := newList(o, p)
	switch {
	case q.pointed():
		return q.point(&l), l
	case len(q.accounts) > 1:
		return q.merged(&l), l
	case f.Workchain != nil && f.Shard != nil && len(q.accounts) == 0:
		return q.alongShard(&l), l
	default:
		return q.plain(&l), l
	}
}

// transactionQuery is a filter on its way to a statement.
type transactionQuery struct {
	*chain.TransactionFilter
	span

	accounts []chain.Address
}

// pointed says that the filter names a block, or one LT, whose transactions are few enough to be sorted.
func (q *transactionQuery) pointed() bool {
	return q.McSeqno != nil || q.Seqno != nil || q.LT != nil && len(q.accounts) == 0
}

// point reads all that matches in the named blocks, found through the masterchain blocks that committed them, or at one
// LT.
func (q *transactionQuery) point(l *list) *statement {
	s := &statement{}
	s.fence(transactionColumns, "t", func() {
		s.from("SELECT t.* FROM transactions t")
		switch {
		case q.McSeqno != nil:
			s.and("t.mc_seqno = ?", int64(*q.McSeqno))
		case q.Seqno != nil:
			q.committedBy(s)
		default:
			s.and("t.lt = ?", asLT(*q.LT))
		}
		q.filters(s)
		if len(q.accounts) > 0 {
			s.and("(t.account = ANY(?)) IS TRUE", addressArray(q.accounts))
		}
		s.keyset(l)
	})
	return s.orderBy(l.order).window(l)
}

// committedBy finds blocks with a seqno through the masterchain blocks that committed them.
func (q *transactionQuery) committedBy(s *statement) {
	s.and("t.mc_seqno = ANY(ARRAY(SELECT e.mc_seqno FROM blocks e WHERE e.seqno = ?", int64(*q.Seqno))
	if q.Workchain != nil {
		s.add(" AND e.workchain = ?", *q.Workchain)
	}
	if q.Shard != nil {
		s.add(" AND e.shard = ?", int64(*q.Shard))
	}
	s.add("))")
}

// filters writes every condition but hashes, accounts and the masterchain block's, none of them with a claim to an index.
func (q *transactionQuery) filters(s *statement) {
	present(s, q.Seqno, "t.block_seqno = ?", asInt8[uint32])
	present(s, q.Shard, "t.shard = ?", asShard)
	present(s, q.Workchain, "get_byte(t.account, 0) = ?", func(v int32) any { return v + 128 })
	present(s, q.LT, "(t.lt = ?) IS TRUE", asLT)
	q.filter(s, "t.now", "t.lt")
	q.exclude(s)
}

// plain is one walk along the index that suits the order: of the account, all LTs or all times. With an offset it walks
// over keys first, which are in the index, and fetches only the rows of the page.
func (q *transactionQuery) plain(l *list) *statement {
	s := &statement{}
	if l.offset == 0 {
		s.from("SELECT " + transactionColumns + " FROM transactions t")
		q.conditions(s, l)
		return s.orderBy(l.order).window(l)
	}
	return writeRowsOf(s, l, func() {
		s.from("SELECT t.account, t.lt FROM transactions t")
		q.conditions(s, l)
		s.orderBy(l.order).window(l)
	})
}

// writeRowsOf fetches the transactions whose keys write selects, and puts them in order.
func writeRowsOf(s *statement, l *list, write func()) *statement {
	s.fence(transactionColumns, "t", func() {
		s.add("SELECT t.* FROM (")
		write()
		s.add(") k JOIN transactions t ON t.account = k.account AND t.lt = k.lt")
	})
	return s.orderBy(l.order)
}

func (q *transactionQuery) conditions(s *statement, l *list) {
	if len(q.accounts) == 1 {
		s.and("t.account = ?", q.accounts[0].Bytes())
		q.boundLT(s, "t.lt")
	}
	q.place(s)
	q.residual(s)
	if l.order[0].column == "t.now" {
		q.boundUtime(s, "t.now")
	}
	s.keyset(l)
}

// place restricts to a shard or a workchain.
func (q *transactionQuery) place(s *statement) {
	present(s, q.Shard, "t.shard = ?", asShard)
	if q.Workchain != nil {
		low, high := workchainBounds(*q.Workchain)
		s.and("t.account >= ?", low).and("t.account < ?", high)
	}
	if len(q.accounts) == 0 {
		gateShard(s, q.Workchain, q.Shard)
	}
}

// workchainBounds are the addresses between which a workchain's lie: the first is its own, the second is not.
func workchainBounds(workchain int32) (low, high []byte) {
	if workchain < -128 || workchain > 127 {
		return []byte{0xff, 0xff}, []byte{0} // no such address
	}
	b := byte(workchain + 128)
	if b == 0xff {
		return []byte{b}, bytes.Repeat([]byte{b}, chain.AddressSize+1)
	}
	return []byte{b}, []byte{b + 1}
}

// residual writes the conditions that no index serves by itself.
func (q *transactionQuery) residual(s *statement) {
	present(s, q.LT, "t.lt = ?", asLT)
	q.restrict(s, "t.now", "t.lt")
	q.exclude(s)
}

func (q *transactionQuery) exclude(s *statement) {
	if len(q.ExcludeAccounts) > 0 {
		s.and("t.account <> ALL(?)", addressArray(unique(q.ExcludeAccounts)))
	}
}

// merged is one walk for each of several accounts, merged: as many keys as the page reaches from each, then the rows of
// the page.
func (q *transactionQuery) merged(l *list) *statement {
	s := &statement{}
	return writeRowsOf(s, l, func() {
		s.add("SELECT t.account, t.lt FROM unnest(?::bytea[]) a(account) CROSS JOIN LATERAL (", addressArray(q.accounts))
		s.from("SELECT t.account, t.lt, t.now FROM transactions t").and("t.account = a.account")
		q.boundLT(s, "t.lt")
		present(s, q.Shard, "t.shard = ?", asShard)
		present(s, q.Workchain, "get_byte(t.account, 0) = ?", func(v int32) any { return v + 128 })
		q.residual(s)
		s.keyset(l)
		s.orderBy(order{{column: "t.lt", desc: l.direction()}}).add(" LIMIT ?", l.reach()).add(") t")
		s.orderBy(l.order).window(l)
	})
}

// alongShard walks the blocks of one shard that hold transactions; seqno, time and LT grow together there.
func (q *transactionQuery) alongShard(l *list) *statement {
	s := &statement{}
	return writeRowsOf(s, l, func() {
		s.add("SELECT t.account, t.lt FROM blocks b CROSS JOIN LATERAL (").from("SELECT t.account, t.lt, t.now FROM transactions t")
		s.and("t.mc_seqno = b.mc_seqno AND t.shard = b.shard AND t.block_seqno = b.seqno AND get_byte(t.account, 0) = b.workchain + 128")
		q.filter(s, "t.now", "t.lt")
		q.exclude(s)
		s.keyset(l)
		s.from(" OFFSET 0) t")
		s.and("b.workchain = ?", *q.Workchain).and("b.shard = ?", int64(*q.Shard)).and("b.tx_count > 0")
		q.seqnoBounds(s)
		q.seqnoAtCursors(s, l)
		s.orderBy(append(order{{column: "b.seqno", desc: l.direction()}}, l.order...)).window(l)
	})
}

// seqnoBounds turns ranges of time and LT into a range of the shard's seqnos.
func (q *transactionQuery) seqnoBounds(s *statement) {
	first := func(comparison, direction string, value any) {
		s.add("(SELECT e.seqno FROM blocks e WHERE (e.workchain = ? AND e.shard = ?) IS TRUE AND e.gen_utime ",
			*q.Workchain, int64(*q.Shard)).add(comparison, value).add(" ORDER BY e.gen_utime" + direction + " LIMIT 1)")
	}
	if q.startUtime != nil {
		s.and("b.seqno >= COALESCE(")
		first("< ?", " DESC", int64(*q.startUtime))
		s.add(", 0)")
	}
	if q.endUtime != nil {
		s.and("b.seqno <= COALESCE(")
		first("> ?", "", int64(*q.endUtime))
		s.add(", 4294967295)")
	}
	if q.startLT != nil {
		s.and("b.seqno >= COALESCE(")
		first("< (SELECT COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt <= ? ORDER BY e.start_lt DESC LIMIT 1), 0) - 30)",
			" DESC", asLT(*q.startLT))
		s.add(", 0)")
	}
	if q.endLT != nil {
		s.and("b.seqno <= COALESCE(")
		first("> (SELECT COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt >= ? ORDER BY e.start_lt LIMIT 1), 4294967295) + 30)",
			"", asLT(*q.endLT))
		s.add(", 4294967295)")
	}
}

// seqnoAtCursors starts the walk at the cursor's block.
func (q *transactionQuery) seqnoAtCursors(s *statement, l *list) {
	const seqno = "(SELECT c.block_seqno FROM transactions c WHERE c.account = ? AND c.lt = ?)"
	o := term{column: "b.seqno", desc: l.direction()}
	if l.after != nil {
		s.and(o.column+o.operator()+"= "+seqno, bindKey(l.after)...)
	}
	if l.before != nil {
		o.desc = !o.desc
		s.and(o.column+o.operator()+"= "+seqno, bindKey(l.before)...)
	}
}

// transactionsAmong lists transactions given by hash, in the order of hashes. There are as many as the request names, so
// the page is cut from all of them.
func (r *Reader) transactionsAmong(ctx context.Context, f *chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	s := amongStatement(f)
	rows, err := collect(ctx, r.pool, "transactions", len(f.Hashes), scanTransaction, s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b chain.Transaction) int {
		if p.Sort == chain.Descending {
			a, b = b, a
		}
		return bytes.Compare(a.Hash[:], b.Hash[:])
	})
	return cut(rows, p), nil
}

func amongStatement(f *chain.TransactionFilter) *statement {
	q := &transactionQuery{TransactionFilter: f, span: span{f.StartUtime, f.EndUtime, f.StartLT, f.EndLT}}
	s := &statement{}
	if hashes := unique(f.Hashes); len(hashes) == 1 {
		s.from("SELECT "+transactionColumns+" FROM transactions t").and("t.hash = ?", hashes[0][:])
	} else {
		s.from("SELECT "+transactionColumns+" FROM unnest(?::bytea[]) h(hash) JOIN transactions t ON t.hash = h.hash",
			hashArray(hashes))
	}
	if len(f.Accounts) > 0 {
		s.and("(t.account = ANY(?)) IS TRUE", addressArray(f.Accounts))
	}
	present(s, q.McSeqno, "(t.mc_seqno = ?) IS TRUE", asInt8[uint32])
	q.filters(s)
	return s
}

// cut takes a page out of all rows of a list.
func cut(rows []chain.Transaction, p chain.Page) []chain.Transaction {
	at := func(c *chain.Cursor) int {
		return slices.IndexFunc(rows, func(t chain.Transaction) bool {
			return t.LT == c.Major && bytes.Equal(t.Account.Bytes(), minorAddress(c))
		})
	}
	start, end := 0, len(rows)
	if p.After != nil {
		start = at(p.After) + 1
	}
	if p.Before != nil {
		if i := at(p.Before); i >= 0 {
			end = i
		}
	}
	rows = rows[min(start, end):end]
	limit := p.Limit
	if limit <= 0 {
		limit = maxRows
	}
	skip := min(max(p.Offset, 0), len(rows))
	if p.Backwards() {
		rows = rows[:len(rows)-skip]
		return rows[max(0, len(rows)-limit):]
	}
	rows = rows[skip:]
	return rows[:min(limit, len(rows))]
}
