package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// DNSRecords lists the domains that stand for a wallet, or have a name, by length, then name.
func (r *Reader) DNSRecords(ctx context.Context, f chain.DNSFilter, p chain.Page) ([]chain.DNSRecord, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := DNSStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "domains", l.Limit, scanDNSRecord, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// dnsOrder is by length of the name, name and item.
func dnsOrder() sqlbuild.Order {
	return sqlbuild.Order{
		columnOf("dns_records", "item", "length(c.domain)", "length(domain)", false),
		columnOf("dns_records", "item", "c.domain", "domain", false),
		{Column: "c.item", Desc: false, At: "?", Bind: sqlbuild.BindMinor},
	}
}

// DNSStatement returns the statement of [Reader.DNSRecords], and its page.
func DNSStatement(f *chain.DNSFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	t := recordList{sqlbuild.NewList(dnsOrder(), p), "dns_records", dnsColumns}
	s := &sqlbuild.Statement{}
	if f.Domain != "" {
		t.among(s, func() { s.And("c.domain = ?", sqlbuild.Storable(f.Domain)) })
	} else {
		t.everything(s, func() { s.And("c.wallet = ?", f.Wallet.Bytes()) })
	}
	return s, t.List
}
