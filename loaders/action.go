package loaders

import (
	"context"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// Understood is the key of the actions of a parent, of the types that the client supports.
type Understood[P comparable] struct {
	Parent    P
	Supported string // types separated by spaces, see [SupportedBy]
}

// SupportedBy returns the key of the actions of a parent. types is a result of [chain.ExpandActionTypes].
func SupportedBy[P comparable](parent P, types []string) Understood[P] {
	return Understood[P]{Parent: parent, Supported: strings.Join(types, " ")}
}

func (s *Set) addActions(index *store.Reader) {
	s.ActionByID = Batch(func(ctx context.Context, ids []chain.Hash) (map[chain.Hash]*chain.Action, error) {
		rows, err := index.Actions(ctx, chain.ActionFilter{IDs: ids}.EveryType(), chain.Page{Limit: len(ids)})
		return byKey(rows, err, func(a *chain.Action) chain.Hash { return a.ID })
	})
	s.ActionsOfTrace = understood(index.ActionsOfTraces)
	s.ActionsOfTransaction = understood(func(ctx context.Context, txs []chain.Hash, types []string) (map[chain.Hash][]chain.Action, error) {
		f := chain.ActionFilter{TxHashes: txs, Supported: types}
		rows, err := index.Actions(ctx, f, chain.Page{Limit: maxActions * len(txs), Sort: chain.Ascending})
		if err != nil {
			return nil, err
		}
		found := make(map[chain.Hash][]chain.Action, len(txs))
		for i := range rows {
			for _, tx := range rows[i].TxHashes {
				found[tx] = append(found[tx], rows[i])
			}
		}
		return found, nil
	})
	s.ActionsOfAccounts = Pages(index.ActionsOfAccounts)
}

// maxActions bounds the actions that are read for one transaction: one for each message it may send, and the actions that
// contain these.
const maxActions = 1024

// understood returns a loader of all actions of a parent, with one read for each distinct set of supported types.
func understood(
	read func(ctx context.Context, parents []chain.Hash, types []string) (map[chain.Hash][]chain.Action, error),
) *Loader[Understood[chain.Hash], []chain.Action] {
	return Batch(grouped(
		func(k Understood[chain.Hash]) (chain.Hash, string) { return k.Parent, k.Supported },
		func(ctx context.Context, parents []chain.Hash, supported string) (map[chain.Hash][]chain.Action, error) {
			return read(ctx, parents, strings.Fields(supported))
		},
	))
}
