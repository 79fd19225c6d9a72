package wallet

import (
	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/vesting"
)

func init() {
	action.Register(action.Spec{
		Kind: "vesting_add_whitelist", Phase: 11,
		Match: action.Call(vesting.OpAddWhitelist).Then(action.Call(vesting.OpAddWhitelistResponse)),
		Build: buildVestingWhitelist, OnlyPattern: true,
	})
}

// VestingWhitelistData are the accounts that can be paid while coins are locked.
type VestingWhitelistData struct {
	QueryID  uint64          `json:"query_id"`
	Accounts []chain.Address `json:"accounts_added"`
}

// Column implements [action.Payload].
func (*VestingWhitelistData) Column() string { return "vesting_add_whitelist_data" }

// maxWhitelist is the maximum number of addresses that are read from a request; a message has no more cells.
const maxWhitelist = 8192

func buildVestingWhitelist(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
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
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
	}}
}
