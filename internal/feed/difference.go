package feed

import (
	"slices"

	"tonql/internal/chain"
)

// difference returns the update between two versions of a trace; before is nil for the first one. A trace is published when its
// finality changes. Transactions and actions are published when they are emulated first, when their finality increases, and, if
// they do not happen, as invalidated. Finalized rows are left out: they are published with their blocks. Emulated hashes and LTs
// change from block to block, so a transaction is identified by its account and an action by its type, each with its ordinal.
func difference(before, now *chain.FullTrace) *TraceUpdate {
	n := &TraceUpdate{parties: map[chain.Hash][]chain.Address{}, received: map[chain.MessageKey]*chain.Message{}}
	if before == nil {
		before = &chain.FullTrace{}
		before.Finality = chain.Finalized
	}
	if now.Finality != before.Finality && now.Finality != chain.Finalized {
		n.traces = append(n.traces, now.Trace)
		for i := range now.Transactions {
			n.parties[now.ID] = append(n.parties[now.ID], now.Transactions[i].Account)
		}
	}
	emit := func(t *chain.FullTransaction, f chain.Finality) {
		tx := t.Transaction
		tx.Finality = f
		n.transactions = append(n.transactions, tx)
		if t.InMessage != nil {
			n.received[t.InMessage.Key] = t.InMessage
		}
	}
	changes(before.Transactions, now.Transactions,
		func(t *chain.FullTransaction) chain.Address { return t.Account },
		func(t *chain.FullTransaction) chain.Finality { return t.Finality }, emit)
	changes(before.Actions, now.Actions,
		func(a *chain.Action) string { return a.Type },
		func(a *chain.Action) chain.Finality { return a.Finality },
		func(a *chain.Action, f chain.Finality) {
			action := *a
			action.Finality = f
			n.actions = append(n.actions, action)
		})
	return n
}

// changes compares two versions of a list.
func changes[T any, K comparable](
	before, now []T, name func(*T) K, finality func(*T) chain.Finality, emit func(row *T, f chain.Finality),
) {
	finalities := map[K][]chain.Finality{} // of each name in order
	for i := range before {
		finalities[name(&before[i])] = append(finalities[name(&before[i])], finality(&before[i]))
	}
	count := map[K]int{}
	for i := range now {
		row := &now[i]
		k := name(row)
		nth := count[k]
		count[k]++
		f := finality(row)
		if f != chain.Finalized && (nth >= len(finalities[k]) || finalities[k][nth] != f) {
			emit(row, f)
		}
	}
	gone := map[K]int{}
	for i := range before {
		row := &before[i]
		k := name(row)
		nth := gone[k]
		gone[k]++
		if f := finality(row); nth >= count[k] && (f == chain.Pending || f == chain.Confirmed) {
			emit(row, chain.Invalidated)
		}
	}
}

// invalidated returns a copy of the trace with everything invalidated.
func invalidated(t *chain.FullTrace) *chain.FullTrace {
	out := *t
	out.Finality = chain.Invalidated
	out.Transactions, out.Actions = slices.Clone(t.Transactions), slices.Clone(t.Actions)
	for i := range out.Transactions {
		out.Transactions[i].Finality = chain.Invalidated
	}
	for i := range out.Actions {
		out.Actions[i].Finality = chain.Invalidated
	}
	return &out
}
