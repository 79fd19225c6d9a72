package action

import (
	"encoding/hex"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

const opChangeDNS = 0x4eb1f0f9

func init() {
	Register(Spec{
		Kind: "change_dns", Phase: 33,
		Match: Call(opChangeDNS).Then(Call(opBounce).Maybe()),
		Build: buildChangeDNS,
	})
}

// ChangeDNSData is one record of a domain. Without a value it was deleted.
type ChangeDNSData struct {
	Key    string  `json:"key"` // hex
	Schema *string `json:"value_schema"`
	Value  *string `json:"value"`
	Flags  *uint64 `json:"flags"`
}

// Column names the composite column.
func (*ChangeDNSData) Column() string { return "change_dns_record_data" }

func buildChangeDNS(c *Context, m *Match) *Result {
	item := c.item(m.Start)
	l := m.Start.body()
	l.Uint(64)
	key := l.Hash()
	if item == nil || l.Err() != nil {
		return nil
	}
	d := &ChangeDNSData{Key: hex.EncodeToString(key[:])}
	kind := "change_dns"
	switch {
	case l.RefsLeft() > 0:
		d.read(l.Ref())
	case key.IsZero():
		kind = "renew_dns"
	default:
		kind = "delete_dns"
	}
	return &Result{
		Kind: kind,
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), Asset: text(item.Collection),
			Payloads: []Payload{d},
		},
		Failed: m.Start.aborted(),
	}
}

// read takes the record behind its 16-bit tag.
func (d *ChangeDNSData) read(c *cell.Cell) {
	l := contract.Load(c)
	schema := "Unknown"
	var value string
	flagged := false
	switch l.Uint(16) {
	case 0xba93:
		schema, value = "DNSNextResolver", text(l.Address())
	case 0xad01:
		h := l.Hash()
		schema, value, flagged = "DNSAdnlAddress", hex.EncodeToString(h[:]), true
	case 0x9fd3:
		schema, value, flagged = "DNSSmcAddress", text(l.Address()), true
	case 0x7473:
		h := l.Hash()
		schema, value = "DNSStorageAddress", hex.EncodeToString(h[:])
	case 0x1eda:
		schema, value = "DNSText", printable(content.Snake(l.Rest()))
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
