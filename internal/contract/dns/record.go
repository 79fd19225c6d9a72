package dns

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Tags of records.
const (
	tagWallet       = 0x9fd3
	tagADNL         = 0xad01
	tagStorage      = 0x7473
	tagNextResolver = 0xba93
	tagText         = 0x1eda
)

// maxTextCells bounds a text: TEP-81 counts its chunks in one byte.
const maxTextCells = 255

// Records are the records of a name that we know.
type Records struct {
	Wallet       *chain.Address
	NextResolver *chain.Address
	SiteADNL     *chain.Hash
	StorageBag   *chain.Hash
	Text         *string
}

// ParseRecords reads a dictionary of records. A record that cannot be read, or that is not what its category says, is
// left out: each stands for itself.
//
//	_ (HashmapE 256 ^DNSRecord) = DNS_RecordSet;
func ParseRecords(dict *cell.Cell) Records {
	var found Records
	if dict == nil || dict.IsSpecial() {
		return found
	}
	d := dict.AsDict(256)
	for _, category := range []string{"wallet", "site", "storage", "dns_next_resolver", "text"} {
		sum := sha256.Sum256([]byte(category))
		leaf, err := d.LoadValueByBytesKey(sum[:])
		if err != nil || leaf == nil {
			continue
		}
		if leaf.BitsLeft() == 0 {
			record, err := leaf.LoadRefCell()
			if err != nil {
				continue
			}
			found.add(category, contract.Load(record))
			continue
		}
		found.add(category, contract.LoadSlice(leaf)) // in place, as early contracts store it
	}
	return found
}

func (r *Records) add(category string, l *contract.Loader) {
	tag := l.Uint(16)
	switch {
	case category == "wallet" && tag == tagWallet:
		if a := l.Address(); l.Err() == nil {
			r.Wallet = a
		}
	case category == "dns_next_resolver" && tag == tagNextResolver:
		if a := l.Address(); l.Err() == nil {
			r.NextResolver = a
		}
	case category == "site" && tag == tagADNL:
		if h := l.Hash(); l.Err() == nil {
			r.SiteADNL = &h
		}
	case category == "storage" && tag == tagStorage:
		if h := l.Hash(); l.Err() == nil {
			r.StorageBag = &h
		}
	case category == "text" && tag == tagText:
		if text, ok := readText(l); ok {
			r.Text = &text
		}
	}
}

// readText joins the chunks of a text; every chunk but the first lies in a reference of the one before.
func readText(l *contract.Loader) (string, bool) {
	var out strings.Builder
	chunks := min(int(l.Uint(8)), maxTextCells)
	for i := range chunks {
		if i > 0 {
			l = contract.Load(l.Ref())
		}
		out.Write(l.Bytes(int(l.Uint(8))))
		if l.Err() != nil {
			return "", false
		}
	}
	text := out.String()
	if l.Err() != nil || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", false
	}
	return text, true
}
