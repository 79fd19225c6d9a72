package v3

import (
	"encoding/hex"
	"strings"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// dnsLimit is the default page size of /dns/records.
const dnsLimit = 100

func dnsRecords(c *call) (func() error, error) {
	f := chain.DNSFilter{Wallet: c.q.Address("wallet")}
	f.Domain, _ = c.q.Text("domain")
	p := c.cursored(chain.Page{Limit: c.q.Limit(dnsLimit), Offset: c.q.Offset(), Sort: chain.Ascending}, chain.DNSRecordList)
	return func() error {
		rows, err := c.svc.DNSRecords(c.ctx, f, p)
		return listing[chain.DNSRecord]{key: "records", name: nameDNSRecord, print: appendDNSRecord}.write(c, rows, err)
	}, nil
}

func nameDNSRecord(named *addresses, d *chain.DNSRecord) {
	named.add(&d.Item)
	named.add(d.Owner)
	named.add(d.Wallet)
}

func appendDNSRecord(b []byte, d *chain.DNSRecord) []byte {
	b = handler.AppendAddress(append(b, `{"nft_item_address":`...), &d.Item)
	b = handler.AppendAddress(append(b, `,"nft_item_owner":`...), d.Owner)
	b = handler.AppendString(append(b, `,"domain":`...), d.Domain)
	b = handler.AppendAddress(append(b, `,"dns_next_resolver":`...), d.NextResolver)
	b = handler.AppendAddress(append(b, `,"dns_wallet":`...), d.Wallet)
	b = appendHexOrNull(append(b, `,"dns_site_adnl":`...), d.SiteADNL)
	return append(appendHexOrNull(append(b, `,"dns_storage_bag_id":`...), d.StorageBag), '}')
}

// appendHexOrNull appends 64 upper-case hex digits, or null for nil.
func appendHexOrNull(b []byte, h *chain.Hash) []byte {
	if h == nil {
		return append(b, "null"...)
	}
	return append(append(append(b, '"'), strings.ToUpper(hex.EncodeToString(h[:]))...), '"')
}
