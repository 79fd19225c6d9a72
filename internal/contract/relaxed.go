package contract

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// RelaxedMessage is an internal message that a contract is requested to send. Its source, fees and times are set when
// it is sent.
type RelaxedMessage struct {
	Destination chain.Address
	Value       *big.Int   // nanotons, never nil
	Extra       *cell.Cell // amounts of extra currencies by id; nil for none
	Body        *cell.Cell // never nil
}

// ParseRelaxed parses an internal message that is not sent yet. Any other content of the cell is an error, as on the
// chain.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
//	  ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
//	message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit))
//	  body:(Either X ^X) = MessageRelaxed X;
func ParseRelaxed(c *cell.Cell) (*RelaxedMessage, error) {
	l := Load(c)
	if l.Bool() {
		l.Failf("a message that is not internal")
	}
	l.Uint(3)
	l.Address()
	m := &RelaxedMessage{Destination: l.NeedAddress(), Value: l.Coins()}
	m.Extra = l.MaybeRef()
	l.Coins()
	l.Coins()
	l.Uint(64)
	l.Uint(32)
	if l.Bool() {
		l.skipStateInit()
	}
	m.Body, _ = l.Either()
	if l.BitsLeft() > 0 || l.RefsLeft() > 0 {
		l.Failf("more than a message")
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// skipStateInit loads an Either StateInit ^StateInit.
//
//	_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//	  library:(HashmapE 256 SimpleLib) = StateInit;
func (l *Loader) skipStateInit() {
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
