package v2

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// resolveName resolves a domain. Earlier servers call the parameters name and address, and take category and ttl, which change nothing here.
func resolveName(c *call) error {
	c.p.rename("name", "domain", Text)
	c.p.rename("address", "resolver_address", Address)
	c.p.record("category", Text)
	c.p.record("ttl", Text)
	q := resolvers.NameRequest{}
	var sent bool
	q.Name, sent = c.p.text("domain")
	c.p.required("domain", sent)
	q.Resolver = c.p.optionalAddress("resolver_address")
	q.Seqno = c.p.seqno("seqno")
	if err := c.p.end(); err != nil {
		return err
	}
	found, err := c.svc.ResolveName(c.ctx, q)
	if bad := (*resolvers.ResolverError)(nil); errors.As(err, &bad) {
		return refuse(http.StatusBadGateway, bad.Error())
	}
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

// appendEntryData appends a DNS record in the format of dnsResolve.
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

// recordNames maps the categories with a name in getTokenData to that name.
var recordNames = func() map[chain.Hash]string {
	names := map[chain.Hash]string{}
	for _, name := range []string{"wallet", "site", "storage", "dns_next_resolver"} {
		names[chain.Hash(sha256.Sum256([]byte(name)))] = name
	}
	return names
}()

// appendRecords appends the DNS records of a domain by category, in the format of getTokenData.
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
		name, ok := recordNames[e.Category]
		if !ok {
			name = strings.ToUpper(e.Category.Hex())
		}
		b = append(append(handler.AppendString(b, name), ':'), record...)
	}
	return append(b, '}')
}

// appendRecord appends a DNS record. It returns nil for types that getTokenData omits.
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

// appendParts appends an address as workchain id and account id.
func appendParts(b []byte, a *chain.Address) []byte {
	b = strconv.AppendInt(append(b, `{"@type":"addr_std","workchain_id":`...), int64(a.Workchain), 10)
	b = append(b, `,"address":"`...)
	return append(hex.AppendEncode(b, a.ID[:]), `"}`...)
}
