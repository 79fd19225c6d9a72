package readers

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
)

// PrefetchAddressBook adds the rows of addresses to a batch, unless they are in memory.
func (s *snapshot) PrefetchAddressBook(b *pgx.Batch, addresses []chain.Address) (Source, *NameQuery) {
	if !s.begun || s.ended {
		return s, nil
	}
	q := s.lookup(addresses, names.AddressBook)
	if !q.complete() {
		q.Queue(b, s.namesVersion())
	}
	return s.Last(), q
}

// NameQuery reads the names of addresses in a snapshot.
type NameQuery struct {
	*names.Query

	snapshot *snapshot
}

func (s *snapshot) lookup(addresses []chain.Address, want names.Parts) *NameQuery {
	return &NameQuery{s.names.Query(addresses, want), s}
}

// namesVersion is the version of the names in the snapshot.
func (s *snapshot) namesVersion() int64 {
	if !s.begun {
		return names.Unread
	}
	return s.version
}

// complete reports whether all names were in memory, so that nothing is queued.
func (q *NameQuery) complete() bool { return q.Complete(q.snapshot.namesVersion()) }

// Finish returns the names, after the batch was sent if they were queued, and adds those that were read to the cache. last is whether
// the next query is the last one.
func (q *NameQuery) Finish(ctx context.Context, last bool) ([]chain.AddressBookRow, []chain.Metadata, error) {
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

// Named reads names through the cache. See [names.Cache].
func (s *snapshot) Named(
	ctx context.Context, what string, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	entries, tokens, err := s.readNames(ctx, false, addresses, want)
	return entries, tokens, sqlbuild.Fault(ctx, what, err)
}

// Named reads names by the last query.
func (f finalQuery) Named(
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
		return q.Finish(ctx, last)
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
	return q.Finish(ctx, last)
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
