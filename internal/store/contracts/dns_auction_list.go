package contracts

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// dnsAuctionColumns are those of an auction, for SELECT from dns_records c.
var dnsAuctionColumns = sqlbuild.Qualified("c", "item, domain, last_fill_up, bidder, bid, auction_end")

func scanDNSAuction(r *sqlbuild.Row, a *chain.DNSAuction) {
	a.Item = r.Address()
	a.Domain = r.Text()
	a.LastFillUp = r.OptionalTime()
	a.Bidder = r.Address()
	a.Bid = r.Numeric()
	a.EndsAt = r.Uint32()
}

// DNSAuctions lists the auctions of domains with a bidder, by end, then item.
func (r *Reader) DNSAuctions(ctx context.Context, f chain.DNSAuctionFilter, p chain.Page) ([]chain.DNSAuction, error) {
	s, l := DNSAuctionStatement(&f, p)
	rows, err := sqlbuild.Collect(ctx, r.pool, "auctions of domains", l.Limit, scanDNSAuction, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// DNSAuctionStatement returns the statement of [Reader.DNSAuctions], and its page.
func DNSAuctionStatement(f *chain.DNSAuctionFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	o := sqlbuild.Order{
		{Column: "c.auction_end", Desc: false, At: "?", Bind: sqlbuild.BindMajor},
		{Column: "c.item", Desc: false, At: "?", Bind: sqlbuild.BindMinor},
	}
	t := recordList{sqlbuild.NewList(o, p), "dns_records", dnsAuctionColumns}
	s := &sqlbuild.Statement{}
	t.everything(s, func() {
		s.And("c.bidder = ?", f.Bidder.Bytes())
		switch {
		case f.Ended == nil:
		case *f.Ended:
			s.And("c.auction_end <= ?", int64(f.Now))
		default:
			s.And("c.auction_end > ?", int64(f.Now))
		}
	})
	return s, t.List
}
