package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// prefetchAddressBook adds the rows of addresses to a batch, unless they are in memory.
func (s *snapshot) prefetchAddressBook(b *pgx.Batch, addresses []chain.Address) (source, *nameQuery) {
	if !s.begun || s.ended {
		return s, nil
	}
	q := s.lookup(addresses, names.AddressBook)
	if !q.complete() {
		q.Queue(b, s.namesVersion())
	}
	return s.final(), q
}

// nameQuery reads the names of addresses in a snapshot.
type nameQuery struct {
	*names.Query

	snapshot *snapshot
}

func (s *snapshot) lookup(addresses []chain.Address, want names.Parts) *nameQuery {
	return &nameQuery{s.names.Query(addresses, want), s}
}

// namesVersion is the version of the names in the snapshot.
func (s *snapshot) namesVersion() int64 {
	if !s.begun {
		return names.Unread
	}
	return s.version
}

// complete reports whether all names were in memory, so that nothing is queued.
func (q *nameQuery) complete() bool { return q.Complete(q.snapshot.namesVersion()) }

// finish returns the names, after the batch was sent if they were queued, and adds those that were read to the cache. last is whether
// the next query is the last one.
func (q *nameQuery) finish(ctx context.Context, last bool) ([]chain.AddressBookRow, []chain.Metadata, error) {
	if q.complete() {
		entries, tokens := q.Cached()
		return entries, tokens, nil
	}
	interfaces, err := q.snapshot.interfaces(ctx, last, q.Received(q.snapshot.version))
	if err != nil {
		return nil, nil, err
	}
	entries, tokens := q.Names(q.snapshot.version, interfaces)
	return entries, tokens, nil
}

// named reads names through the cache. See [names.Cache].
func (s *snapshot) named(
	ctx context.Context, what string, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	entries, tokens, err := s.readNames(ctx, false, addresses, want)
	return entries, tokens, sqlbuild.Fault(ctx, what, err)
}

func (f finalQuery) named(
	ctx context.Context, what string, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	entries, tokens, err := f.readNames(ctx, true, addresses, want)
	return entries, tokens, sqlbuild.Fault(ctx, what, err)
}

func (s *snapshot) readNames(
	ctx context.Context, last bool, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	q := s.lookup(addresses, want)
	if !s.begun && q.Present() {
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
	q.Queue(b, s.namesVersion())
	if err := s.sendBatch(ctx, last, b).Close(); err != nil {
		return nil, nil, err
	}
	return q.finish(ctx, last)
}

// interfaces reads the interfaces of codes.
func (s *snapshot) interfaces(ctx context.Context, last bool, codes []chain.Hash) (map[chain.Hash][]string, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	if s.ended {
		if err := s.restart(ctx); err != nil {
			return nil, err
		}
	}
	interfaces := make(map[chain.Hash][]string, len(codes))
	rows, err := s.query(ctx, last, names.SelectInterfaces, []any{sqlbuild.HashArray(codes)})
	if err != nil {
		return nil, err
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		hash := r.Hash()
		interfaces[hash] = r.Texts()
	})
	if err != nil {
		return nil, fmt.Errorf("interfaces of codes: %w", err)
	}
	return interfaces, nil
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
	var query *nameQuery
	if full, ok := q.Named(); ok {
		from, query = from.prefetchAddressBook(&q.Batch, namedBy(full))
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
	if query != nil {
		entries, _, err := query.finish(ctx, true)
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
