package store

import (
	"context"

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

// maxForeseen is how many senders a page may have whose messages are worth looking up a second time.
const maxForeseen = 8

var selectBookOfSent = addressBookOf(`$4 || ARRAY(SELECT m.destination FROM `+rangesOfAccounts+messagesBetween+`
	WHERE m.destination IS NOT NULL)`, false)

// foresee queues the address book of what transactions name, if it is not in memory: their accounts, the senders of their
// in-messages, and the receivers of their out-messages, who are found by the way. A message stands under its sender, unless
// it comes from outside or from the system.
func (s *snapshot) foresee(b *pgx.Batch, txs []chain.Transaction, p *parts) {
	if p.own.len() > maxForeseen {
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
		f.book.ask(b, names, addressArray(names), true)
		return
	}
	queue(b, (*[]chain.AddressBookRow)(&f.book), 2*len(names), scanBareBookRow, selectBookOfSent,
		p.own.accounts, p.own.lts, p.own.last, addressArray(names))
}

// foresight is an address book that was asked for together with the transactions.
type foresight struct {
	book    addressBook
	since   int64 // the version that changes lead on from
	changes nameChanges
}

// take gives the rows of addresses that the transactions name, and lets them be kept.
func (f *foresight) take(ctx context.Context, s *snapshot, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	s.names.forget(f.since, s.version, &f.changes)
	read := names{version: s.version, book: f.book}
	if err := s.addInterfaces(ctx, &read); err != nil {
		return nil, err
	}
	s.names.keep(addresses, bookPart, &read)
	return read.book.inOrder(addresses), nil
}

// addInterfaces completes bare rows: from memory, and with a question where that does not hold a code.
func (s *snapshot) addInterfaces(ctx context.Context, read *names) error {
	unknown := s.names.addInterfaces(read.version, read.book)
	if len(unknown) == 0 {
		return nil
	}
	if s.ended {
		if err := s.again(ctx); err != nil {
			return err
		}
	}
	known := make(map[chain.Hash][]string, len(unknown))
	err := each(ctx, s, "interfaces of codes", func(r *row) {
		hash := r.hash()
		known[hash] = r.texts()
	}, selectInterfaces, hashArray(unknown))
	if err != nil {
		return err
	}
	for i := range read.book {
		if hash := read.book[i].CodeHash; hash != nil {
			if interfaces, ok := known[*hash]; ok {
				read.book[i].Interfaces = interfaces
			}
		}
	}
	if s.version != read.version {
		read.version = unkept // meanwhile something has changed
	}
	return nil
}
