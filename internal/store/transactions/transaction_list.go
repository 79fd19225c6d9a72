package transactions

import (
	"bytes"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Orders of lists of transactions. The account decides ties and ascends whatever the direction, as the published
// service has it.
func transactionOrder(sort chain.Sort) sqlbuild.Order {
	return sqlbuild.Order{
		{Column: "t.lt", Desc: sort == chain.Descending, At: "?", Bind: sqlbuild.BindMajor},
		{Column: "t.account", Desc: false, At: "?", Bind: sqlbuild.BindMinor},
	}
}

// utimeOrder is the order of lists restricted in time.
func utimeOrder(sort chain.Sort) sqlbuild.Order {
	now := sqlbuild.Term{Column: "t.now", Desc: sort == chain.Descending, At: "(SELECT c.now FROM transactions c WHERE c.account = ? AND c.lt = ?)", Bind: sqlbuild.BindKey}
	return append(sqlbuild.Order{now}, transactionOrder(sort)...)
}

// atLTOrder is the order of transactions of one LT.
func atLTOrder(sort chain.Sort) sqlbuild.Order {
	return sqlbuild.Order{{Column: "t.account", Desc: sort == chain.Descending, At: "?", Bind: sqlbuild.BindMinor}}
}

// Transactions lists the transactions that match f by LT in the page's direction, then account. Lists restricted in
// time go by time first, transactions of one LT by account, transactions by hash by hash, both in the page's direction.
func (r *Reader) Transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	if len(f.Hashes) > 0 {
		return r.transactionsAmong(ctx, &f, p)
	}
	if f.Message.Any() {
		return r.transactionsOfMessages(ctx, &f, p)
	}
	s, l := ListStatement(&f, p)
	rows, err := r.collect(ctx, "transactions", l.Limit, sqlbuild.InOrder(&l, boundsOf(&f), 1, position), s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// boundsOf returns the part of the index in which the rows of a filter are.
func boundsOf(f *chain.TransactionFilter) sqlbuild.Bounds {
	within := sqlbuild.Bounds{Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}, McSeqno: f.McSeqno}
	if f.LT != nil {
		within.FromLT, within.ToLT = f.LT, f.LT
	}
	return within
}

// position is the place of a transaction in lists.
func position(t *chain.Transaction) (lt uint64, utime uint32) { return t.LT, t.Now }

// ListStatement returns the statement of [Reader.Transactions], and its page.
func ListStatement(f *chain.TransactionFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	q := newTransactionQuery(f)
	l := sqlbuild.NewList(q.order(p.Sort), p)
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

// transactionQuery builds the statement of a filter.
type transactionQuery struct {
	*chain.TransactionFilter
	sqlbuild.Span

	accounts []chain.Address
}

func newTransactionQuery(f *chain.TransactionFilter) *transactionQuery {
	return &transactionQuery{
		TransactionFilter: f, Span: sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT},
		accounts: sqlbuild.Unique(f.Accounts),
	}
}

func (q *transactionQuery) order(sort chain.Sort) sqlbuild.Order {
	switch {
	case q.LT != nil:
		return atLTOrder(sort)
	case q.HasUtime() && len(q.accounts) != 1: // along one account time never decreases
		return utimeOrder(sort)
	default:
		return transactionOrder(sort)
	}
}

// all writes every condition but hashes and those on messages, none of them with a claim to an index.
func (q *transactionQuery) all(s *sqlbuild.Statement) {
	sqlbuild.Present(s, q.McSeqno, "(t.mc_seqno = ?) IS TRUE", sqlbuild.AsInt8[uint32])
	if len(q.accounts) > 0 {
		s.And("(t.account = ANY(?)) IS TRUE", sqlbuild.AddressArray(q.accounts))
	}
	q.located(s)
}

// pointed reports whether the filter names a block, or one LT, whose transactions are few enough to be sorted.
func (q *transactionQuery) pointed() bool {
	return q.McSeqno != nil || q.Seqno != nil || q.LT != nil && len(q.accounts) == 0
}

// point reads all that matches in the named blocks, found through the masterchain blocks that committed them, or at one
// LT.
func (q *transactionQuery) point(l *sqlbuild.List) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	s.Fence(TransactionColumns, "t", func() {
		s.From("SELECT t.* FROM transactions t")
		switch {
		case q.McSeqno != nil:
			s.And("t.mc_seqno = ?", int64(*q.McSeqno))
		case q.Seqno != nil:
			q.committedBy(s)
		default:
			s.And("t.lt = ?", sqlbuild.AsLT(*q.LT))
		}
		q.filters(s)
		if len(q.accounts) > 0 {
			s.And("(t.account = ANY(?)) IS TRUE", sqlbuild.AddressArray(q.accounts))
		}
		s.Keyset(l)
	})
	return s.OrderBy(l.Order).Window(l)
}

// committedBy finds blocks with a seqno through the masterchain blocks that committed them.
func (q *transactionQuery) committedBy(s *sqlbuild.Statement) {
	s.And("t.mc_seqno = ANY(ARRAY(SELECT e.mc_seqno FROM blocks e WHERE e.seqno = ?", int64(*q.Seqno))
	if q.Workchain != nil {
		s.Add(" AND e.workchain = ?", *q.Workchain)
	}
	if q.Shard != nil {
		s.Add(" AND e.shard = ?", int64(*q.Shard))
	}
	s.Add("))")
}

// filters writes every condition but hashes, accounts and the masterchain block's, none of them with a claim to an index.
func (q *transactionQuery) filters(s *sqlbuild.Statement) {
	q.located(s)
	q.message(s)
}

func (q *transactionQuery) located(s *sqlbuild.Statement) {
	sqlbuild.Present(s, q.Seqno, "t.block_seqno = ?", sqlbuild.AsInt8[uint32])
	sqlbuild.Present(s, q.Shard, "t.shard = ?", sqlbuild.AsShard)
	sqlbuild.Present(s, q.Workchain, "get_byte(t.account, 0) = ?", func(v int32) any { return v + 128 })
	sqlbuild.Present(s, q.LT, "(t.lt = ?) IS TRUE", sqlbuild.AsLT)
	q.Filter(s, "t.now", "t.lt")
	q.exclude(s)
}

// plain is one walk along the index that suits the order: of the account, all LTs or all times. With an offset it walks
// over keys first, which are in the index, and fetches only the rows of the page.
func (q *transactionQuery) plain(l *sqlbuild.List) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	if l.Offset == 0 {
		s.From("SELECT " + TransactionColumns + " FROM transactions t")
		q.conditions(s, l)
		return s.OrderBy(l.Order).Window(l)
	}
	if q.byLTAlone(l) {
		return s.SkipByFirst(TransactionColumns, "transactions t", "", l, func() { q.residual(s) })
	}
	return writeRowsOf(s, l, func() {
		s.From("SELECT t.account, t.lt FROM transactions t")
		q.conditions(s, l)
		s.OrderBy(l.Order).Window(l)
	})
}

// byLTAlone reports whether the list is in the order of LTs and has no conditions but on them.
func (q *transactionQuery) byLTAlone(l *sqlbuild.List) bool {
	return len(q.accounts) == 0 && len(q.ExcludeAccounts) == 0 && q.Workchain == nil && q.Shard == nil && q.LT == nil &&
		!q.HasUtime() && l.After == nil && l.Before == nil && !q.Message.Any()
}

// writeRowsOf fetches the transactions whose keys write selects, and puts them in order.
func writeRowsOf(s *sqlbuild.Statement, l *sqlbuild.List, write func()) *sqlbuild.Statement {
	return s.RowsOf(TransactionColumns, "transactions", "t", []string{"account", "lt"}, l, write)
}

func (q *transactionQuery) conditions(s *sqlbuild.Statement, l *sqlbuild.List) {
	if len(q.accounts) == 1 {
		s.And("t.account = ?", q.accounts[0].Bytes())
		q.BoundLT(s, "t.lt")
	}
	q.place(s)
	q.residual(s)
	if l.Order[0].Column == "t.now" {
		q.BoundUtime(s, "t.now")
	}
	s.Keyset(l)
}

// place restricts to a shard or a workchain.
func (q *transactionQuery) place(s *sqlbuild.Statement) {
	sqlbuild.Present(s, q.Shard, "t.shard = ?", sqlbuild.AsShard)
	if q.Workchain != nil {
		low, high := workchainBounds(*q.Workchain)
		s.And("t.account >= ?", low).And("t.account < ?", high)
	}
	if len(q.accounts) == 0 {
		RequireShard(s, q.Workchain, q.Shard)
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
func (q *transactionQuery) residual(s *sqlbuild.Statement) {
	sqlbuild.Present(s, q.LT, "t.lt = ?", sqlbuild.AsLT)
	q.Restrict(s, "t.now", "t.lt")
	q.exclude(s)
	q.message(s)
}

func (q *transactionQuery) exclude(s *sqlbuild.Statement) {
	if len(q.ExcludeAccounts) > 0 {
		s.And("t.account <> ALL(?)", sqlbuild.AddressArray(sqlbuild.Unique(q.ExcludeAccounts)))
	}
}

// merged is one walk for each of several accounts, merged: as many keys as the page reaches from each, then the rows of
// the page.
func (q *transactionQuery) merged(l *sqlbuild.List) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	return writeRowsOf(s, l, func() {
		s.Add("SELECT t.account, t.lt FROM unnest(?::bytea[]) a(account) CROSS JOIN LATERAL (", sqlbuild.AddressArray(q.accounts))
		s.From("SELECT t.account, t.lt, t.now FROM transactions t").And("t.account = a.account")
		q.BoundLT(s, "t.lt")
		sqlbuild.Present(s, q.Shard, "t.shard = ?", sqlbuild.AsShard)
		sqlbuild.Present(s, q.Workchain, "get_byte(t.account, 0) = ?", func(v int32) any { return v + 128 })
		q.residual(s)
		s.Keyset(l)
		s.OrderBy(sqlbuild.Order{{Column: "t.lt", Desc: l.Direction()}}).Add(" LIMIT ?", l.Reach()).Add(") t")
		s.OrderBy(l.Order).Window(l)
	})
}

// alongShard walks the blocks of one shard that hold transactions; seqno, time and LT grow together there.
func (q *transactionQuery) alongShard(l *sqlbuild.List) *sqlbuild.Statement {
	s := &sqlbuild.Statement{}
	return writeRowsOf(s, l, func() {
		s.Add("SELECT t.account, t.lt FROM blocks b CROSS JOIN LATERAL (").From("SELECT t.account, t.lt, t.now FROM transactions t")
		s.And("t.mc_seqno = b.mc_seqno AND t.shard = b.shard AND t.block_seqno = b.seqno AND get_byte(t.account, 0) = b.workchain + 128")
		q.Filter(s, "t.now", "t.lt")
		q.exclude(s)
		q.message(s)
		s.Keyset(l)
		s.From(" OFFSET 0) t")
		s.And("b.workchain = ?", *q.Workchain).And("b.shard = ?", int64(*q.Shard)).And("b.tx_count > 0")
		q.seqnoBounds(s)
		q.seqnoAtCursors(s, l)
		s.OrderBy(append(sqlbuild.Order{{Column: "b.seqno", Desc: l.Direction()}}, l.Order...)).Window(l)
	})
}

// seqnoBounds translates ranges of time and LT into a range of the shard's seqnos.
func (q *transactionQuery) seqnoBounds(s *sqlbuild.Statement) {
	first := func(comparison, direction string, value any) {
		s.Add("(SELECT e.seqno FROM blocks e WHERE (e.workchain = ? AND e.shard = ?) IS TRUE AND e.gen_utime ",
			*q.Workchain, int64(*q.Shard)).Add(comparison, value).Add(" ORDER BY e.gen_utime" + direction + " LIMIT 1)")
	}
	if q.FromUtime != nil {
		s.And("b.seqno >= COALESCE(")
		first("< ?", " DESC", int64(*q.FromUtime))
		s.Add(", 0)")
	}
	if q.ToUtime != nil {
		s.And("b.seqno <= COALESCE(")
		first("> ?", "", int64(*q.ToUtime))
		s.Add(", 4294967295)")
	}
	if q.FromLT != nil {
		s.And("b.seqno >= COALESCE(")
		first("< (SELECT COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt <= ? ORDER BY e.start_lt DESC LIMIT 1), 0) - 30)",
			" DESC", sqlbuild.AsLT(*q.FromLT))
		s.Add(", 0)")
	}
	if q.ToLT != nil {
		s.And("b.seqno <= COALESCE(")
		first("> (SELECT COALESCE((SELECT e.gen_utime FROM blocks e WHERE e.start_lt >= ? ORDER BY e.start_lt LIMIT 1), 4294967295) + 30)",
			"", sqlbuild.AsLT(*q.ToLT))
		s.Add(", 4294967295)")
	}
}

// seqnoAtCursors starts the walk at the cursor's block.
func (q *transactionQuery) seqnoAtCursors(s *sqlbuild.Statement, l *sqlbuild.List) {
	const seqno = "(SELECT c.block_seqno FROM transactions c WHERE c.account = ? AND c.lt = ?)"
	o := sqlbuild.Term{Column: "b.seqno", Desc: l.Direction()}
	if l.After != nil {
		s.And(o.Column+o.Operator()+"= "+seqno, sqlbuild.BindKey(l.After)...)
	}
	if l.Before != nil {
		o.Desc = !o.Desc
		s.And(o.Column+o.Operator()+"= "+seqno, sqlbuild.BindKey(l.Before)...)
	}
}

// transactionsAmong lists transactions given by hash, in the order of hashes. There are as many as the request names, so
// the page is cut from all of them.
func (r *Reader) transactionsAmong(ctx context.Context, f *chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	s := AmongStatement(f)
	found := sqlbuild.EachFound[chain.Transaction](len(sqlbuild.Unique(f.Hashes)))
	rows, err := r.collect(ctx, "transactions", len(f.Hashes), found, s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b chain.Transaction) int {
		if p.Sort == chain.Descending {
			a, b = b, a
		}
		return bytes.Compare(a.Hash[:], b.Hash[:])
	})
	return sqlbuild.PageOf(rows, p, func(t *chain.Transaction, c *chain.Cursor) bool {
		return t.LT == c.Major && bytes.Equal(t.Account.Bytes(), sqlbuild.MinorAddress(c))
	}), nil
}

// AmongStatement returns the statement of transactions given by hash.
func AmongStatement(f *chain.TransactionFilter) *sqlbuild.Statement {
	q := newTransactionQuery(f)
	s := &sqlbuild.Statement{}
	if hashes := sqlbuild.Unique(f.Hashes); len(hashes) == 1 {
		s.From("SELECT "+TransactionColumns+" FROM transactions t").And(sqlbuild.HashKey("t.hash")+" = ? AND t.hash = ?", hashes[0][:sqlbuild.HashKeyBytes], hashes[0][:])
	} else {
		s.From("SELECT "+TransactionColumns+" FROM unnest(?::bytea[]) h(hash) JOIN transactions t ON "+sqlbuild.EqualHash("t.hash", "h.hash"),
			sqlbuild.HashArray(hashes))
	}
	if len(f.Accounts) > 0 {
		s.And("(t.account = ANY(?)) IS TRUE", sqlbuild.AddressArray(f.Accounts))
	}
	sqlbuild.Present(s, q.McSeqno, "(t.mc_seqno = ?) IS TRUE", sqlbuild.AsInt8[uint32])
	q.filters(s)
	return s
}
