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
	// via is the body of the wallet's message to itself that carries this one, as highload wallets do it; nil for a message
	// that the request itself asks for.
	via *chain.Hash
}

// mostCells bounds the search of one request.
const mostCells = 4096

// asked lists the messages inside the signed request to a wallet. Wallets differ in how they wrap messages, not in the
// messages: each cell of the request that reads as an outgoing message to the end is one, and so is each in the body of a
// message to the wallet itself.
func asked(request *cell.Cell, wallet chain.Address) []askedMessage {
	if request == nil {
		return nil
	}
	type place struct {
		cell *cell.Cell
		via  *chain.Hash
	}
	var found []askedMessage
	queue, seen := []place{{cell: request}}, map[chain.Hash]bool{}
	for len(queue) > 0 && len(seen) < mostCells {
		at := queue[0]
		queue = queue[1:]
		hash := chain.Hash(at.cell.HashKey())
		if seen[hash] || at.cell.IsSpecial() {
			continue
		}
		seen[hash] = true
		if m, body, ok := outgoing(at.cell); ok {
			m.via = at.via
			found = append(found, m)
			if m.to == wallet && at.via == nil {
				queue = append(queue, place{cell: body, via: &m.body})
			}
			continue
		}
		for i := range int(at.cell.RefsNum()) {
			if child, err := at.cell.PeekRef(i); err == nil {
				queue = append(queue, place{cell: child, via: at.via})
			}
		}
	}
	return found
}

// requestOf is the request that a transaction's in-message makes to a wallet: a signed one from outside, the wallet's own
// message to itself, or one that somebody else relayed. The last counts only when the wallet obeyed and left something out,
// which no stranger can bring about. It is nil for other messages.
func requestOf(tx *chain.TraceTransaction) *cell.Cell {
	m := tx.In
	switch {
	case m.Kind == chain.ExternalIn:
	case m.Source == nil || isBounced(m):
		return nil
	case *m.Source == tx.Account:
	case tx.Description.Action == nil || tx.Description.Action.SkippedActions == 0:
		return nil
	}
	return parse(m.Body)
}

// outgoing reads a message as a wallet is given it, and its body.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
//	  value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32
//	message$_ info init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
func outgoing(c *cell.Cell) (m askedMessage, body *cell.Cell, ok bool) {
	l := contract.Load(c)
	if l.Uint(1) != 0 {
		return askedMessage{}, nil, false
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
	body, _ = l.Either()
	if l.Err() != nil || body == nil || l.BitsLeft() > 0 || l.RefsLeft() > 0 {
		return askedMessage{}, nil, false
	}
	return askedMessage{to: to, body: chain.Hash(body.HashKey())}, body, true
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
