package v2

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// maxHops is how many resolvers are followed when the question does not say, and at most.
const maxHops = 4

func resolveName(c *call) error {
	q := resolvers.NameRequest{Hops: maxHops}
	if _, sent := c.p.text("address"); sent {
		q.Resolver = new(c.p.address("address"))
	}
	q.Name, _ = c.p.text("name")
	c.p.text("category") // all records are given whatever the category
	if ttl := c.p.integer("ttl", 0, maxHops); ttl != nil {
		q.Hops = int(*ttl)
	}
	q.Seqno = c.p.seqno("seqno")
	if err := c.p.end(); err != nil {
		return err
	}
	found, err := c.svc.ResolveName(c.ctx, q)
	if err != nil {
		return err
	}
	b := append(c.b, `{"@type":"dns.resolved","entries":[`...)
	for i := range found.Entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendString(append(b, `{"@type":"dns.entry","name":`...), found.Name)
		b = handler.AppendHash(append(b, `,"category":`...), &found.Entries[i].Category)
		b = append(appendEntryData(append(b, `,"entry":`...), &found.Entries[i]), '}')
	}
	c.b = append(b, "]}"...)
	return nil
}

// appendEntryData prints a record as dnsResolve has it.
func appendEntryData(b []byte, e *chain.DNSEntry) []byte {
	switch {
	case e.Text != nil:
		b = handler.AppendString(append(b, `{"@type":"dns.entryDataText","text":`...), *e.Text)
	case e.NextResolver != nil:
		b = appendAccountAddress(append(b, `{"@type":"dns.entryDataNextResolver","resolver":`...), e.NextResolver)
	case e.Wallet != nil:
		b = appendAccountAddress(append(b, `{"@type":"dns.entryDataSmcAddress","smc_address":`...), e.Wallet)
	case e.ADNL != nil:
		b = append(b, `{"@type":"dns.entryDataAdnlAddress","adnl_address":{"@type":"adnlAddress","adnl_address":`...)
		b = append(handler.AppendString(b, chain.ADNLText(*e.ADNL)), '}')
	case e.StorageBag != nil:
		b = handler.AppendString(append(b, `{"@type":"dns.entryDataStorageAddress","bag_id":`...), e.StorageBag.Hex())
	default:
		b = appendCell(append(b, `{"@type":"dns.entryDataUnknown","bytes":`...), e.Cell)
	}
	return append(b, '}')
}

// recordNames are the categories that have a name of their own in getTokenData.
var recordNames = func() map[chain.Hash]string {
	names := map[chain.Hash]string{}
	for _, name := range []string{"wallet", "site", "storage", "dns_next_resolver"} {
		names[chain.Hash(sha256.Sum256([]byte(name)))] = name
	}
	return names
}()

// appendRecords prints the records of a domain as getTokenData has them, by category.
func appendRecords(b []byte, records []chain.DNSEntry) []byte {
	b = append(b, '{')
	first := true
	for i := range records {
		e := &records[i]
		record := appendRecord(nil, e)
		if record == nil {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		name, known := recordNames[e.Category]
		if !known {
			name = strings.ToUpper(e.Category.Hex())
		}
		b = append(append(handler.AppendString(b, name), ':'), record...)
	}
	return append(b, '}')
}

// appendRecord prints one record; nil for kinds that getTokenData does not show.
func appendRecord(b []byte, e *chain.DNSEntry) []byte {
	switch {
	case e.Wallet != nil:
		b = appendParts(append(b, `{"@type":"dns_smc_address","smc_addr":`...), e.Wallet)
	case e.NextResolver != nil:
		b = appendParts(append(b, `{"@type":"dns_next_resolver","resolver":`...), e.NextResolver)
	case e.ADNL != nil:
		b = handler.AppendString(append(b, `{"@type":"dns_adnl_address","adnl_addr":`...), e.ADNL.Hex())
	case e.StorageBag != nil:
		b = handler.AppendString(append(b, `{"@type":"dns_storage_address","bag_id":`...), e.StorageBag.Hex())
	default:
		return nil
	}
	return append(b, '}')
}

// appendParts prints an address in parts.
func appendParts(b []byte, a *chain.Address) []byte {
	b = strconv.AppendInt(append(b, `{"@type":"addr_std","workchain_id":`...), int64(a.Workchain), 10)
	b = append(b, `,"address":"`...)
	return append(hex.AppendEncode(b, a.ID[:]), `"}`...)
}
