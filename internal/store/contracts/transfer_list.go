package contracts

import (
	"slices"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// transferTable is one of the tables of what contracts were ordered to do: transfers of Jettons and items, burns. They
// have the same lists.
type transferTable struct {
	table   string
	columns string // of t
	account string // columns of t: the contract that was ordered, which with tx_lt is the key
	sender  string // who ordered it
	target  string // who was to receive; empty for burns
	token   string // the Jetton or the collection
	always  string // a condition of every list and index; empty for none
}

var (
	jettonTransfersTable = transferTable{
		"jetton_transfers", jettonTransferColumns, "t.source_wallet", "t.source", "t.destination", "t.jetton", "NOT t.tx_aborted",
	}
	jettonBurnsTable  = transferTable{"jetton_burns", jettonBurnColumns, "t.jetton_wallet", "t.owner", "", "t.jetton", ""}
	nftTransfersTable = transferTable{"nft_transfers", nftTransferColumns, "t.nft", "t.old_owner", "t.new_owner", "t.collection", ""}
)

// transferQuery is a filter on its way to a statement.
type transferQuery struct {
	*transferTable
	sqlbuild.Span

	owners    []chain.Address
	accounts  []chain.Address
	asset     *chain.Address
	direction chain.TransferDirection
}

func newTransferQuery(t *transferTable, r chain.TransferRange, owners, accounts []chain.Address, asset *chain.Address,
	direction chain.TransferDirection,
) *transferQuery {
	return &transferQuery{
		transferTable: t, Span: sqlbuild.Span{FromUtime: r.StartUtime, ToUtime: r.EndUtime, FromLT: r.StartLT, ToLT: r.EndLT},
		owners: sqlbuild.Unique(owners), accounts: sqlbuild.Unique(accounts), asset: asset, direction: direction,
	}
}

// order is by LT in the page's direction, lists restricted in time by time first; the contract decides ties, upwards.
func (q *transferQuery) order(sort chain.Sort) sqlbuild.Order {
	desc := sort == chain.Descending
	o := sqlbuild.Order{{Column: "t.tx_lt", Desc: desc, At: "?", Bind: sqlbuild.BindMajor}, {Column: q.account, Desc: false, At: "?", Bind: sqlbuild.BindMinor}}
	if q.HasUtime() {
		at := "(SELECT c.tx_now FROM " + q.table + " c WHERE " + strings.Replace(q.account, "t.", "c.", 1) + " = ? AND c.tx_lt = ?)"
		o = append(sqlbuild.Order{{Column: "t.tx_now", Desc: desc, At: at, Bind: sqlbuild.BindKey}}, o...)
	}
	return o
}

// leg is one walk, or one for each of several values.
type leg struct {
	column string // that has the value
	values []chain.Address
	but    string // condition that leaves out what another leg finds
}

// walks are the walks whose union is the list; none for a walk over everything. Transfers of an owner without direction
// are two walks, of what was sent and of what was received from senders that were not requested.
func (q *transferQuery) walks() []leg {
	switch {
	case len(q.accounts) > 0:
		return []leg{{column: q.account, values: q.accounts}}
	case len(q.owners) > 0:
		out := leg{column: q.sender, values: q.owners}
		in := leg{column: q.target, values: q.owners}
		switch {
		case q.target == "" || q.direction == chain.Outgoing:
			return []leg{out}
		case q.direction == chain.Incoming:
			return []leg{in}
		default:
			in.but = "(" + q.sender + " <> ALL(?)) IS TRUE"
			return []leg{out, in}
		}
	case q.asset != nil:
		return []leg{{column: q.token, values: []chain.Address{*q.asset}}}
	default:
		return nil
	}
}

func (q *transferQuery) statement(p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	l := sqlbuild.NewList(q.order(p.Sort), p)
	s := &sqlbuild.Statement{}
	walks := q.walks()
	if len(walks) == 0 {
		return q.everything(s, &l), l
	}
	if len(walks[0].values) == 1 && !q.HasUtime() && l.Offset == 0 { // the legs have the same values
		return q.direct(s, &l, walks), l
	}
	s.Fence(q.columns, "t", func() {
		s.Add("SELECT t.* FROM (SELECT * FROM (")
		for i, leg := range walks {
			if i > 0 {
				s.Add(" UNION ALL ")
			}
			q.walk(s, &l, leg)
		}
		s.Add(") k").OrderBy(q.keyOrder(l.Order)).Window(&l)
		s.Add(") k JOIN " + q.table + " t ON " + q.account + " = k.account AND t.tx_lt = k.tx_lt")
	})
	return s.OrderBy(l.Order), l
}

// keyOrder is the order over rows k of keys.
func (q *transferQuery) keyOrder(o sqlbuild.Order) sqlbuild.Order {
	keys := make(sqlbuild.Order, len(o))
	for i, t := range o {
		if t.Column == q.account {
			t.Column = "t.account"
		}
		t.Column = strings.Replace(t.Column, "t.", "k.", 1)
		keys[i] = t
	}
	return keys
}

// everything is a walk along all LTs or all times.
func (q *transferQuery) everything(s *sqlbuild.Statement, l *sqlbuild.List) *sqlbuild.Statement {
	return s.Rows(q.columns, q.table, "t", []string{strings.TrimPrefix(q.account, "t."), "tx_lt"}, l, func() {
		q.conditions(s)
		q.Restrict(s, "t.tx_now", "t.tx_lt")
		if q.HasUtime() {
			q.BoundUtime(s, "t.tx_now")
		}
		s.Keyset(l)
	})
}

func (q *transferQuery) keys() string {
	return "SELECT " + q.account + " AS account, t.tx_lt, t.tx_now FROM " + q.table + " t"
}

// walk reads as many keys as the page reaches for each value of a leg.
func (q *transferQuery) walk(s *sqlbuild.Statement, l *sqlbuild.List, g leg) {
	s.Add("SELECT w.* FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", sqlbuild.AddressArray(g.values))
	if !q.HasUtime() {
		q.along(s, l, g, q.keys(), "v.value")
		s.OrderBy(l.Order).Add(" LIMIT ?", l.Reach()).Add(") w")
		return
	}
	// The index is in the order of LTs and the list in that of times: see edge of transactions.MessageQuery.
	farthest, keep, bound, slack, none := "max", " <= ", sqlbuild.LTToUtime, " + 30", "0"
	if l.Direction() {
		farthest, keep, bound, slack, none = "min", " >= ", sqlbuild.LTFromUtime, " - 30", "4294967295"
	}
	s.Add("SELECT k.* FROM (SELECT COALESCE(" + farthest + "(h.tx_now), " + none + ") AS at FROM (")
	q.along(s, l, g, q.keys(), "v.value")
	s.OrderBy(sqlbuild.Order{{Column: "t.tx_lt", Desc: l.Direction()}}).Add(" LIMIT ?) h) edge CROSS JOIN LATERAL (", l.Reach())
	q.along(s, l, g, q.keys(), "v.value")
	s.And("(t.tx_now" + keep + "edge.at) IS TRUE")
	s.And("t.tx_lt" + sqlbuild.ReplaceMark(bound, "edge.at"+slack))
	s.Add(" OFFSET 0) k) w")
}

// direct is the walk of legs with one value, row by row: of each as many rows as the page has, merged.
func (q *transferQuery) direct(s *sqlbuild.Statement, l *sqlbuild.List, walks []leg) *sqlbuild.Statement {
	head := "SELECT " + q.columns + " FROM " + q.table + " t"
	if len(walks) == 1 {
		q.along(s, l, walks[0], head, "?", walks[0].values[0].Bytes())
		return s.OrderBy(l.Order).Window(l)
	}
	s.Add("SELECT t.* FROM (")
	for i, g := range walks {
		if i > 0 {
			s.Add(" UNION ALL ")
		}
		s.Add("(")
		q.along(s, l, g, head, "?", g.values[0].Bytes())
		s.OrderBy(l.Order).Window(l).Add(")")
	}
	return s.Add(") t").OrderBy(l.Order).Window(l)
}

// indexed is what indexes have of addresses, an expression: with its length it fills 8 bytes. Another address with the same takes
// 2^56 hashes; the rows of both are compared.
func indexed(addresses string) string { return "substr(sha256(" + addresses + "), 1, 7)" }

// along starts the walk of a leg for a value, an expression with what it binds. Owner and token together have an index
// of their own.
func (q *transferQuery) along(s *sqlbuild.Statement, l *sqlbuild.List, g leg, head, value string, bound ...any) {
	s.From(head)
	switch {
	case g.column == q.account:
		s.And(g.column+" = "+value, bound...)
		if q.asset != nil {
			s.And("("+q.token+" = ?) IS TRUE", q.asset.Bytes())
		}
	case g.column == q.token || q.asset == nil:
		s.And(indexed(g.column)+" = "+indexed(value+"::bytea"), bound...).And(g.column + " IS NOT NULL")
		s.And("("+g.column+" = "+value+") IS TRUE", bound...)
	default:
		s.And(indexed(g.column+" || "+q.token)+" = "+indexed(value+"::bytea || ?"), slices.Concat(bound, []any{q.asset.Bytes()})...)
		s.And(g.column + " IS NOT NULL").And(q.token + " IS NOT NULL")
		s.And("("+g.column+" = "+value+") IS TRUE", bound...).And("("+q.token+" = ?) IS TRUE", q.asset.Bytes())
	}
	if g.but != "" {
		s.And(g.but, sqlbuild.AddressArray(q.owners))
	}
	q.conditions(s)
	if len(q.accounts) > 0 {
		q.ownersToo(s)
	}
	q.Filter(s, "t.tx_now", "t.tx_lt")
	sqlbuild.Present(s, q.FromLT, "t.tx_lt >= ?", sqlbuild.AsLT)
	sqlbuild.Present(s, q.ToLT, "t.tx_lt <= ?", sqlbuild.AsLT)
	q.BoundLT(s, "t.tx_lt")
	s.Keyset(l)
}

// ownersToo filters a walk along contracts by owners.
func (q *transferQuery) ownersToo(s *sqlbuild.Statement) {
	if len(q.owners) == 0 {
		return
	}
	owners := sqlbuild.AddressArray(q.owners)
	switch {
	case q.target == "" || q.direction == chain.Outgoing:
		s.And("("+q.sender+" = ANY(?)) IS TRUE", owners)
	case q.direction == chain.Incoming:
		s.And("("+q.target+" = ANY(?)) IS TRUE", owners)
	default:
		s.And("("+q.sender+" = ANY(?) OR "+q.target+" = ANY(?)) IS TRUE", owners, owners)
	}
}

func (q *transferQuery) conditions(s *sqlbuild.Statement) {
	if q.always != "" {
		s.And(q.always)
	}
}
