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
	var book addressBook
	var tokens tokenRows
	asked := addressArray(unique(addresses))
	b := &pgx.Batch{}
	book.ask(b, addresses, asked)
	tokens.ask(b, addresses, asked)
	if err := r.pipeline(ctx, "address book and metadata", b); err != nil {
		return nil, nil, err
	}
	return book.inOrder(addresses), tokens.inOrder(), nil
}
