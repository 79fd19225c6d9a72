package contracts

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// DNSTable lists the columns of a domain in the order in which they are written and read.
const DNSTable = `item, last_tx_lt, owner, domain, next_resolver, wallet, site_adnl, storage_bag, text, last_fill_up, expires_at,
	bidder, bid, auction_end`

const dnsWidth, dnsAuctionWidth = 14, 3

// dnsColumns is the same for SELECT from dns_records c.
var dnsColumns = sqlbuild.Qualified("c", DNSTable)

// longestDomain bounds what is indexed: a name is at most 126 bytes (TEP-81) under a zone, an index entry some 2,700.
const longestDomain = 512

// writeDNSRecord writes a domain. A name longer than any can be is none.
func writeDNSRecord(c *sqlbuild.CopyBuffer, d *chain.DNSRecord) {
	if len(d.Domain) > longestDomain {
		return
	}
	c.Row(dnsWidth)
	c.Address(&d.Item)
	c.Int8(int64(d.LastTxLT))
	c.Address(d.Owner)
	c.Text(sqlbuild.Storable(d.Domain))
	c.Address(d.NextResolver)
	c.Address(d.Wallet)
	c.Hash(d.SiteADNL)
	c.Hash(d.StorageBag)
	c.OptionalText(d.Text)
	c.OptionalTime(d.LastFillUp)
	c.OptionalTime(d.ExpiresAt)
	if a := d.Auction; a != nil {
		c.Address(&a.Bidder)
		c.Numeric(a.Bid)
		c.OptionalTime(&a.EndsAt)
	} else {
		c.Address(nil)
		c.Numeric(nil)
		c.OptionalTime(nil)
	}
}

func scanDNSRecord(r *sqlbuild.Row, d *chain.DNSRecord) {
	p := &struct {
		owner, resolver, wallet chain.Address
		site, bag               chain.Hash
	}{}
	d.Item = r.Address()
	d.LastTxLT = r.LT()
	d.Owner = r.SetAddress(&p.owner)
	d.Domain = r.Text()
	d.NextResolver = r.SetAddress(&p.resolver)
	d.Wallet = r.SetAddress(&p.wallet)
	d.SiteADNL = r.SetHash(&p.site)
	d.StorageBag = r.SetHash(&p.bag)
	d.Text = r.SetText()
	d.LastFillUp = r.OptionalTime()
	d.ExpiresAt = r.OptionalTime()
	if !r.Present(0) {
		r.Skip(dnsAuctionWidth)
		return
	}
	d.Auction = &chain.DNSAuction{
		Item: d.Item, Domain: d.Domain, LastFillUp: d.LastFillUp, Bidder: r.Address(), Bid: r.Numeric(), EndsAt: r.Uint32(),
	}
}
