package mainnet

import (
	"maps"
	"slices"

	"tonql/internal/chain"
)

// Accounts lists the accounts whose states before the block are recorded, ascending.
func (f *FatBlock) Accounts() []chain.Address {
	return slices.SortedFunc(maps.Keys(f.accounts), chain.Address.Compare)
}
