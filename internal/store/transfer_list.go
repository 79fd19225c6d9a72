package store

import (
	"strings"

	"tonql/internal/chain"
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
	span

	owners    []chain.Address
	accounts  []chain.Address
	asset     *chain.Address
	direction chain.TransferDirection
}

func newTransferQuery(t *transferTable, r chain.TransferRange, owners, accounts []chain.Address, asset *chain.Address,
	direction chain.TransferDirection,
) *transferQuery {
	return &transferQuery{
		transferTable: t, span: span{r.StartUtime, r.EndUtime, r.StartLT, r.EndLT},
		owners: unique(owners), accounts: unique(accounts), asset: asset, direction: direction,
	}
}

// order is by LT in the page's direction, lists restricted in time by time first; the contract decides ties, upwards.
func (q *transferQuery) order(sort chain.Sort) order {
	desc := sort == chain.Descending
	o := order{{"t.tx_lt", desc, "?", bindMajor}, {q.account, false, "?", bindMinor}}
	if q.hasUtime() {
		at := "(SELECT c.tx_now FROM " + q.table + " c WHERE " + strings.Replace(q.account, "t.", "c.", 1) + " = ? AND c.tx_lt = ?)"
		o = append(order{{"t.tx_now", desc, at, bindKey}}, o...)
	}
	return o
}

// leg is one walk, or one for each of several values.
type leg struct {
	column string // that has the value
	values []chain.Address
	but    string // condition that leaves out what another leg finds
}

// legs are the walks whose union is the list; none for a walk over everything. Transfers of an owner without direction
// are two walks, of what was sent and of what was received by others than the senders asked for.
func (q *transferQuery) legs() []leg {
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

func (q *transferQuery) statement(p chain.Page) (*statement, list) {
	l := newList(q.order(p.Sort), p)
	s := &statement{}
	legs := q.legs()
	if len(legs) == 0 {
		return q.everything(s, &l), l
	}
	if len(legs[0].values) == 1 && !q.hasUtime() && l.offset == 0 { // the legs have the same values
		return q.direct(s, &l, legs), l
	}
	s.fence(q.columns, "t", func() {
		s.add("SELECT t.* FROM (SELECT * FROM (")
		for i, leg := range legs {
			if i > 0 {
				s.add(" UNION ALL ")
			}
			q.walk(s, &l, leg)
		}
		s.add(") k").orderBy(keyOrder(l.order, "k", q)).window(&l)
		s.add(") k JOIN " + q.table + " t ON " + q.account + " = k.account AND t.tx_lt = k.tx_lt")
	})
	return s.orderBy(l.order), l
}

// keyOrder is the order over rows of keys.
func keyOrder(o order, alias string, q *transferQuery) order {
	keys := make(order, len(o))
	for i, t := range o {
		if t.column == q.account {
			t.column = "t.account"
		}
		t.column = strings.Replace(t.column, "t.", alias+".", 1)
		keys[i] = t
	}
	return keys
}

// everything is a walk along all LTs or all times.
func (q *transferQuery) everything(s *statement, l *list) *statement {
	s.from("SELECT " + q.columns + " FROM " + q.table + " t")
	q.conditions(s)
	q.restrict(s, "t.tx_now", "t.tx_lt")
	if q.hasUtime() {
		q.boundUtime(s, "t.tx_now")
	}
	s.keyset(l)
	return s.orderBy(l.order).window(l)
}

func (q *transferQuery) keys() string {
	return "SELECT " + q.account + " AS account, t.tx_lt, t.tx_now FROM " + q.table + " t"
}

// walk reads as many keys as the page reaches for each value of a leg.
func (q *transferQuery) walk(s *statement, l *list, g leg) {
	s.add("SELECT w.* FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", addressArray(g.values))
	if !q.hasUtime() {
		q.along(s, l, g, q.keys(), "v.value")
		s.orderBy(l.order).add(" LIMIT ?", l.reach()).add(") w")
		return
	}
	// The index is in the order of LTs and the list in that of times: see messageQuery.edge.
	farthest, keep, bound, slack, none := "max", " <= ", ltToUtime, " + 30", "0"
	if l.direction() {
		farthest, keep, bound, slack, none = "min", " >= ", ltFromUtime, " - 30", "4294967295"
	}
	s.add("SELECT k.* FROM (SELECT COALESCE(" + farthest + "(h.tx_now), " + none + ") AS at FROM (")
	q.along(s, l, g, q.keys(), "v.value")
	s.orderBy(order{{column: "t.tx_lt", desc: l.direction()}}).add(" LIMIT ?) h) edge CROSS JOIN LATERAL (", l.reach())
	q.along(s, l, g, q.keys(), "v.value")
	s.and("(t.tx_now" + keep + "edge.at) IS TRUE")
	s.and("t.tx_lt" + replaceMark(bound, "edge.at"+slack))
	s.add(" OFFSET 0) k) w")
}

// direct is the walk of legs with one value, row by row: of each as many rows as the page has, merged.
func (q *transferQuery) direct(s *statement, l *list, legs []leg) *statement {
	head := "SELECT " + q.columns + " FROM " + q.table + " t"
	if len(legs) == 1 {
		q.along(s, l, legs[0], head, "?", legs[0].values[0].Bytes())
		return s.orderBy(l.order).window(l)
	}
	s.add("SELECT t.* FROM (")
	for i, g := range legs {
		if i > 0 {
			s.add(" UNION ALL ")
		}
		s.add("(")
		q.along(s, l, g, head, "?", g.values[0].Bytes())
		s.orderBy(l.order).window(l).add(")")
	}
	return s.add(") t").orderBy(l.order).window(l)
}

// along starts the walk of a leg for a value, an expression with what it binds. Owner and token together have an index
// of their own.
func (q *transferQuery) along(s *statement, l *list, g leg, head, value string, bound ...any) {
	s.from(head)
	switch {
	case q.token == g.column || q.asset == nil:
		s.and(g.column+" = "+value, bound...)
	case len(q.accounts) > 0:
		s.and(g.column+" = "+value, bound...).and("("+q.token+" = ?) IS TRUE", q.asset.Bytes())
	default:
		s.and(g.column+" || "+q.token+" = "+value+"::bytea || ?", append(bound, q.asset.Bytes())...)
		s.and(g.column + " IS NOT NULL").and(q.token + " IS NOT NULL")
	}
	if g.but != "" {
		s.and(g.but, addressArray(q.owners))
	}
	q.conditions(s)
	if len(q.accounts) > 0 {
		q.ownersToo(s)
	}
	q.filter(s, "t.tx_now", "t.tx_lt")
	present(s, q.startLT, "t.tx_lt >= ?", asLT)
	present(s, q.endLT, "t.tx_lt <= ?", asLT)
	q.boundLT(s, "t.tx_lt")
	s.keyset(l)
}

// ownersToo filters a walk along contracts by owners.
func (q *transferQuery) ownersToo(s *statement) {
	if len(q.owners) == 0 {
		return
	}
	owners := addressArray(q.owners)
	switch {
	case q.target == "" || q.direction == chain.Outgoing:
		s.and("("+q.sender+" = ANY(?)) IS TRUE", owners)
	case q.direction == chain.Incoming:
		s.and("("+q.target+" = ANY(?)) IS TRUE", owners)
	default:
		s.and("("+q.sender+" = ANY(?) OR "+q.target+" = ANY(?)) IS TRUE", owners, owners)
	}
}

func (q *transferQuery) conditions(s *statement) {
	if q.always != "" {
		s.and(q.always)
	}
}
