package wallet

import (
	"tonql/internal/action"
	"tonql/internal/contract/vesting"
)

func init() {
	action.Register(action.Spec{
		Kind: "vesting_send_message", Phase: 10,
		Match: action.Call(vesting.OpSend).Then(action.Call(vesting.OpSendResponse)),
		Build: buildVestingSend,
	})
}

// VestingSendData is a message that a vesting wallet was ordered to send.
type VestingSendData struct {
	QueryID uint64  `json:"query_id"`
	Message *string `json:"message_boc"`
}

// Column implements [action.Payload].
func (*VestingSendData) Column() string { return "vesting_send_message_data" }

func buildVestingSend(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	query := l.Uint(64)
	l.Uint(8) // send mode
	message := l.Ref()
	to, value, err := action.ParseRequested(message)
	if l.Err() != nil || err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), DestinationSecondary: action.AddressText(to), Amount: value,
		Payloads: []action.Payload{&VestingSendData{QueryID: query, Message: action.EncodeBOC(message, false)}},
	}}
}
