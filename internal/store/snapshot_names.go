package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// prefetchAddressBook adds the rows of addresses to a batch, unless they are in memory.
func (s *snapshot) prefetchAddressBook(b *pgx.Batch, addresses []chain.Address) (source, *nameQuery) {
	if !s.begun || s.ended {
		return s, nil
	}
	q := s.lookup(addresses, addressPart)
	if !q.complete() {
		q.queue(b)
	}
	return s.final(), q
}

// nameQuery reads the names of addresses that are not in memory at the version of a snapshot.
type nameQuery struct {
	snapshot  *snapshot
	addresses []chain.Address
	want      nameParts
	cached    names
	missing   []chain.Address
	changes   nameChanges
	read      names
}

func (s *snapshot) lookup(addresses []chain.Address, want nameParts) *nameQuery {
	q := &nameQuery{snapshot: s, addresses: addresses, want: want}
	q.cached, q.missing = s.names.lookup(addresses, want)
	return q
}

// complete reports whether all names were in memory, so that nothing is queued.
func (q *nameQuery) complete() bool {
	s := q.snapshot
	return s.begun && q.cached.version == s.version && len(q.missing) == 0
}

// queue adds the statements to a batch. Names of another version are not used.
func (q *nameQuery) queue(b *pgx.Batch) {
	s := q.snapshot
	if !s.begun || s.version != q.cached.version {
		q.missing, q.cached = q.addresses, names{version: q.cached.version}
		q.changes.queue(b, q.cached.version)
	}
	s.names.hits.Add(uint64(len(q.addresses) - len(q.missing)))
	q.missing = sqlbuild.Unique(q.missing)
	q.read.queue(b, q.missing, q.want, true)
}

// finish returns the names, after the batch was sent if they were queued, and adds those that were read to the cache. last is whether
// the next query is the last one.
func (q *nameQuery) finish(ctx context.Context, last bool) ([]chain.AddressBookRow, []chain.Metadata, error) {
	s := q.snapshot
	if q.complete() {
		s.names.hits.Add(uint64(len(q.addresses)))
		return q.cached.entries, q.cached.tokens.inOrder(), nil
	}
	q.read.version = s.version
	s.names.advance(q.cached.version, s.version, &q.changes)
	if err := s.addInterfaces(ctx, last, &q.read); err != nil {
		return nil, nil, err
	}
	s.names.add(q.missing, q.want, &q.read)
	entries, tokens := q.cached.with(&q.read, q.addresses, q.want)
	return entries, tokens, nil
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
	q := s.lookup(addresses, want)
	if !s.begun && len(q.missing) == 0 {
		if err := s.start(ctx, last, nil); err != nil { // reads the version only
			return nil, nil, err
		}
	}
	if q.complete() {
		return q.finish(ctx, last)
	}
	if s.ended { // the last query was sent in the expectation that no name would be missing
		if err := s.restart(ctx); err != nil {
			return nil, nil, err
		}
	}
	b := &pgx.Batch{}
	q.queue(b)
	if err := s.sendBatch(ctx, last, b).Close(); err != nil {
		return nil, nil, err
	}
	return q.finish(ctx, last)
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
// together with the ends of the messages, which saves a round trip, if all transactions are raw. It is the last query of a
// snapshot, like those of [Reader.Last].
func (r *Reader) FullNamed(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, []chain.AddressBookRow, error) {
	if len(txs) == 0 {
		return nil, nil, nil
	}
	q := transactions.NewFullQuery(ctx, &r.transactionReader, txs)
	from := r.pool
	var names *nameQuery
	if full, ok := q.Named(); ok {
		from, names = from.prefetchAddressBook(&q.Batch, namedBy(full))
	}
	if q.Batch.Len() > 0 {
		if err := sqlbuild.SendBatch(sqlbuild.Checked(ctx), from, transactions.FullName, &q.Batch); err != nil {
			return nil, nil, err
		}
	}
	full, err := q.Assemble(ctx, &r.transactionReader)
	if err != nil {
		return nil, nil, err
	}
	if names != nil {
		entries, _, err := names.finish(ctx, true)
		return full, entries, sqlbuild.Fault(ctx, "address book", err)
	}
	entries, err := r.Last().AddressBook(ctx, namedBy(full))
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
