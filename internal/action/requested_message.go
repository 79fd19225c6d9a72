package action

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// requestedMessage is an internal message that a contract was requested to send.
type requestedMessage struct {
	to    chain.Address
	value *big.Int // nanotons
	extra map[string]*big.Int
	body  *cell.Cell
}

// ParseRequested returns destination and value of an internal message that a contract was requested to send. It does not
// read the rest of the message.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
func ParseRequested(message *cell.Cell) (*chain.Address, *big.Int, error) {
	l := contract.Load(message)
	if l.Bool() {
		l.Failf("a message that is not internal")
	}
	l.Uint(3)
	l.Address()
	to, value := l.NeedAddress(), l.Coins()
	return &to, value, l.Err()
}

// parseRequested reads the complete message.
func parseRequested(message *cell.Cell) (requestedMessage, error) {
	m, err := contract.ParseRelaxed(message)
	if err != nil {
		return requestedMessage{}, err
	}
	return requestedMessage{to: m.Destination, value: m.Value, extra: currencies(m.Extra), body: m.Body}, nil
}

// maxCurrencies is the maximum number of extra currencies that are read from a message. Their dictionary can share branches:
// 2^32 entries fit into 33 cells.
const maxCurrencies = 256

// currencies returns amounts by currency id; nil without any.
func currencies(dict *cell.Cell) map[string]*big.Int {
	if dict == nil {
		return nil
	}
	it, err := dict.AsDict(32).Iterator(false, false)
	if err != nil {
		return nil
	}
	amounts := map[string]*big.Int{}
	for n := 0; n < maxCurrencies && it.Next(); n++ {
		id := contract.Load(it.Item().Key).Uint(32)
		amount, err := it.Item().Value.LoadVarUInt(32)
		if err == nil {
			amounts[new(big.Int).SetUint64(id).String()] = amount
		}
	}
	return amounts
}
