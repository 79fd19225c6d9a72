package action

// typeGaslessRequest marks the message with which a relayer delivers the request of a wallet's owner. Like a deployment, it is
// beside the actions of the request, not above them.
const typeGaslessRequest = "gasless_request"

// relays appends the requests in a block that relayers delivered. They are always at the top.
func (e *emitter) relays(b *Block) {
	for _, p := range b.basics() {
		// Messages that other kinds took are not requests to Telegram's wallet: their bodies need not be read.
		telegram := (p == b || b.Type == typeChangeWalletKey) && p.isRelayedTelegram()
		if !telegram && !p.isRelayedV5() {
			continue
		}
		marker := *p
		marker.Type, marker.Kind = typeGaslessRequest, typeGaslessRequest
		a := e.row(&marker)
		a.Columns, a.Success = callColumns(p), !p.Aborted()
		a.Opcode, a.Extra = nil, nil
		e.finish(a, &marker)
		if !e.seen[a.ID] {
			e.seen[a.ID] = true
			e.actions = append(e.actions, a)
		}
	}
}
