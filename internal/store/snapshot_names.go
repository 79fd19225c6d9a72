package store

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// Naming says that the last question of a snapshot will be the address book of the transactions that [Reader.Full] gives
// next. A small one is then asked for together with their messages, which saves a round trip. Of another Reader it says
// nothing.
func (r *Reader) Naming() *Reader {
	if s, ok := r.pool.(*snapshot); ok {
		s.naming = true
	}
	return r
}

// mostForeseen is how many senders a page may have whose messages are worth looking up a second time.
const mostForeseen = 8

var selectBookOfSent = addressBookOf(`$4 || ARRAY(SELECT m.destination FROM ` + rangesOfAccounts + messagesBetween + `
	WHERE m.destination IS NOT NULL)`)

// foresee queues the address book of what transactions name, if it is not in memory: their accounts, the senders of their
// in-messages, and the receivers of their out-messages, who are found by the way. A message stands under its sender, unless
// it comes from outside or from the system.
func (s *snapshot) foresee(b *pgx.Batch, txs []chain.Transaction, p *parts) {
	if p.own.len() > mostForeseen {
		return
	}
	names := make([]chain.Address, 0, 2*len(txs)+1)
	system := false
	for i := range txs {
		t := &txs[i]
		names = append(names, t.Account)
		switch {
		case t.InMsg == nil:
		case t.InMsg.Account == t.Account:
			system = true
		default:
			names = append(names, t.InMsg.Account)
		}
	}
	if system {
		names = append(names, chain.SystemAddress)
	}
	names = unique(names)
	s.last = true
	if s.names.holds(s.version, names, bookPart) {
		return // who else is named is kept too, probably; else it is asked for afterwards
	}
	f := &foresight{since: s.names.now()}
	s.foreseen = f
	if f.since < s.version {
		f.changes.ask(b, f.since)
	}
	if p.own.len() == 0 {
		f.book.ask(b, names, addressArray(names))
		return
	}
	queue(b, (*[]chain.AddressBookRow)(&f.book), 2*len(names), scanAddressBookRow, selectBookOfSent,
		p.own.accounts, p.own.lts, p.own.last, addressArray(names))
}

// foresight is an address book that was asked for together with the transactions.
type foresight struct {
	book    addressBook
	since   int64 // the version that changes lead on from
	changes nameChanges
}

// take gives the rows of addresses that the transactions name, and lets them be kept.
func (f *foresight) take(s *snapshot, addresses []chain.Address) []chain.AddressBookRow {
	s.names.forget(f.since, s.version, &f.changes)
	s.names.keep(addresses, bookPart, &names{version: s.version, book: f.book})
	return f.book.inOrder(addresses)
}
