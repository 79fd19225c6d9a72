package nft

import (
	"encoding/hex"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/contract"
	"tonql/internal/contract/dns"
)

// opChangeRecord changes or deletes a record of a domain, or only renews the domain.
const opChangeRecord = 0x4eb1f0f9

// ChangeDNSData is one record of a domain. A deletion has no value, a renewal no record.
type ChangeDNSData struct {
	Key    string  `json:"key"` // hex
	Schema *string `json:"value_schema"`
	Value  *string `json:"value"`
	Flags  *uint64 `json:"flags"`
}

// Column implements [action.Payload].
func (*ChangeDNSData) Column() string { return "change_dns_record_data" }

// recordKind returns the kind of a message, one of three; "" for other messages.
//
//	change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:(^DNSRecord or nothing)
func recordKind(b *action.Block) string {
	if !b.Calls(opChangeRecord) {
		return ""
	}
	l := b.Body()
	l.Uint(64)
	key := l.Hash()
	switch {
	case l.Err() != nil:
		return ""
	case l.RefsLeft() > 0:
		return "change_dns"
	case key.IsZero():
		return "renew_dns"
	}
	return "delete_dns"
}

// registerRecord registers one of the three kinds.
func registerRecord(kind string) {
	action.Register(action.Spec{
		Kind: kind, Phase: 33,
		Match: action.Where(func(b *action.Block) bool { return recordKind(b) == kind }).Calling(opChangeRecord).Then(action.Bounced().Maybe()),
		Build: buildRecord,
	})
}

func buildRecord(c *action.Context, m *action.Match) *action.Result {
	item := c.NFTItem(m.Start)
	if item == nil {
		return nil
	}
	row := action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: action.AddressText(item.Collection),
	}
	l := m.Start.Body()
	l.Uint(64)
	if key := l.Hash(); l.RefsLeft() > 0 || !key.IsZero() {
		d := &ChangeDNSData{Key: hex.EncodeToString(key[:])}
		if l.RefsLeft() > 0 {
			d.read(l.Ref())
		}
		row.Payloads = []action.Payload{d}
	}
	return &action.Result{Failed: m.Start.Aborted(), Columns: row}
}

// read reads the record behind its 16-bit tag.
func (d *ChangeDNSData) read(c *cell.Cell) {
	l := contract.Load(c)
	schema, value, flagged, emptied := "Unknown", "", false, false
	switch l.Uint(16) {
	case 0xba93:
		schema, value = "DNSNextResolver", action.AddressText(l.Address())
	case 0xad01:
		h := l.Hash()
		schema, value, flagged = "DNSAdnlAddress", hex.EncodeToString(h[:]), true
	case 0x9fd3:
		schema, value, flagged = "DNSSmcAddress", action.AddressText(l.Address()), true
	case 0x7473:
		h := l.Hash()
		schema, value = "DNSStorageAddress", hex.EncodeToString(h[:])
	case 0x1eda:
		schema = "DNSText"
		if text := dns.ParseEntry(contract.Load(c).Slice()).Text; text != nil {
			value, emptied = *text, *text == ""
		}
	}
	d.Schema = &schema
	if l.Err() != nil || value == "" && !emptied {
		return
	}
	d.Value = &value
	if flags := l.Uint(8); flagged && l.Err() == nil {
		d.Flags = &flags
	}
}
