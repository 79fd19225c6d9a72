package action

import "tonql/internal/chain"

var named []func(*Message) []*chain.Address

// RegisterNamed registers a function that lists the accounts that a message names in its body. The message has an opcode.
// Elements may be nil. Families call it while the program starts.
func RegisterNamed(f func(*Message) []*chain.Address) { named = append(named, f) }

// Named lists the accounts whose records [Classify] may read although they have no transaction in the trace: those that
// orders to exchanges name, and the destinations of messages that a wallet failed to send. An account may be listed more
// than once.
func Named(t *Trace) []chain.Address {
	all := unsentDestinations(t)
	for _, tx := range t.Transactions {
		if tx.In == nil || tx.In.Opcode == nil {
			continue
		}
		for _, list := range named {
			for _, a := range list(tx.In) {
				if a != nil {
					all = append(all, *a)
				}
			}
		}
	}
	return all
}

// Auctioned lists the items of the auctions in the trace. A bid names neither the item nor its collection, so their records
// are needed, too.
func Auctioned(t *Trace, records Records) []chain.Address {
	var items []chain.Address
	for _, tx := range t.Transactions {
		if a := records.NFTAuction(tx.Account); a != nil && a.Item != nil {
			items = append(items, *a.Item)
		}
	}
	return items
}
