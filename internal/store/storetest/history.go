package storetest

import (
	"maps"
	"slices"

	"tonql/internal/chain"
)

// History is the states of a chain's accounts after each transaction, and their cells.
type History struct {
	states map[chain.TransactionKey]chain.AccountState
	cells  map[chain.Hash]chain.BOC
}

// HistoryOf returns the states and cells of blocks.
func HistoryOf(blocks []*chain.MasterBlock) History {
	h := History{map[chain.TransactionKey]chain.AccountState{}, map[chain.Hash]chain.BOC{}}
	for _, mb := range blocks {
		for _, s := range mb.States {
			h.states[chain.TransactionKey{Account: s.Account, LT: s.LT}] = s
		}
		maps.Copy(h.cells, mb.Cells)
	}
	return h
}

// WithBases adds to each batch the states in which its accounts begin, as an indexer without earlier blocks reads them
// from the network.
func WithBases(batch []*chain.MasterBlock, h History) []*chain.MasterBlock {
	found := map[chain.Address]bool{}
	based := make([]*chain.MasterBlock, len(batch))
	for i, mb := range batch {
		copied := *mb
		copied.States, copied.Cells = slices.Clone(mb.States), maps.Clone(mb.Cells)
		for _, tx := range mb.Transactions {
			if base, ok := h.states[chain.TransactionKey{Account: tx.Account, LT: tx.PrevLT}]; ok && !found[tx.Account] {
				copied.States = append(copied.States, base)
				for _, hash := range []*chain.Hash{base.CodeHash, base.DataHash} {
					if boc := h.cells[*hash]; boc != nil {
						copied.Cells[*hash] = boc
					}
				}
			}
			found[tx.Account] = true
		}
		based[i] = &copied
	}
	return based
}
