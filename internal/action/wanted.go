package action

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// wanted reads destination and value of an internal message that a contract was asked to send.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
func wanted(message *cell.Cell) (*chain.Address, *big.Int, error) {
	l := contract.Load(message)
	if l.Bool() {
		l.Failf("a message that is not internal")
	}
	l.Uint(3)
	l.Address()
	to := l.NeedAddress()
	value := l.Coins()
	return &to, value, l.Err()
}
