package names

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// set are the names of addresses at a version.
type set struct {
	version int64
	entries addressBook
	tokens  tokenRows
}

// queue adds the statements for the wanted parts to a batch. With plain, rows of the address book have no interfaces.
func (s *set) queue(b *pgx.Batch, addresses []chain.Address, want Parts, plain bool) {
	array := sqlbuild.AddressArray(addresses)
	if want&AddressBook != 0 {
		s.entries.queue(b, addresses, array, plain)
	}
	if want&Contents != 0 {
		s.tokens.queue(b, addresses, array)
	}
}

// with merges cached names with names that were read.
func (s *set) with(read *set, addresses []chain.Address, want Parts) ([]chain.AddressBookRow, []chain.Metadata) {
	var entries addressBook
	if want&AddressBook != 0 {
		entries = append(s.entries, read.entries...) // the later of two rows of an address counts
	}
	return entries.inOrder(addresses), append(read.tokens, s.tokens...).inOrder()
}

// Read reads the names of addresses in one round trip, without a cache: rows of the address book in the order of addresses, and metadata by
// address and kind.
func Read(ctx context.Context, from sqlbuild.Source, what string, addresses []chain.Address, want Parts) ([]chain.AddressBookRow, []chain.Metadata, error) {
	var read set
	b := &pgx.Batch{}
	read.queue(b, sqlbuild.Unique(addresses), want, false)
	if err := sqlbuild.SendBatch(ctx, from, what, b); err != nil {
		return nil, nil, err
	}
	return read.entries.inOrder(addresses), read.tokens.inOrder(), nil
}

const (
	// Unread is the version of a snapshot that has not read it yet.
	Unread = -3
	// mixedVersions is the version of names that were read at more than one version.
	mixedVersions = -2
)

// Query reads the names of addresses that are not in memory at the version of a snapshot: if it is not [Query.Complete], its statements are
// [Query.Queue]d, [Query.Add] is called after they were sent and with the interfaces of the codes that it returns, and [Query.Names] has
// the result.
type Query struct {
	cache     *Cache
	addresses []chain.Address
	want      Parts
	cached    set
	missing   []chain.Address
	changes   changes
	read      set
}

// Query looks for names of addresses in memory.
func (c *Cache) Query(addresses []chain.Address, want Parts) *Query {
	q := &Query{cache: c, addresses: addresses, want: want}
	q.cached, q.missing = c.lookup(addresses, want)
	return q
}

// Present reports whether memory has all names, at the version that it had.
func (q *Query) Present() bool { return len(q.missing) == 0 }

// Complete reports whether memory has all names at the version of a snapshot, so that nothing has to be queued.
func (q *Query) Complete(version int64) bool {
	return q.Present() && q.cached.version == version
}

// Queue adds the statements to a batch of a snapshot at a version. Names of another version are not used.
func (q *Query) Queue(b *pgx.Batch, version int64) {
	if version != q.cached.version {
		q.missing, q.cached = q.addresses, set{version: q.cached.version}
		q.changes.queue(b, q.cached.version)
	}
	q.cache.hits.Add(uint64(len(q.addresses) - len(q.missing)))
	q.missing = sqlbuild.Unique(q.missing)
	q.read.queue(b, q.missing, q.want, true)
}

// Cached returns the names of a complete query.
func (q *Query) Cached() ([]chain.AddressBookRow, []chain.Metadata) {
	q.cache.hits.Add(uint64(len(q.addresses)))
	return q.cached.entries, q.cached.tokens.inOrder()
}

// Received ends the sending of what was queued, at a version. It returns the codes whose interfaces are not in memory and have to be read
// ([SelectInterfaces]) for [Query.Names].
func (q *Query) Received(version int64) (codes []chain.Hash) {
	q.read.version = version
	q.cache.advance(q.cached.version, version, &q.changes)
	return q.cache.addInterfaces(version, q.read.entries)
}

// Names returns the names, and adds those that were read to the cache. interfaces are those of the codes that [Query.Received] returned, read at a
// version that may be a newer one.
func (q *Query) Names(version int64, interfaces map[chain.Hash][]string) ([]chain.AddressBookRow, []chain.Metadata) {
	for i := range q.read.entries {
		if hash := q.read.entries[i].CodeHash; hash != nil {
			if list, ok := interfaces[*hash]; ok {
				q.read.entries[i].Interfaces = list
			}
		}
	}
	if version != q.read.version {
		q.read.version = mixedVersions // the index has changed in between
	}
	q.cache.add(q.missing, q.want, &q.read)
	return q.cached.with(&q.read, q.addresses, q.want)
}
