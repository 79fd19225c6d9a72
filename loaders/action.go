package loaders

import (
	"context"
	"strings"

	"tonql/internal/chain"
)

// Understood is a parent whose actions are asked for, and the types of action that the client understands.
type Understood[P comparable] struct {
	Parent    P
	Supported string // types separated by spaces, see [SupportedBy]
}

// SupportedBy makes a key of actions of a parent; types are what [chain.ExpandActionTypes] gave.
func SupportedBy[P comparable](parent P, types []string) Understood[P] {
	return Understood[P]{Parent: parent, Supported: strings.Join(types, " ")}
}

func (s *Set) addActions(index Index) {
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

// maxActions bounds what is read of one transaction: an action for each message it may send, and what they are parts of.
const maxActions = 1024

// understood makes a loader of all actions of a parent: one read for parents that are asked for with the same types.
func understood(
	read func(ctx context.Context, parents []chain.Hash, types []string) (map[chain.Hash][]chain.Action, error),
) *Loader[Understood[chain.Hash], []chain.Action] {
	return Batch(func(ctx context.Context, keys []Understood[chain.Hash]) (map[Understood[chain.Hash]][]chain.Action, error) {
		found := make(map[Understood[chain.Hash]][]chain.Action, len(keys))
		for _, group := range groupBy(keys, func(k Understood[chain.Hash]) string { return k.Supported }) {
			parents := make([]chain.Hash, len(group))
			for i, k := range group {
				parents[i] = k.Parent
			}
			rows, err := read(ctx, parents, strings.Fields(group[0].Supported))
			if err != nil {
				return nil, err
			}
			for _, k := range group {
				found[k] = rows[k.Parent]
			}
		}
		return found, nil
	})
}
