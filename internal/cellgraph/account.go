package cellgraph

import (
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// CheckAccount bounds what the TVM reads of an account entry by entry, whatever a transaction does: it fails with
// [ErrTooManyEntries] when the extra currencies or the libraries of the account are more than [MaxMessageEntries]. They
// come from messages. A nil account passes.
func CheckAccount(a *tlb.AccountState) error {
	if a == nil {
		return nil
	}
	if err := few(rootOf(a.ExtraCurrencies), currencyKey, "extra currencies of the account"); err != nil {
		return err
	}
	if a.StateInit == nil {
		return nil
	}
	return few(rootOf(a.StateInit.Lib), libraryKey, "libraries of the account")
}

func rootOf(d *cell.Dictionary) *cell.Cell {
	if d == nil {
		return nil
	}
	return d.AsCell()
}
