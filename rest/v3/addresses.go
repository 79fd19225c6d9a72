package v3

import (
	"slices"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// addresses collects the distinct addresses of a response, in order of appearance.
type addresses struct {
	list []chain.Address
	seen map[chain.Address]struct{} // set of list; nil while list has at most maxScan elements
}

// maxScan is the length up to which a linear scan is faster than a map.
const maxScan = 16

func (a *addresses) add(address *chain.Address) {
	if address == nil {
		return
	}
	if a.seen == nil {
		if slices.Contains(a.list, *address) {
			return
		}
		if len(a.list) < maxScan {
			a.list = append(a.list, *address)
			return
		}
		a.seen = make(map[chain.Address]struct{}, 8*maxScan)
		for _, listed := range a.list {
			a.seen[listed] = struct{}{}
		}
	}
	if _, ok := a.seen[*address]; !ok {
		a.seen[*address] = struct{}{}
		a.list = append(a.list, *address)
	}
}

func (a *addresses) addAll(list []chain.Address) {
	for i := range list {
		a.add(&list[i])
	}
}

func (a *addresses) addTransaction(t *chain.FullTransaction) {
	a.add(&t.Account)
	if t.InMessage != nil {
		a.add(t.InMessage.Source)
	}
	for i := range t.OutMessages {
		a.add(t.OutMessages[i].Destination)
	}
}

// readNames reads the address book and, if metadata is true, the token metadata of the addresses of a response. It must be
// the last query of a request.
func (c *call) readNames(named *addresses, metadata bool) (addressBook []chain.AddressBookRow, tokens []chain.Metadata, err error) {
	metadata = metadata && c.meta
	switch {
	case len(named.list) == 0:
	case c.addressBook && metadata:
		return c.svc.Last().Named(c.ctx, named.list)
	case c.addressBook:
		addressBook, err = c.svc.Last().AddressBook(c.ctx, named.list)
	case metadata:
		tokens, err = c.svc.Last().Metadata(c.ctx, named.list)
	}
	return addressBook, tokens, err
}

func (c *call) appendAddressBook(b []byte, rows []chain.AddressBookRow) []byte {
	if len(rows) == 0 {
		return append(b, "{}"...)
	}
	return appendAddressBook(b, rows, c.svc.TestOnly())
}

// appendAddressBook appends the address book of a response: raw address to row. testOnly is a flag of user-friendly addresses.
func appendAddressBook(b []byte, rows []chain.AddressBookRow, testOnly bool) []byte {
	b = append(b, '{')
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(handler.AppendAddress(b, &rows[i].Address), ':')
		b = appendAddressBookRow(b, &rows[i], testOnly)
	}
	return append(b, '}')
}

// appendAddressBookRow appends the row of a valid address. The user-friendly address of a contract is bounceable; that of
// a wallet or an account without code is not, so that coins sent to it are not returned.
func appendAddressBookRow(b []byte, row *chain.AddressBookRow, testOnly bool) []byte {
	bounceable := row.CodeHash != nil && !row.Wallet
	b = append(b, `{"user_friendly":"`...)
	b = row.Address.AppendFriendly(b, bounceable, testOnly)
	b = append(b, `","domain":`...)
	if row.Domain == nil {
		b = append(b, "null"...)
	} else {
		b = handler.AppendString(b, *row.Domain)
	}
	b = append(b, `,"interfaces":`...)
	return append(appendStrings(b, row.Interfaces), '}')
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendString(b, s)
	}
	return append(b, ']')
}
