package rebuild

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// NoAccount is account_none$0.
var NoAccount = cell.BeginCell().MustStoreUInt(0, 1).EndCell()

// AccountCells are the cells that an account refers to, nil for those it has not. Data is also nil where the index does not store
// it, because it is large.
type AccountCells struct {
	Code      *cell.Cell
	Data      *cell.Cell
	Libraries *cell.Cell
}

// Account builds the cell of an account from its row and the stored form of its rest. The hash of level 0 of the result is that of
// the account; a part that the index does not store is a pruned branch. A nil rest is an error, except for an account that does not
// exist.
func Account(row *chain.AccountState, rest []byte, cells AccountCells) (*cell.Cell, error) {
	if row.Status == chain.Nonexist {
		return NoAccount, nil
	}
	r, err := ParseAccountRest(rest, row.LT)
	if err != nil {
		return nil, fmt.Errorf("state of account %s: %w", row.Account, err)
	}
	if r.Cell != nil {
		return r.Cell, nil
	}
	c, err := account(row, &r, cells)
	if err != nil {
		return nil, fmt.Errorf("state of account %s: %w", row.Account, err)
	}
	return c, nil
}

// EncodeAccount returns the stored form of what the row of an account lacks of root, its cell. stored reports whether the index
// stores the data and the libraries. The result is nil for an account that does not exist.
func EncodeAccount(row *chain.AccountState, r *AccountRest, cells AccountCells, stored bool, root *cell.Cell) ([]byte, error) {
	if row.Status == chain.Nonexist {
		return nil, nil
	}
	available := cells
	if !stored {
		available.Data, available.Libraries = nil, nil
		if cells.Data != nil {
			r.DataDepth = new(cells.Data.Depth(0))
		}
	}
	if built, err := account(row, r, available); err == nil && built.HashKey(0) == root.HashKey(0) {
		return r.encode(nil, row.LT), nil
	}
	c, err := trimmed(root, func(i int, ref *cell.Cell) (*cell.Cell, error) {
		if ref == cells.Code || ref == cells.Data || ref == cells.Libraries {
			return cutOff(i, ref)
		}
		return ref, nil
	})
	if err != nil {
		return nil, fmt.Errorf("state of account %s: %w", row.Account, err)
	}
	return (&AccountRest{Cell: c}).encode(nil, row.LT), nil
}

// account writes account$1.
func account(row *chain.AccountState, r *AccountRest, cells AccountCells) (*cell.Cell, error) {
	var w writer
	w.uint(1, 1)
	w.uint(0b100, 3) // addr_std$10 without anycast
	w.uint(uint64(uint8(int8(row.Account.Workchain))), 8)
	w.hash(&row.Account.ID)
	w.varUint(row.UsedCells, 7)
	w.varUint(row.UsedBits, 7)
	if r.DictHash == nil {
		w.uint(0b000, 3)
	} else {
		w.uint(0b001, 3)
		w.hash(r.DictHash)
	}
	w.uint(uint64(row.LastPaid), 32)
	w.bit(row.DuePayment != nil)
	if row.DuePayment != nil {
		w.coins(*row.DuePayment)
	}
	w.uint(r.EndLT, 64)
	w.currencies(row.Balance, row.Extra)
	switch row.Status {
	case chain.Active:
		w.stateInit(row, r, cells)
	case chain.Frozen:
		w.uint(0b01, 2)
		if row.FrozenHash == nil {
			return nil, errRow
		}
		w.hash(row.FrozenHash)
	case chain.Uninit:
		w.uint(0b00, 2)
	default:
		return nil, errRow
	}
	return w.cell()
}

// stateInit writes account_active$1.
func (w *writer) stateInit(row *chain.AccountState, r *AccountRest, cells AccountCells) {
	w.uint(1, 1)
	w.bit(r.FixedPrefix != nil)
	if r.FixedPrefix != nil {
		w.uint(uint64(*r.FixedPrefix), 5)
	}
	w.bit(r.Special != nil)
	if r.Special != nil {
		w.uint(uint64(*r.Special), 2)
	}
	w.part(row.CodeHash, cells.Code, nil)
	w.part(row.DataHash, cells.Data, r.DataDepth)
	w.part(r.Libraries, cells.Libraries, nil)
}

// part writes (Maybe ^Cell) for a cell that a row names. depth stands for a cell that is not stored.
func (w *writer) part(hash *chain.Hash, c *cell.Cell, depth *uint16) {
	switch {
	case hash == nil:
		w.bit(false)
		return
	case c == nil && depth == nil:
		w.fail(fmt.Errorf("%w: %s", errNoCell, hash.Hex()))
	case c == nil:
		var err error
		c, err = (&cut{hash: *hash, depth: *depth}).branch()
		w.fail(err)
	case chain.Hash(c.HashKey(0)) != *hash:
		w.fail(errRow)
	}
	w.maybeRef(c)
}
