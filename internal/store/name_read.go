package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/names"
	"tonql/internal/store/readers"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
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
	return r.pool.Named(ctx, what, addresses, want)
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
	var query *readers.NameQuery
	if full, ok := q.Named(); ok {
		from, query = from.PrefetchAddressBook(&q.Batch, namedBy(full))
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
		entries, _, err := query.Finish(ctx, true)
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
