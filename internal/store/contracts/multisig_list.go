package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Multisigs lists multisig wallets by address in the page's direction, with their orders when the filter requests them.
func (r *Reader) Multisigs(ctx context.Context, f chain.MultisigFilter, p chain.Page) ([]chain.Multisig, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := MultisigsStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "multisig wallets", l.Limit, scanMultisig, s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	if f.Orders && len(rows) > 0 {
		err = r.addOrders(ctx, rows)
	}
	return sqlbuild.RestoreOrder(&l, rows), err
}

// MultisigsStatement returns the statement of [Reader.Multisigs], and its page.
func MultisigsStatement(f *chain.MultisigFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{sqlbuild.NewList(byAddress("c.address", p.Sort == chain.Descending), p), "multisigs", multisigColumns}
	s := &sqlbuild.Statement{}
	members := sqlbuild.Unique(f.Members)
	if len(f.Addresses) > 0 {
		t.among(s, func() {
			s.And("c.address = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(f.Addresses)))
			if len(members) > 0 {
				s.And("EXISTS (SELECT 1 FROM multisig_members m WHERE m.multisig = c.address AND (m.member = ANY(?)) IS TRUE)",
					sqlbuild.AddressArray(members))
			}
		})
		return s, t.List
	}
	t.through(s, func() { t.link(s, "multisig_members", "member", "multisig", members) })
	return s, t.List
}

// through starts from addresses that write selects, as many as the page reaches from each walk, in columns address.
func (t *recordList) through(s *sqlbuild.Statement, write func()) {
	s.Fence(t.columns, "c", func() {
		s.Add("SELECT c.* FROM (SELECT DISTINCT k.address FROM (")
		write()
		s.Add(") k) k JOIN " + t.table + " c ON c.address = k.address")
	})
	s.OrderBy(t.Order).Window(&t.List)
}

// link walks along a table that links a value to addresses, for each of several values.
func (t *recordList) link(s *sqlbuild.Statement, table, column, address string, values []chain.Address) {
	o := byAddress("m."+address, t.Order[0].Desc)
	s.Add("SELECT w.address FROM unnest(?::bytea[]) v(value) CROSS JOIN LATERAL (", sqlbuild.AddressArray(values))
	s.From("SELECT m." + address + " AS address FROM " + table + " m").And("m." + column + " = v.value")
	within := t.List
	within.Order = o
	s.Keyset(&within)
	s.OrderBy(o).Add(" LIMIT ?", t.Reach()).Add(") w")
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
	orders, err := sqlbuild.Collect(ctx, r.pool, "orders of multisig wallets", len(multisigs), scanMultisigOrder, selectOrdersOf,
		sqlbuild.AddressArray(addresses), int64(maxOrders))
	if err != nil {
		return err
	}
	of := sqlbuild.Group(orders, func(o *chain.MultisigOrder) chain.Address { return o.Multisig })
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
	s, l := MultisigOrdersStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "multisig orders", l.Limit, scanMultisigOrder, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// MultisigOrdersStatement returns the statement of [Reader.MultisigOrders], and its page.
func MultisigOrdersStatement(f *chain.OrderFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{table: "multisig_orders", columns: multisigOrderColumns}
	desc := p.Sort == chain.Descending
	t.List = sqlbuild.NewList(sqlbuild.Order{t.column("seqno", desc), byAddress("c.address", desc)[0]}, p)
	s := &sqlbuild.Statement{}
	if len(f.Addresses) > 0 {
		t.among(s, func() {
			s.And("c.address = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(f.Addresses)))
			s.IsAny("c.multisig", f.Multisigs)
		})
	} else {
		t.along(s, "c.multisig", sqlbuild.Unique(f.Multisigs), t.Order, nothing)
	}
	return s, t.List
}
