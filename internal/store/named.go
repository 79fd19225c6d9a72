package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// Named tells what [Reader.AddressBook] and [Reader.Metadata] tell of addresses, in one round trip.
func (r *Reader) Named(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, []chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil, nil
	}
	var known []chain.AddressBookRow
	var tokens []chain.Metadata
	asked := addressArray(unique(addresses))
	b := &pgx.Batch{}
	queue(b, &known, len(addresses), scanAddressBookRow, selectAddressBook, asked)
	queue(b, &tokens, len(addresses), scanMetadata, selectMetadata, asked)
	if err := r.pipeline(ctx, "address book and metadata", b); err != nil {
		return nil, nil, err
	}
	return inOrder(addresses, known), tokens, nil
}
