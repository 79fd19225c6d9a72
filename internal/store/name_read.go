package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// names are the names of addresses at a version.
type names struct {
	version int64
	entries addressBook
	tokens  tokenRows
}

// selectNameChanges reads the changes since a version. It returns no rows when there are so many that emptying the cache is
// cheaper.
const selectNameChanges = `SELECT c.accounts, c.codes FROM name_changes c
	WHERE c.version > $1 AND (SELECT n.version FROM names_version n) - $1 <= 256`

// mixedVersions is the version of names that were read at more than one version.
const mixedVersions = -2

// AddressBook reads the address book rows of addresses, in their order. An address that is not in the index has a row too.
func (r *Reader) AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	entries, _, err := r.named(ctx, "address book", addresses, addressPart)
	return entries, err
}

// Metadata reads the metadata of the tokens among addresses, by address and kind. For a Jetton wallet it includes the
// metadata of its Jetton master. Addresses that are not tokens are left out.
func (r *Reader) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	_, tokens, err := r.named(ctx, "metadata", addresses, contentsPart|walletPart)
	return tokens, err
}

// Named reads the results of [Reader.AddressBook] and [Reader.Metadata] in one round trip.
func (r *Reader) Named(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, []chain.Metadata, error) {
	return r.named(ctx, "address book and metadata", addresses, addressPart|contentsPart|walletPart)
}

func (r *Reader) named(
	ctx context.Context, what string, addresses []chain.Address, want nameParts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil, nil
	}
	return r.pool.named(ctx, what, addresses, want)
}

func (p poolSource) named(
	ctx context.Context, what string, addresses []chain.Address, want nameParts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	var read names
	b := &pgx.Batch{}
	read.queue(b, sqlbuild.Unique(addresses), want, false)
	if err := sqlbuild.SendBatch(ctx, p, what, b); err != nil {
		return nil, nil, err
	}
	return read.entries.inOrder(addresses), read.tokens.inOrder(), nil
}

// queue adds the statements for the wanted parts to a batch. With plain, rows of the address book have no interfaces.
func (n *names) queue(b *pgx.Batch, addresses []chain.Address, want nameParts, plain bool) {
	array := sqlbuild.AddressArray(addresses)
	if want&addressPart != 0 {
		n.entries.queue(b, addresses, array, plain)
	}
	if want&contentsPart != 0 {
		n.tokens.queue(b, addresses, array)
	}
}

func (c *nameChanges) queue(b *pgx.Batch, since int64) {
	b.Queue(selectNameChanges, since).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { scanNameChange(r, c) })
	})
}

// with merges cached names with names that were read.
func (n *names) with(read *names, addresses []chain.Address, want nameParts) ([]chain.AddressBookRow, []chain.Metadata) {
	var entries addressBook
	if want&addressPart != 0 {
		entries = append(n.entries, read.entries...) // the later of two rows of an address counts
	}
	return entries.inOrder(addresses), append(read.tokens, n.tokens...).inOrder()
}
