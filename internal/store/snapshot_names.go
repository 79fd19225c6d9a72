package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// maxPrefetchSenders is the largest number of senders of a page whose messages are worth a second lookup.
const maxPrefetchSenders = 8

var selectAddressBookOfSent = addressBookOf(`$4 || ARRAY(SELECT m.destination FROM `+transactions.RangesOfAccounts+transactions.MessagesBetween+`
	WHERE m.destination IS NOT NULL)`, false)

// prefetchAddressBook adds the address book of transactions to a batch, unless it is in memory: the rows of their accounts, of the
// sources of their in-messages, and of the destinations of their out-messages, which the statement looks up. A message is
// stored under its source, unless it comes from outside or from the system.
func (s *snapshot) prefetchAddressBook(b *pgx.Batch, txs []chain.Transaction, p *transactions.Parts) (source, *prefetchedAddressBook) {
	if p.Own.Len() > maxPrefetchSenders {
		return s, nil
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
	names = sqlbuild.Unique(names)
	if s.names.has(s.version, names, addressPart) {
		return s.final(), nil // the other names are probably in memory too; otherwise another query reads them
	}
	f := &prefetchedAddressBook{snapshot: s, since: s.names.current()}
	if f.since < s.version {
		f.changes.queue(b, f.since)
	}
	if p.Own.Len() == 0 {
		f.entries.queue(b, names, sqlbuild.AddressArray(names), true)
		return s.final(), f
	}
	sqlbuild.Queue(b, (*[]chain.AddressBookRow)(&f.entries), 2*len(names), scanPlainAddressBookRow, selectAddressBookOfSent,
		p.Own.Accounts, p.Own.LTs, p.Own.Last, sqlbuild.AddressArray(names))
	return s.final(), f
}

// prefetchedAddressBook is an address book that was read together with the messages of transactions.
type prefetchedAddressBook struct {
	snapshot *snapshot
	entries  addressBook
	since    int64 // the version at which changes begins
	changes  nameChanges
}

// rows returns the rows of addresses that the transactions name, and adds them to the cache.
func (f *prefetchedAddressBook) rows(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	s := f.snapshot
	s.names.advance(f.since, s.version, &f.changes)
	read := names{version: s.version, entries: f.entries}
	if err := s.addInterfaces(ctx, true, &read); err != nil {
		return nil, sqlbuild.Fault(ctx, "address book", err)
	}
	s.names.add(addresses, addressPart, &read)
	return read.entries.inOrder(addresses), nil
}

// named reads names through the cache. See [nameCache].
func (s *snapshot) named(
	ctx context.Context, what string, addresses []chain.Address, want nameParts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	entries, tokens, err := s.readNames(ctx, false, addresses, want)
	return entries, tokens, sqlbuild.Fault(ctx, what, err)
}

func (f finalQuery) named(
	ctx context.Context, what string, addresses []chain.Address, want nameParts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	entries, tokens, err := f.readNames(ctx, true, addresses, want)
	return entries, tokens, sqlbuild.Fault(ctx, what, err)
}

func (s *snapshot) readNames(
	ctx context.Context, last bool, addresses []chain.Address, want nameParts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	cached, missing := s.names.lookup(addresses, want)
	if !s.begun && len(missing) == 0 {
		if err := s.start(ctx, last, nil); err != nil { // reads the version only
			return nil, nil, err
		}
	}
	if s.begun && cached.version == s.version && len(missing) == 0 {
		s.names.hits.Add(uint64(len(addresses)))
		return cached.entries, cached.tokens.inOrder(), nil
	}
	if s.ended { // the last query was sent in the expectation that no name would be missing
		if err := s.restart(ctx); err != nil {
			return nil, nil, err
		}
	}
	var changes nameChanges
	var read names
	b := &pgx.Batch{}
	if !s.begun || s.version != cached.version {
		missing, cached = addresses, names{version: cached.version}
		changes.queue(b, cached.version)
	}
	s.names.hits.Add(uint64(len(addresses) - len(missing)))
	missing = sqlbuild.Unique(missing)
	read.queue(b, missing, want, true)
	if err := s.sendBatch(ctx, last, b).Close(); err != nil {
		return nil, nil, err
	}
	read.version = s.version
	s.names.advance(cached.version, s.version, &changes)
	if err := s.addInterfaces(ctx, last, &read); err != nil {
		return nil, nil, err
	}
	s.names.add(missing, want, &read)
	entries, tokens := cached.with(&read, addresses, want)
	return entries, tokens, nil
}

// addInterfaces adds the interfaces to rows that were read without: from memory, and by a query for the codes that are not
// in memory.
func (s *snapshot) addInterfaces(ctx context.Context, last bool, read *names) error {
	missing := s.names.addInterfaces(read.version, read.entries)
	if len(missing) == 0 {
		return nil
	}
	if s.ended {
		if err := s.restart(ctx); err != nil {
			return err
		}
	}
	interfaces := make(map[chain.Hash][]string, len(missing))
	rows, err := s.query(ctx, last, selectInterfaces, []any{sqlbuild.HashArray(missing)})
	if err != nil {
		return err
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		hash := r.Hash()
		interfaces[hash] = r.Texts()
	})
	if err != nil {
		return fmt.Errorf("interfaces of codes: %w", err)
	}
	for i := range read.entries {
		if hash := read.entries[i].CodeHash; hash != nil {
			if list, ok := interfaces[*hash]; ok {
				read.entries[i].Interfaces = list
			}
		}
	}
	if s.version != read.version {
		read.version = mixedVersions // the index has changed in between
	}
	return nil
}

// FullNamed returns the result of [Reader.Full] with the address book of the transactions: their accounts, the sources of
// their in-messages and the destinations of their out-messages, each once, in order of appearance. It reads the address book
// of a small page together with the messages, which saves a round trip. It is the last query of a snapshot, like those of
// [Reader.Last].
func (r *Reader) FullNamed(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, []chain.AddressBookRow, error) {
	if len(txs) == 0 {
		return nil, nil, nil
	}
	q := transactions.NewFullQuery(txs)
	from, prefetched := r.pool.prefetchAddressBook(&q.Batch, txs, &q.Parts)
	if q.Batch.Len() > 0 {
		if err := sqlbuild.SendBatch(ctx, from, transactions.FullName, &q.Batch); err != nil {
			return nil, nil, err
		}
	}
	full, err := q.Assemble(ctx, &r.transactionReader)
	if err != nil {
		return nil, nil, err
	}
	addresses := namedBy(full)
	if prefetched != nil {
		entries, err := prefetched.rows(ctx, addresses)
		return full, entries, err
	}
	entries, err := r.Last().AddressBook(ctx, addresses)
	return full, entries, err
}

// namedBy returns the addresses that [Reader.FullNamed] describes.
func namedBy(full []chain.FullTransaction) []chain.Address {
	addresses := make([]chain.Address, 0, 3*len(full))
	for i := range full {
		t := &full[i]
		addresses = append(addresses, t.Account)
		if t.InMessage != nil && t.InMessage.Source != nil {
			addresses = append(addresses, *t.InMessage.Source)
		}
		for k := range t.OutMessages {
			if to := t.OutMessages[k].Destination; to != nil {
				addresses = append(addresses, *to)
			}
		}
	}
	return sqlbuild.Unique(addresses)
}
