package contract

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// State is an account as of one block. Code and Data are nil unless the account is active.
type State struct {
	Address    chain.Address
	Code       *cell.Cell
	Data       *cell.Cell
	Balance    chain.Coins
	Extra      *cell.Cell // dictionary of extra currencies; nil when there are none
	DuePayment chain.Coins
	LastTxLT   uint64
}

// Active says that the account has code to run.
func (s *State) Active() bool { return s.Code != nil }

// CodeHash is the hash of the code cell as it is stored: of the library cell, when the code is one.
func (s *State) CodeHash() chain.Hash { return hashOf(s.Code) }

// DataHash is the hash of the data cell.
func (s *State) DataHash() chain.Hash { return hashOf(s.Data) }

func hashOf(c *cell.Cell) chain.Hash {
	if c == nil {
		return chain.Hash{}
	}
	return chain.Hash(c.HashKey())
}

// Snapshot gives the states of other accounts as of the same block. A missing account is not an error: false.
type Snapshot interface {
	State(ctx context.Context, a chain.Address) (State, bool, error)
}

// Libraries gives the public libraries of the masterchain as of the block.
type Libraries interface {
	Library(hash chain.Hash) (*cell.Cell, bool)
}

// LibraryMap is a fixed set of libraries.
type LibraryMap map[chain.Hash]*cell.Cell

// Library looks one up.
func (m LibraryMap) Library(hash chain.Hash) (*cell.Cell, bool) {
	c, ok := m[hash]
	return c, ok
}
