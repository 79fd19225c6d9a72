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

// actionsAtOnce bounds what one statement reads of each trace or transaction. No trace that is classified has more
// transactions, and few transactions take part in more than one action.
const actionsAtOnce = 4 * chain.MaxTraceTransactions

func (s *Set) addActions(index Index) {
	s.ActionByID = batch(func(ctx context.Context, ids []chain.Hash) (map[chain.Hash]*chain.Action, error) {
		rows, err := index.Actions(ctx, chain.ActionFilter{IDs: ids}, chain.Page{Limit: len(ids)})
		return byKey(rows, err, func(a *chain.Action) chain.Hash { return a.ID })
	})
	s.ActionsOfTrace = actionsOf(index,
		func(f *chain.ActionFilter, traces []chain.Hash) { f.TraceIDs = traces },
		func(a *chain.Action) []chain.Hash { return []chain.Hash{a.TraceID} })
	s.ActionsOfTransaction = actionsOf(index,
		func(f *chain.ActionFilter, txs []chain.Hash) { f.TxHashes = txs },
		func(a *chain.Action) []chain.Hash { return a.TxHashes })
	s.ActionsOfAccounts = pages(index.ActionsOfAccounts)
}

// actionsOf makes a loader of all actions of a parent, oldest first: one statement for parents that are asked for with
// the same types. restrict puts the parents into the filter, parents says to which ones an action belongs.
func actionsOf(
	index Index, restrict func(*chain.ActionFilter, []chain.Hash), parents func(*chain.Action) []chain.Hash,
) *Loader[Understood[chain.Hash], []chain.Action] {
	return batch(func(ctx context.Context, keys []Understood[chain.Hash]) (map[Understood[chain.Hash]][]chain.Action, error) {
		found := make(map[Understood[chain.Hash]][]chain.Action, len(keys))
		for _, group := range groupBy(keys, func(k Understood[chain.Hash]) string { return k.Supported }) {
			hashes := make([]chain.Hash, len(group))
			for i, k := range group {
				hashes[i] = k.Parent
			}
			f := chain.ActionFilter{Supported: strings.Fields(group[0].Supported)}
			restrict(&f, hashes)
			rows, err := index.Actions(ctx, f, chain.Page{Limit: actionsAtOnce * len(group), Sort: chain.Ascending})
			if err != nil {
				return nil, err
			}
			for i := range rows {
				for _, parent := range parents(&rows[i]) {
					k := Understood[chain.Hash]{Parent: parent, Supported: group[0].Supported}
					found[k] = append(found[k], rows[i])
				}
			}
		}
		return found, nil
	})
}
