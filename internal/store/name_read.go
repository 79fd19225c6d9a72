package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// names is what addresses are called, as of a version of the names.
type names struct {
	version int64
	book    addressBook
	tokens  tokenRows
}

// selectNameChanges tells what has changed since a version, unless that is so long ago that forgetting everything is
// cheaper.
const selectNameChanges = `SELECT c.accounts, c.codes FROM name_changes c
	WHERE c.version > $1 AND (SELECT n.version FROM names_version n) - $1 <= 256`

// unkept is the version of what was read as of no single one.
const unkept = -2

// AddressBook tells what is known of each address, in the order asked; an unknown address has a row too.
func (r *Reader) AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	book, _, err := r.named(ctx, "address book", addresses, bookPart)
	return book, err
}

// Metadata tells what is known of the tokens among addresses, by address and kind. A Jetton wallet brings its master's.
// Addresses of anything else are left out.
func (r *Reader) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	_, tokens, err := r.named(ctx, "metadata", addresses, contentsPart|walletPart)
	return tokens, err
}

// Named tells what [Reader.AddressBook] and [Reader.Metadata] tell of addresses, in one round trip.
func (r *Reader) Named(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, []chain.Metadata, error) {
	return r.named(ctx, "address book and metadata", addresses, bookPart|contentsPart|walletPart)
}

func (r *Reader) named(
	ctx context.Context, what string, addresses []chain.Address, want nameParts,
) ([]chain.AddressBookRow, []chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil, nil
	}
	s, ok := r.pool.(*snapshot)
	if !ok {
		var read names
		b := &pgx.Batch{}
		read.ask(b, unique(addresses), want, false)
		if err := r.pipeline(ctx, what, b); err != nil {
			return nil, nil, err
		}
		return read.book.inOrder(addresses), read.tokens.inOrder(), nil
	}
	if s.foreseen != nil && want == bookPart {
		book, err := s.foreseen.take(ctx, s, addresses)
		return book, nil, fault(ctx, what, err)
	}
	known, lacking := s.names.recall(addresses, want)
	if !s.begun && len(lacking) == 0 {
		if err := s.ask(ctx, nil); err != nil { // only which version it is
			return nil, nil, fault(ctx, what, err)
		}
	}
	if s.begun && known.version == s.version && len(lacking) == 0 {
		s.names.told.Add(uint64(len(addresses)))
		return known.book, known.tokens.inOrder(), nil
	}
	if s.ended { // it was expected that nothing would be lacking
		if err := s.again(ctx); err != nil {
			return nil, nil, fault(ctx, what, err)
		}
	}
	var changes nameChanges
	var read names
	b := &pgx.Batch{}
	if !s.begun || s.version != known.version {
		lacking, known = addresses, names{version: known.version}
		changes.ask(b, known.version)
	}
	s.names.told.Add(uint64(len(addresses) - len(lacking)))
	lacking = unique(lacking)
	read.ask(b, lacking, want, true)
	if err := r.pipeline(ctx, what, b); err != nil {
		return nil, nil, err
	}
	read.version = s.version
	s.names.forget(known.version, s.version, &changes)
	if err := s.addInterfaces(ctx, &read); err != nil {
		return nil, nil, fault(ctx, what, err)
	}
	s.names.keep(lacking, want, &read)
	return known.with(&read, addresses, want)
}

// ask queues the questions for the wanted parts; bare rows of the book come without interfaces.
func (n *names) ask(b *pgx.Batch, addresses []chain.Address, want nameParts, bare bool) {
	asked := addressArray(addresses)
	if want&bookPart != 0 {
		n.book.ask(b, addresses, asked, bare)
	}
	if want&contentsPart != 0 {
		n.tokens.ask(b, addresses, asked)
	}
}

func (c *nameChanges) ask(b *pgx.Batch, since int64) {
	b.Queue(selectNameChanges, since).Query(func(rows pgx.Rows) error {
		return visitRows(rows, func(r *row) { scanNameChange(r, c) })
	})
}

// with completes what was known with what was read.
func (n *names) with(read *names, addresses []chain.Address, want nameParts) ([]chain.AddressBookRow, []chain.Metadata, error) {
	var book addressBook
	if want&bookPart != 0 {
		book = append(n.book, read.book...) // of two rows the later one counts
	}
	return book.inOrder(addresses), append(read.tokens, n.tokens...).inOrder(), nil
}
