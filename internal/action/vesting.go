package action

import (
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/vesting"
)

func init() {
	Register(Spec{
		Kind: "vesting_send_message", Phase: 10,
		Match: Call(vesting.OpSend).Then(Call(vesting.OpSendResponse)),
		Build: buildVestingSend,
	})
	Register(Spec{
		Kind: "vesting_add_whitelist", Phase: 11,
		Match: Call(vesting.OpAddWhitelist).Then(Call(vesting.OpAddWhitelistResponse)),
		Build: buildVestingWhitelist,
	})
}

// VestingSendData is a message that a vesting wallet was asked to send.
type VestingSendData struct {
	QueryID uint64  `json:"query_id"`
	Message *string `json:"message_boc"`
}

// Column names the composite column.
func (*VestingSendData) Column() string { return "vesting_send_message_data" }

// VestingWhitelistData is who may be paid before coins are released.
type VestingWhitelistData struct {
	QueryID  uint64          `json:"query_id"`
	Accounts []chain.Address `json:"accounts_added"`
}

// Column names the composite column.
func (*VestingWhitelistData) Column() string { return "vesting_add_whitelist_data" }

func buildVestingSend(_ *Context, m *Match) *Result {
	l := m.Start.body()
	query := l.Uint(64)
	l.Uint(8) // how to send it
	message := l.Ref()
	to, value, err := wanted(message)
	if l.Err() != nil || err != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: text(m.Start.from()), Destination: text(m.Start.account()), DestinationSecondary: text(to), Amount: value,
		Payloads: []Payload{&VestingSendData{QueryID: query, Message: boc(message, false)}},
	}}
}

// maxWhitelist is how many addresses of one request are read; a message cannot hold more cells.
const maxWhitelist = 8192

func buildVestingWhitelist(_ *Context, m *Match) *Result {
	l := m.Start.body()
	d := &VestingWhitelistData{QueryID: l.Uint(64)}
	for range maxWhitelist {
		a := l.Address()
		if l.Err() != nil || a == nil {
			break
		}
		d.Accounts = append(d.Accounts, *a)
		if l.RefsLeft() == 0 {
			break
		}
		l = contract.Load(l.Ref())
	}
	return &Result{Columns: Columns{
		Source: text(m.Start.from()), Destination: text(m.Start.account()), Payloads: []Payload{d},
	}}
}
