package genesis

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

// Account is an account that exists before the first block.
type Account struct {
	Address *address.Address
	Balance uint64              // nanotons
	Extra   map[uint32]*big.Int // amounts of extra currencies by id
	// Code and Data make the account active; without Code it is uninit.
	Code *cell.Cell
	Data *cell.Cell
	// Libraries is the account's library dictionary (HashmapE 256 SimpleLib);
	// public entries of masterchain accounts become libraries of the chain.
	Libraries *cell.Dictionary
	// Unpaid is the time in seconds before genesis for which the account has not paid its storage.
	Unpaid uint32
	// Tick and Tock enable tick-tock transactions. They take effect only for
	// masterchain accounts, which genesis then lists as fundamental contracts.
	Tick, Tock bool
}

func (a Account) currencies() layout.Currencies {
	return layout.Currencies{Nano: new(big.Int).SetUint64(a.Balance), Extra: a.Extra}
}

// cell builds the Account record as in ShardAccounts.
func (a Account) cell(now uint32, special bool) (*cell.Cell, error) {
	st := tlb.AccountState{
		IsValid:        true,
		Address:        a.Address,
		AccountStorage: tlb.AccountStorage{Status: tlb.AccountStatusUninit, Balance: tlb.FromNanoTONU(a.Balance)},
	}
	if extra := a.currencies().ExtraCell(); extra != nil {
		st.ExtraCurrencies = extra.AsDict(32)
	}
	if a.Code != nil {
		st.Status = tlb.AccountStatusActive
		st.StateInit = &tlb.StateInit{Code: a.Code, Data: a.Data, Lib: a.Libraries}
		if a.Tick || a.Tock {
			st.StateInit.TickTock = &tlb.TickTock{Tick: a.Tick, Tock: a.Tock}
		}
	}
	storage, err := st.AccountStorage.ToCell()
	if err != nil {
		return nil, fmt.Errorf("storage of %s: %w", a.Address, err)
	}
	cells, bits := size(storage, map[cell.Hash]bool{})
	st.StorageInfo = tlb.StorageInfo{
		StorageUsed:  tlb.StorageUsed{CellsUsed: big.NewInt(cells), BitsUsed: big.NewInt(bits)},
		StorageExtra: tlb.StorageExtraNone{},
		LastPaid:     now - a.Unpaid,
	}
	if special { // fundamental contracts pay no rent
		st.StorageInfo.LastPaid = 0
	}
	return st.ToCell()
}

// size counts the distinct cells of a tree and their bits.
func size(c *cell.Cell, seen map[cell.Hash]bool) (cells, bits int64) {
	if seen[c.HashKey()] {
		return 0, 0
	}
	seen[c.HashKey()] = true
	cells, bits = 1, int64(c.BitsSize())
	for i := range int(c.RefsNum()) {
		n, b := size(c.MustPeekRef(i), seen)
		cells, bits = cells+n, bits+b
	}
	return cells, bits
}
