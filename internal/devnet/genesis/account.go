// Package genesis builds the state a local TON chain starts from: config
// parameters, a validator derived from the seed, and the zerostates of the
// masterchain and the basechain.
package genesis

import (
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Account is an account that exists before the first block.
type Account struct {
	Address *address.Address
	Balance uint64 // nanotons
	// Code and Data make the account active; without Code it is uninit.
	Code *cell.Cell
	Data *cell.Cell
	// Libraries is the account's library dictionary (HashmapE 256 SimpleLib);
	// public entries of masterchain accounts become libraries of the chain.
	Libraries *cell.Dictionary
	// Tick and Tock ask for tick-tock transactions. They take effect only for
	// masterchain accounts, which genesis then lists as fundamental contracts.
	Tick, Tock bool
}
