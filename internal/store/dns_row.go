package store

import "tonql/internal/chain"

// dnsTable lists the columns of a domain in the order in which they are written and read.
const dnsTable = `item, last_tx_lt, owner, domain, next_resolver, wallet, site_adnl, storage_bag, text, last_fill_up, expires_at`

const dnsWidth = 11

// dnsColumns is the same for SELECT from dns_records c.
var dnsColumns = qualified("c", dnsTable)

// longestDomain bounds what is indexed: a name is at most 126 bytes (TEP-81) under a zone, an index entry some 2,700.
const longestDomain = 512

// writeDNSRecord writes a domain. A name longer than any can be is none.
func writeDNSRecord(c *copyBuffer, d *chain.DNSRecord) {
	if len(d.Domain) > longestDomain {
		return
	}
	c.row(dnsWidth)
	c.address(&d.Item)
	c.int8(int64(d.LastTxLT))
	c.address(d.Owner)
	c.text(storable(d.Domain))
	c.address(d.NextResolver)
	c.address(d.Wallet)
	c.hash(d.SiteADNL)
	c.hash(d.StorageBag)
	c.optionalText(d.Text)
	c.optionalTime(d.LastFillUp)
	c.optionalTime(d.ExpiresAt)
}

func scanDNSRecord(r *row, d *chain.DNSRecord) {
	p := &struct {
		owner, resolver, wallet chain.Address
		site, bag               chain.Hash
	}{}
	d.Item = r.address()
	d.LastTxLT = r.lt()
	d.Owner = r.setAddress(&p.owner)
	d.Domain = r.text()
	d.NextResolver = r.setAddress(&p.resolver)
	d.Wallet = r.setAddress(&p.wallet)
	d.SiteADNL = r.setHash(&p.site)
	d.StorageBag = r.setHash(&p.bag)
	d.Text = r.setText()
	d.LastFillUp = r.optionalTime()
	d.ExpiresAt = r.optionalTime()
}
