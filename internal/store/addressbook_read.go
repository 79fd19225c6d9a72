package store

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// addressBookOf is the statement for an array of addresses. The domain of an account is the shortest that it owns and that
// stands for it.
func addressBookOf(addresses string) string {
	return `SELECT s.account, s.code_hash, i.interfaces, (SELECT d.domain FROM dns_records d
			WHERE d.wallet = s.account AND d.owner = d.wallet ORDER BY length(d.domain), d.domain LIMIT 1)
		FROM accounts s LEFT JOIN code_interfaces i ON i.code_hash = s.code_hash
		WHERE s.account = ANY(` + addresses + `) AND s.status <> 3`
}

// addressBook is an address book on its way from the database.
type addressBook []chain.AddressBookRow

func (a *addressBook) ask(b *pgx.Batch, addresses []chain.Address, asked any) {
	queue(b, (*[]chain.AddressBookRow)(a), len(addresses), scanAddressBookRow, selectAddressBook, asked)
}

// inOrder gives every address its row.
func (a addressBook) inOrder(addresses []chain.Address) []chain.AddressBookRow {
	known := make(map[chain.Address]*chain.AddressBookRow, len(a))
	for i := range a {
		known[a[i].Address] = &a[i]
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
	a.Domain = r.setText()
}
