package store

import (
	"context"

	"tonql/internal/chain"
)

// Multisigs lists multisig wallets by address in the page's direction, with their orders when the filter asks for them.
func (r *Reader) Multisigs(ctx context.Context, f chain.MultisigFilter, p chain.Page) ([]chain.Multisig, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := multisigsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "multisig wallets", l.limit, scanMultisig, s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	if f.Orders && len(rows) > 0 {
		err = r.addOrders(ctx, rows)
	}
	return restoreOrder(&l, rows), err
}

func multisigsStatement(f *chain.MultisigFilter, p chain.Page) (*statement, list) {
	t := recordList{newList(byAddress("c.address", p.Sort == chain.Descending), p), "multisigs", multisigColumns}
	s := &statement{}
	members := unique(f.Members)
	if len(f.Addresses) > 0 {
		t.among(s, func() {
			s.and("c.address = ANY(?)", addressArray(unique(f.Addresses)))
			if len(members) > 0 {
				s.and("EXISTS (SELECT 1 FROM multisig_members m WHERE m.multisig = c.address AND (m.member = ANY(?)) IS TRUE)",
					addressArray(members))
			}
		})
		return s, t.list
	}
	t.through(s, func() { t.link(s, "multisig_members", "member", "multisig", members) })
	return s, t.list
}

// through starts from addresses that write selects, as many as the page reaches from each walk, in columns address.
func (t *recordList) through(s *statement, write func()) {
	s.fence(t.columns, "c", func() {
		s.add("SELECT c.* FROM (SELECT DISTINCT k.address FROM (")
		write()
		s.add(") k) k JOIN " + t.table + " c ON c.address = k.address")
	})
	s.orderBy(t.order).window(&t.list)
}

// link walks along a table that links a value to addresses, for each of several values.
func (t *recordList) link(s *statement, table, column, address string, values []chain.Address) {
	o := byAddress("m."+address, t.order[0].desc)
	s.add("SELECT w.address FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", addressArray(values))
	s.from("SELECT m." + address + " AS address FROM " + table + " m").and("m." + column + " = v.value")
	within := t.list
	within.order = o
	s.keyset(&within)
	s.orderBy(o).add(" LIMIT ?", t.reach()).add(") w")
}

// maxOrders bounds the orders inside a list of multisig wallets: of each wallet the newest.
const maxOrders = 1000

var selectOrdersOf = `SELECT ` + multisigOrderColumns + ` FROM unnest($1::bytea[]) v(value) CROSS JOIN LATERAL (
	SELECT c.* FROM multisig_orders c WHERE c.multisig = v.value ORDER BY c.seqno DESC, c.address DESC LIMIT $2) c
	ORDER BY c.multisig, c.seqno, c.address`

func (r *Reader) addOrders(ctx context.Context, multisigs []chain.Multisig) error {
	addresses := make([]chain.Address, len(multisigs))
	for i := range multisigs {
		addresses[i] = multisigs[i].Address
	}
	orders, err := collect(ctx, r.pool, "orders of multisig wallets", len(multisigs), scanMultisigOrder, selectOrdersOf,
		addressArray(addresses), int64(maxOrders))
	if err != nil {
		return err
	}
	of := group(orders, func(o *chain.MultisigOrder) chain.Address { return o.Multisig })
	for i := range multisigs {
		multisigs[i].Orders = of[multisigs[i].Address]
	}
	return nil
}

// MultisigOrders lists orders by number in the page's direction, then address. Their actions stay in the BoC.
func (r *Reader) MultisigOrders(ctx context.Context, f chain.OrderFilter, p chain.Page) ([]chain.MultisigOrder, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := multisigOrdersStatement(&f, p)
	rows, err := collect(ctx, r.pool, "multisig orders", l.limit, scanMultisigOrder, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

func multisigOrdersStatement(f *chain.OrderFilter, p chain.Page) (*statement, list) {
	t := recordList{table: "multisig_orders", columns: multisigOrderColumns}
	desc := p.Sort == chain.Descending
	t.list = newList(order{t.column("seqno", desc), byAddress("c.address", desc)[0]}, p)
	s := &statement{}
	if len(f.Addresses) > 0 {
		t.among(s, func() {
			s.and("c.address = ANY(?)", addressArray(unique(f.Addresses)))
			s.isAny("c.multisig", f.Multisigs)
		})
	} else {
		t.along(s, "c.multisig", unique(f.Multisigs), t.order, nothing)
	}
	return s, t.list
}
