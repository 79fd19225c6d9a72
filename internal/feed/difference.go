package feed

import (
	"slices"

	"tonql/internal/chain"
)

// difference finds what of a trace has to be told when it was known as before; nil when nothing was. A trace is told when
// its finality changes. Transactions and actions are told when they are foretold for the first time or are surer than
// before, and, when they do not come about, as invalidated. What is final is not told: blocks do that. Foretold hashes and
// LTs change from block to block, so a transaction is known by its account, an action by its type, and by how many of them
// came before.
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
	tell := func(t *chain.FullTransaction, f chain.Finality) {
		tx := t.Transaction
		tx.Finality = f
		n.transactions = append(n.transactions, tx)
		if t.InMessage != nil {
			n.received[t.InMessage.Key] = t.InMessage
		}
	}
	changes(before.Transactions, now.Transactions,
		func(t *chain.FullTransaction) chain.Address { return t.Account },
		func(t *chain.FullTransaction) chain.Finality { return t.Finality }, tell)
	changes(before.Actions, now.Actions,
		func(a *chain.Action) string { return a.Type },
		func(a *chain.Action) chain.Finality { return a.Finality },
		func(a *chain.Action, f chain.Finality) {
			told := *a
			told.Finality = f
			n.actions = append(n.actions, told)
		})
	return n
}

// changes compares two versions of a list.
func changes[T any, K comparable](
	before, now []T, name func(*T) K, finality func(*T) chain.Finality, tell func(row *T, f chain.Finality),
) {
	known := map[K][]chain.Finality{} // of each name in order
	for i := range before {
		known[name(&before[i])] = append(known[name(&before[i])], finality(&before[i]))
	}
	count := map[K]int{}
	for i := range now {
		row := &now[i]
		k := name(row)
		nth := count[k]
		count[k]++
		f := finality(row)
		if f != chain.Finalized && (nth >= len(known[k]) || known[k][nth] != f) {
			tell(row, f)
		}
	}
	gone := map[K]int{}
	for i := range before {
		row := &before[i]
		k := name(row)
		nth := gone[k]
		gone[k]++
		if f := finality(row); nth >= count[k] && (f == chain.Pending || f == chain.Confirmed) {
			tell(row, chain.Invalidated)
		}
	}
}

// invalidated is a trace of which nothing came.
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
