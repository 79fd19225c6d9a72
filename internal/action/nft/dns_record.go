package nft

import (
	"encoding/hex"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/contract"
	"tonql/internal/contract/dns"
)

// opChangeRecord changes a record of a domain, deletes it, or does nothing but renew the domain.
const opChangeRecord = 0x4eb1f0f9

// ChangeDNSData is one record of a domain. Without a value it was deleted.
type ChangeDNSData struct {
	Key    string  `json:"key"` // hex
	Schema *string `json:"value_schema"`
	Value  *string `json:"value"`
	Flags  *uint64 `json:"flags"`
}

// Column names the composite column.
func (*ChangeDNSData) Column() string { return "change_dns_record_data" }

// recordKind is which of the three kinds a message is; "" for none.
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

// registerRecord makes one of the three kinds known.
func registerRecord(kind string) {
	action.Register(action.Spec{
		Kind: kind, Phase: 33,
		Match: action.Where(func(b *action.Block) bool { return recordKind(b) == kind }).Calling(opChangeRecord).Then(action.Call(action.OpBounce).Maybe()),
		Build: buildRecord,
	})
}

func buildRecord(c *action.Context, m *action.Match) *action.Result {
	item := c.NFTItem(m.Start)
	if item == nil {
		return nil
	}
	l := m.Start.Body()
	l.Uint(64)
	key := l.Hash()
	d := &ChangeDNSData{Key: hex.EncodeToString(key[:])}
	if l.RefsLeft() > 0 {
		d.read(l.Ref())
	}
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: action.AddressText(item.Collection),
			Payloads: []action.Payload{d},
		},
	}
}

// read takes the record behind its 16-bit tag.
func (d *ChangeDNSData) read(c *cell.Cell) {
	l := contract.Load(c)
	schema, value, flagged := "Unknown", "", false
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
		if said := dns.ParseEntry(contract.Load(c).Slice()).Text; said != nil {
			value = *said
		}
	}
	d.Schema = &schema
	if l.Err() != nil || value == "" {
		return
	}
	d.Value = &value
	if flags := l.Uint(8); flagged && l.Err() == nil {
		d.Flags = &flags
	}
}
