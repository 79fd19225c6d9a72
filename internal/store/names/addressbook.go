package names

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// addressBookOf returns the statement for an array of addresses ($1), with or without their interfaces. The domain of an account
// is the shortest one that it owns and that resolves to it.
func addressBookOf(interfaces bool) string {
	column, join := "", ""
	if interfaces {
		column, join = ", i.interfaces", JoinInterfaces
	}
	return `SELECT s.account, s.code_hash, (SELECT d.domain FROM dns_records d
			WHERE d.wallet = s.account AND d.owner = d.wallet ORDER BY length(d.domain), d.domain LIMIT 1)` + column + `
		FROM accounts s` + join + ` WHERE s.account = ANY($1) AND s.status <> 3`
}

// The statements for rows of the address book with and without their interfaces.
var (
	SelectAddressBook      = addressBookOf(true)
	SelectPlainAddressBook = addressBookOf(false)
)

// JoinInterfaces joins code_interfaces i with states s by their code.
const JoinInterfaces = ` LEFT JOIN code_interfaces i ON i.code_hash = s.code_hash`

// SelectInterfaces reads the interfaces of codes.
const SelectInterfaces = `SELECT code_hash, interfaces FROM code_interfaces WHERE code_hash = ANY($1)`

// addressBook are address book rows as the database returned them, in any order.
type addressBook []chain.AddressBookRow

// queue adds the statement to a batch. array is addresses as it is bound. With plain, rows have no interfaces.
func (a *addressBook) queue(b *pgx.Batch, addresses []chain.Address, array any, plain bool) {
	text, scan := SelectAddressBook, scanAddressBookRow
	if plain {
		text, scan = SelectPlainAddressBook, scanPlainAddressBookRow
	}
	sqlbuild.Queue(b, (*[]chain.AddressBookRow)(a), len(addresses), scan, text, array)
}

// inOrder returns one row for each address, in the order of addresses.
func (a addressBook) inOrder(addresses []chain.Address) []chain.AddressBookRow {
	found := make(map[chain.Address]*chain.AddressBookRow, len(a))
	for i := range a {
		found[a[i].Address] = &a[i]
	}
	rows := make([]chain.AddressBookRow, len(addresses))
	for i, address := range addresses {
		rows[i].Address = address
		if row := found[address]; row != nil {
			rows[i] = *row
		}
	}
	return rows
}

func scanAddressBookRow(r *sqlbuild.Row, a *chain.AddressBookRow) {
	scanPlainAddressBookRow(r, a)
	a.Interfaces = r.Texts()
}

func scanPlainAddressBookRow(r *sqlbuild.Row, a *chain.AddressBookRow) {
	a.Known = true
	a.Address = r.Address()
	a.CodeHash = r.SetHash(&chain.Hash{})
	if a.CodeHash != nil {
		a.Wallet = chain.IsWallet(*a.CodeHash)
	}
	a.Domain = r.SetText()
}
