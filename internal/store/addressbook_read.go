package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// addressBook is an address book on its way from the database.
type addressBook struct {
	rows    []chain.AddressBookRow
	domains []ownDomain
}

// ownDomain is the name of an account.
type ownDomain struct {
	account chain.Address
	domain  string
}

// ask queues the statements of the book.
func (a *addressBook) ask(b *pgx.Batch, addresses []chain.Address, asked any) {
	queue(b, &a.rows, len(addresses), scanAddressBookRow, selectAddressBook, asked)
	queue(b, &a.domains, 0, scanOwnDomain, selectOwnDomains, asked)
}

// AddressBook tells what is known of each address, in the order asked; an unknown address has a row too.
func (r *Reader) AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	var book addressBook
	b := &pgx.Batch{}
	book.ask(b, addresses, addressArray(unique(addresses)))
	if err := r.pipeline(ctx, "address book", b); err != nil {
		return nil, err
	}
	return book.inOrder(addresses), nil
}

// inOrder gives every address its row.
func (a *addressBook) inOrder(addresses []chain.Address) []chain.AddressBookRow {
	known := make(map[chain.Address]*chain.AddressBookRow, len(a.rows))
	for i := range a.rows {
		known[a.rows[i].Address] = &a.rows[i]
	}
	for i := range a.domains {
		if row := known[a.domains[i].account]; row != nil {
			row.Domain = &a.domains[i].domain
		}
	}
	rows := make([]chain.AddressBookRow, len(addresses))
	for i, address := range addresses {
		rows[i].Address = address
		if row := known[address]; row != nil {
			rows[i] = *row
		}
	}
	return rows
}

func scanAddressBookRow(r *row, a *chain.AddressBookRow) {
	a.Known = true
	a.Address = r.address()
	a.CodeHash = r.setHash(&chain.Hash{})
	if a.CodeHash != nil {
		_, a.Wallet = chain.WalletType(*a.CodeHash)
	}
	a.Interfaces = r.texts()
}

func scanOwnDomain(r *row, d *ownDomain) {
	d.account = r.address()
	d.domain = r.text()
}
