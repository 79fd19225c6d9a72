package dns

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// maxEntries bounds a dictionary of records: names that people use have a handful.
const maxEntries = 256

// Entries lists the records of a dictionary by category, ascending. What is no record is left out.
func Entries(dict *cell.Cell) []chain.DNSEntry {
	if dict == nil || dict.IsSpecial() {
		return nil
	}
	it, err := dict.AsDict(256).Iterator(false, false)
	if err != nil {
		return nil
	}
	var list []chain.DNSEntry
	for n := 0; n < maxEntries && it.Next(); n++ {
		item := it.Item()
		key, err := item.Key.BeginParse()
		if err != nil {
			continue
		}
		category, err := key.LoadSlice(256)
		if err != nil {
			continue
		}
		record := item.Value
		if record.BitsLeft() == 0 {
			c, err := record.LoadRefCell()
			if err != nil {
				continue
			}
			if record, err = c.BeginParse(); err != nil {
				continue
			}
		}
		e := ParseEntry(record)
		e.Category = chain.HashFrom(category)
		list = append(list, e)
	}
	return list
}

// ParseEntry reads a record by its tag. The slice stays as it is.
func ParseEntry(record *cell.Slice) chain.DNSEntry {
	var e chain.DNSEntry
	e.Cell, _ = record.Copy().ToCell() // a slice that makes no cell is shown as nothing
	l := contract.LoadSlice(record.Copy())
	switch l.Uint(16) {
	case tagWallet:
		if a := l.Address(); l.Err() == nil {
			e.Wallet = a
		}
	case tagNextResolver:
		if a := l.Address(); l.Err() == nil {
			e.NextResolver = a
		}
	case tagADNL:
		if h := l.Hash(); l.Err() == nil {
			e.ADNL = &h
		}
	case tagStorage:
		if h := l.Hash(); l.Err() == nil {
			e.StorageBag = &h
		}
	case tagText:
		if text, ok := readText(l); ok {
			e.Text = &text
		}
	}
	return e
}
