package v3

import (
	"slices"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// addresses collects the addresses an answer names, each once, in order of appearance.
type addresses struct {
	list []chain.Address
	seen map[chain.Address]struct{} // only once the list is long enough to deserve it
}

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
		for _, known := range a.list {
			a.seen[known] = struct{}{}
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

// readNames reads what an answer tells of the addresses it names. It is the last question of an answer.
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

// appendAddressBook prints the address book of an answer: raw address to row.
func (c *call) appendAddressBook(b []byte, rows []chain.AddressBookRow) []byte {
	b = append(b, '{')
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(handler.AppendAddress(b, &rows[i].Address), ':')
		b = appendAddressBookRow(b, &rows[i], c.svc.TestOnly())
	}
	return append(b, '}')
}

// appendAddressBookRow prints the row of a valid address. Contracts are bounceable; wallets and accounts without known code
// are not, so that coins sent there stay.
func appendAddressBookRow(b []byte, row *chain.AddressBookRow, testOnly bool) []byte {
	bounceable := row.CodeHash != nil && !row.Wallet
	b = append(b, `{"user_friendly":"`...)
	b = append(b, row.Address.Friendly(bounceable, testOnly)...)
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
