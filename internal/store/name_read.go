package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/names"
)

// AddressBook reads the address book rows of addresses, in their order. An address that is not in the index has a row too.
func (r *Reader) AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	entries, _, err := r.named(ctx, "address book", addresses, names.AddressBook)
	return entries, err
}

// Metadata reads the metadata of the tokens among addresses, by address and kind. For a Jetton wallet it includes the
// metadata of its Jetton master. Addresses that are not tokens are left out.
func (r *Reader) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	_, tokens, err := r.named(ctx, "metadata", addresses, names.Contents|names.Wallet)
	return tokens, err
}

// Named reads the results of [Reader.AddressBook] and [Reader.Metadata] in one round trip.
func (r *Reader) Named(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, []chain.Metadata, error) {
	return r.named(ctx, "address book and metadata", addresses, names.AddressBook|names.Contents|names.Wallet)
}

// NamesFrom returns the numbers of addresses whose rows of the address book or metadata came from memory and from the
// database.
func (r *Reader) NamesFrom() (memory, database uint64) { return r.names.Counts() }

func (r *Reader) named(
	ctx context.Context, what string, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil, nil
	}
	return r.pool.named(ctx, what, addresses, want)
}

func (p poolSource) named(
	ctx context.Context, what string, addresses []chain.Address, want names.Parts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	return names.Read(ctx, p, what, addresses, want) //nolint:wrapcheck // it has the name
}
