package wallet

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/vesting"
)

func init() {
	action.Register(action.Spec{
		Kind: "vesting_send_message", Phase: 10,
		Match: action.Call(vesting.OpSend).Then(action.Call(vesting.OpSendResponse)),
		Build: buildVestingSend, OnlyPattern: true,
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
	return &action.Result{
		Failed: !vestingSent(m.Start.Tx, message, to, value),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()),
			DestinationSecondary: action.AddressText(to), Amount: value,
			Payloads: []action.Payload{&VestingSendData{QueryID: query, Message: action.EncodeBOC(message, false)}},
		},
	}
}

// vestingSent reports whether the wallet sent the message. It confirms every request, and skips a message that it cannot send,
// because the balance is too low for instance, without failing. The value of a sent message depends on its mode, so only the
// destination and the body count; the value does if the body cannot be read.
func vestingSent(tx *action.Transaction, message *cell.Cell, to *chain.Address, value *big.Int) bool {
	wanted, err := contract.ParseRelaxed(message)
	for _, out := range tx.Out {
		switch {
		case !action.SameAddress(out.Destination, to):
		case err != nil:
			if out.Value != nil && out.Value.Cmp(value) == 0 {
				return true
			}
		case hashOf(out.Body.Cell()) == hashOf(wanted.Body):
			return true
		}
	}
	return false
}

// hashOf returns the hash of a body; that of an empty cell for none.
func hashOf(body *cell.Cell) cell.Hash {
	if body == nil {
		body = cell.BeginCell().EndCell()
	}
	return body.HashKey()
}
