package store

import (
	"context"

	"tonql/internal/chain"
)

// DNSRecords lists the domains that stand for a wallet, or have a name, by length, then name.
func (r *Reader) DNSRecords(ctx context.Context, f chain.DNSFilter, p chain.Page) ([]chain.DNSRecord, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s, l := dnsStatement(&f, p)
	rows, err := collect(ctx, r.pool, "domains", l.limit, scanDNSRecord, s.text.String(), s.args...)
	return restoreOrder(&l, rows), err
}

// dnsOrder is by length of the name, name and item.
func dnsOrder() order {
	return order{
		columnOf("dns_records", "item", "length(c.domain)", "length(domain)", false),
		columnOf("dns_records", "item", "c.domain", "domain", false),
		{"c.item", false, "?", bindMinor},
	}
}

func dnsStatement(f *chain.DNSFilter, p chain.Page) (*statement, list) {
	t := recordList{newList(dnsOrder(), p), "dns_records", dnsColumns}
	s := &statement{}
	if f.Domain != "" {
		t.among(s, func() { s.and("c.domain = ?", storable(f.Domain)) })
	} else {
		t.everything(s, func() { s.and("c.wallet = ?", f.Wallet.Bytes()) })
	}
	return s, t.list
}
