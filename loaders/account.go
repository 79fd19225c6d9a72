package loaders

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/cells"
)

// maxJoined bounds the code and data that one execution joins from parts, in bytes. It is the size that a response may have.
const maxJoined = 16 << 20

// smallAccount is the number of cells below which the code and the data of an account are a few kilobytes.
const smallAccount = 64

func (s *Set) addAccounts(index *store.Reader) {
	s.AccountState = Batch(func(ctx context.Context, addresses []chain.Address) (map[chain.Address]*chain.AccountState, error) {
		rows, err := index.AccountStates(ctx, chain.AccountFilter{Addresses: addresses}, chain.Page{Limit: len(addresses)})
		return byKey(rows, err, func(a *chain.AccountState) chain.Address { return a.Account })
	})
	s.AccountStateAt = Batch(func(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]*chain.AccountState, error) {
		rows, err := index.AccountStatesAt(ctx, keys)
		return byKey(rows, err, func(a *chain.AccountState) chain.TransactionKey {
			return chain.TransactionKey{Account: a.Account, LT: a.LT}
		})
	})
	s.smallCell = Batch(index.Cells)
}

// ownCells returns the loader of code and data of one execution.
func ownCells(index *store.Reader) *Loader[chain.Hash, chain.BOC] {
	limit := cells.NewLimit(maxJoined)
	return Batch(func(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
		return index.CellsWithin(ctx, hashes, limit)
	})
}

// Cell reads the code or the data of a state. Each execution has a loader with a limit, so that none exceeds the limit of others. Executions that share
// their loaders read small accounts together.
func Cell(ctx context.Context, state *chain.AccountState, hash chain.Hash) (chain.BOC, error) {
	if shared(ctx) && state.UsedCells > 0 && state.UsedCells < smallAccount {
		return requestSet(ctx).smallCell.Load(ctx, hash)()
	}
	own, _ := ctx.Value(cellsKey{}).(*Loader[chain.Hash, chain.BOC]) // a context with loaders has it
	return own.Load(ctx, hash)()
}
