package action

import "tonql/internal/contract/vesting"

func init() {
	Register(Spec{
		Kind: "vesting_send_message", Phase: 10,
		Match: Call(vesting.OpSend).Then(Call(vesting.OpSendResponse)),
		Build: buildVestingSend,
	})
}

// VestingSendData is a message that a vesting wallet was asked to send.
type VestingSendData struct {
	QueryID uint64  `json:"query_id"`
	Message *string `json:"message_boc"`
}

// Column names the composite column.
func (*VestingSendData) Column() string { return "vesting_send_message_data" }

func buildVestingSend(_ *Context, m *Match) *Result {
	l := m.Start.Body()
	query := l.Uint(64)
	l.Uint(8) // how to send it
	message := l.Ref()
	to, value, err := ParseRequested(message)
	if l.Err() != nil || err != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), DestinationSecondary: AddressText(to), Amount: value,
		Payloads: []Payload{&VestingSendData{QueryID: query, Message: EncodeBOC(message, false)}},
	}}
}
