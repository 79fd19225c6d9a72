package payment

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// askedMessage is a message that a wallet was asked to send.
type askedMessage struct {
	to   chain.Address
	body chain.Hash
}

// mostCells bounds the search of one request.
const mostCells = 4096

// asked lists the messages inside the signed request to a wallet. Wallets differ in how they wrap messages, not in the
// messages: each cell of the request that reads as an outgoing message to the end is one.
func asked(request *cell.Cell) []askedMessage {
	if request == nil {
		return nil
	}
	var found []askedMessage
	queue, seen := []*cell.Cell{request}, map[chain.Hash]bool{}
	for len(queue) > 0 && len(seen) < mostCells {
		c := queue[0]
		queue = queue[1:]
		hash := chain.Hash(c.HashKey())
		if seen[hash] || c.IsSpecial() {
			continue
		}
		seen[hash] = true
		if m, ok := outgoing(c); ok {
			found = append(found, m)
			continue
		}
		for i := range int(c.RefsNum()) {
			if child, err := c.PeekRef(i); err == nil {
				queue = append(queue, child)
			}
		}
	}
	return found
}

// outgoing reads a message as a wallet is given it.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
//	  value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32
//	message$_ info init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
func outgoing(c *cell.Cell) (askedMessage, bool) {
	l := contract.Load(c)
	if l.Uint(1) != 0 {
		return askedMessage{}, false
	}
	l.Uint(3)
	l.Address()
	to := l.NeedAddress()
	l.Coins()
	l.MaybeRef()
	l.Coins()
	l.Coins()
	l.Uint(64)
	l.Uint(32)
	if l.Bool() {
		stateInit(l)
	}
	body, _ := l.Either()
	if l.Err() != nil || body == nil || l.BitsLeft() > 0 || l.RefsLeft() > 0 {
		return askedMessage{}, false
	}
	return askedMessage{to: to, body: chain.Hash(body.HashKey())}, true
}

// stateInit skips Either StateInit ^StateInit.
//
//	_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//	  library:(Maybe ^Cell) = StateInit;
func stateInit(l *contract.Loader) {
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
