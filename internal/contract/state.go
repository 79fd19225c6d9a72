package contract

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// State is the state of an account at one block. Code and Data are nil unless the account is active.
type State struct {
	Address    chain.Address
	Code       *cell.Cell
	Data       *cell.Cell
	Balance    chain.Coins
	Extra      *cell.Cell // dictionary of extra currencies; nil when there are none
	DuePayment chain.Coins
	LastTxLT   uint64
}

// Active reports whether the account has code.
func (s *State) Active() bool { return s.Code != nil }

// CodeHash returns the hash of the stored code cell, which may be a library cell.
func (s *State) CodeHash() chain.Hash { return hashOf(s.Code) }

// DataHash returns the hash of the data cell.
func (s *State) DataHash() chain.Hash { return hashOf(s.Data) }

func hashOf(c *cell.Cell) chain.Hash {
	if c == nil {
		return chain.Hash{}
	}
	return chain.Hash(c.HashKey())
}

// Snapshot reads the states of other accounts at the same block. The result is false for a missing account.
type Snapshot interface {
	State(ctx context.Context, a chain.Address) (State, bool, error)
}

// Libraries reads the public libraries of the masterchain at the block; false for a library that does not exist.
type Libraries interface {
	Library(hash chain.Hash) (*cell.Cell, bool)
}

// LibraryMap is a fixed set of libraries.
type LibraryMap map[chain.Hash]*cell.Cell

// Library implements [Libraries].
func (m LibraryMap) Library(hash chain.Hash) (*cell.Cell, bool) {
	c, ok := m[hash]
	return c, ok
}
