package readers

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
)

// Source is where queries are sent: a [Set], where each query reads the newest state of the index, or a snapshot, where all queries
// read one state.
type Source interface {
	sqlbuild.TxSource

	// Snapshot starts a snapshot, whose first query calls asOf with the masterchain block that it has reached. The caller calls done. A snapshot
	// returns itself.
	Snapshot(cache *names.Cache, asOf func(mcSeqno uint32)) (at Source, done func())
	// Last returns the source for the last query, which ends a snapshot.
	Last() Source
	// Immutable returns the source for rows that never change.
	Immutable() sqlbuild.Queryer
	// Named reads parts of the names of addresses.
	Named(ctx context.Context, what string, addresses []chain.Address, want names.Parts) ([]chain.AddressBookRow, []chain.Metadata, error)
	// PrefetchAddressBook adds the rows of addresses to a batch of queries that is the last one, if that saves a round trip. It
	// returns the source for the batch, and nil when nothing was added.
	PrefetchAddressBook(b *pgx.Batch, addresses []chain.Address) (Source, *NameQuery)
}

// Snapshot implements [Source].
func (rs *Set) Snapshot(cache *names.Cache, asOf func(mcSeqno uint32)) (Source, func()) {
	s := &snapshot{from: rs, asOf: asOf, names: cache}
	return s, s.done
}

// Last implements [Source].
func (rs *Set) Last() Source { return rs }

// Immutable implements [Source].
func (rs *Set) Immutable() sqlbuild.Queryer { return rs }

// Named implements [Source].
func (rs *Set) Named(
	ctx context.Context, what string, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	return names.Read(ctx, rs, what, addresses, want) //nolint:wrapcheck // it has the name
}

// PrefetchAddressBook implements [Source].
func (rs *Set) PrefetchAddressBook(*pgx.Batch, []chain.Address) (Source, *NameQuery) {
	return rs, nil
}
