package payment

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// requestedMessage is a message that a wallet was requested to send.
type requestedMessage struct {
	to    chain.Address
	value *big.Int // nanotons
	body  chain.Hash
	// via is the body of the wallet's message to itself that carries this one, as highload wallets do it; nil for a message
	// of the request itself.
	via *chain.Hash
}

// maxCells bounds the cells that are searched in one request.
const maxCells = 4096

// requestedMessages lists the messages inside the signed request to a wallet. Wallets differ in how they wrap messages, not in the
// messages: each cell below the request that reads as an outgoing message to the end is one, and so is each below the body of a
// message to the wallet itself. Wallets take messages from references, so a root never is one; it begins with a signature, and one signature
// in a hundred reads as the header of a message.
func requestedMessages(request *cell.Cell, wallet chain.Address) []requestedMessage {
	if request == nil {
		return nil
	}
	type place struct {
		cell *cell.Cell
		via  *chain.Hash
		root bool // of the request or of a body
	}
	var found []requestedMessage
	queue, seen := []place{{cell: request, root: true}}, map[chain.Hash]bool{}
	for len(queue) > 0 && len(seen) < maxCells {
		at := queue[0]
		queue = queue[1:]
		hash := chain.Hash(at.cell.HashKey())
		if seen[hash] || at.cell.IsSpecial() {
			continue
		}
		seen[hash] = true
		if m, err := contract.ParseRelaxed(at.cell); err == nil && !at.root {
			body := chain.Hash(m.Body.HashKey())
			found = append(found, requestedMessage{to: m.Destination, value: m.Value, body: body, via: at.via})
			if m.Destination == wallet && at.via == nil {
				queue = append(queue, place{cell: m.Body, via: &body, root: true})
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
// which no third party can cause. It is nil for other messages.
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
	return parse(m.BodyBOC())
}
