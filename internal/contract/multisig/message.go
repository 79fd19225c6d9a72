package multisig

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// message is what a contract asks to be sent.
type message struct {
	destination chain.Address
	value       *big.Int
	body        *cell.Cell
}

// parseMessage reads an internal message that is not sent yet.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
//	  ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
//	message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit))
//	  body:(Either X ^X) = MessageRelaxed X;
func parseMessage(c *cell.Cell) (*message, error) {
	l := contract.Load(c)
	if l.Bool() {
		l.Failf("a message that is not internal")
	}
	l.Uint(3)
	l.Address()
	m := &message{destination: l.NeedAddress(), value: l.Coins()}
	l.MaybeRef() // extra currencies
	l.Coins()
	l.Coins()
	l.Uint(64)
	l.Uint(32)
	if l.Bool() {
		skipInit(l)
	}
	m.body, _ = l.Either()
	if err := l.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// skipInit takes an Either StateInit ^StateInit.
//
//	_ split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//	  library:(HashmapE 256 SimpleLib) = StateInit;
func skipInit(l *contract.Loader) {
	if l.Bool() {
		l.Ref()
		return
	}
	if l.Bool() {
		l.Uint(5)
	}
	if l.Bool() {
		l.Uint(2)
	}
	for range 3 {
		l.MaybeRef()
	}
}
