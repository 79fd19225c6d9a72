package action

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// wish is an internal message that somebody asked a contract to send.
type wish struct {
	to    chain.Address
	value *big.Int // nanotons
	extra map[string]*big.Int
	body  *cell.Cell
}

// wanted reads destination and value of an internal message that a contract was asked to send.
func wanted(message *cell.Cell) (*chain.Address, *big.Int, error) {
	l := contract.Load(message)
	w := loadHead(l)
	return &w.to, w.value, l.Err()
}

// loadHead takes destination and value, extra currencies left out.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
func loadHead(l *contract.Loader) wish {
	if l.Bool() {
		l.Failf("a message that is not internal")
	}
	l.Uint(3)
	l.Address()
	return wish{to: l.NeedAddress(), value: l.Coins()}
}

// parseWish reads the whole message.
//
//	… ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32
//	init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X)
func parseWish(message *cell.Cell) (wish, error) {
	l := contract.Load(message)
	w := loadHead(l)
	w.extra = currencies(l.MaybeRef())
	l.Coins()
	l.Coins()
	l.Uint(64)
	l.Uint(32)
	if l.Bool() {
		if l.Bool() {
			l.Ref()
		} else {
			skipInit(l)
		}
	}
	w.body, _ = l.Either()
	return w, l.Err()
}

// skipInit passes over a state in place.
//
//	_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(Maybe ^Cell)
func skipInit(l *contract.Loader) {
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

// currencies reads amounts by currency id; nil when there are none.
func currencies(dict *cell.Cell) map[string]*big.Int {
	if dict == nil {
		return nil
	}
	it, err := dict.AsDict(32).Iterator(false, false)
	if err != nil {
		return nil
	}
	amounts := map[string]*big.Int{}
	for it.Next() {
		id := contract.Load(it.Item().Key).Uint(32)
		amount, err := it.Item().Value.LoadVarUInt(32)
		if err == nil {
			amounts[new(big.Int).SetUint64(id).String()] = amount
		}
	}
	return amounts
}
