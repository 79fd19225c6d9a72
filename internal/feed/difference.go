package feed

import (
	"slices"

	"tonql/internal/chain"
)

// difference returns the update from one version of a trace to the next; before is nil for the first version. It contains
// the trace if its finality changed. It contains transactions and actions that are new or whose finality changed, and, as
// invalidated, those that are gone. Finalized ones are left out, because blocks send them. Emulated hashes and LTs change
// from block to block, so transactions are compared by account, actions by type and accounts, and equal ones by their order. Of a trace that is too
// large to be read it does not know which of its transactions are gone.
func difference(before, now *chain.FullTrace) *TraceUpdate {
	u := &TraceUpdate{parties: map[chain.Hash][]chain.Address{}, received: map[chain.MessageKey]*chain.Message{}}
	if before == nil {
		before = &chain.FullTrace{}
		before.Finality = chain.Finalized
	}
	if now.Finality != before.Finality && now.Finality != chain.Finalized {
		u.traces = append(u.traces, now.Trace)
		for i := range now.Transactions {
			u.parties[now.ID] = append(u.parties[now.ID], now.Transactions[i].Account)
		}
	}
	if now.TooLarge {
		before = &chain.FullTrace{Trace: before.Trace, Actions: before.Actions}
	}
	changes(before.Transactions, now.Transactions, accountOfTransaction, finalityOfTransaction,
		func(t *chain.FullTransaction, f chain.Finality) {
			tx := t.Transaction
			tx.Finality = f
			u.transactions = append(u.transactions, tx)
			if t.InMessage != nil {
				u.received[t.InMessage.Key] = t.InMessage
			}
		})
	changes(before.Actions, now.Actions, nameOf, finalityOfAction,
		func(a *chain.Action, f chain.Finality) {
			changed := *a
			changed.Finality = f
			u.actions = append(u.actions, changed)
		})
	return u
}

// withMissing returns a version of a trace with the rows of the one before that it lacks, while some of its messages in flight are not emulated: each
// emulation of a long trace has other transactions within its limits, so what is missing may still happen. The complete trace decides.
func withMissing(before, now *chain.FullTrace) *chain.FullTrace {
	if before == nil || now.PendingMessages == 0 || now.Finality != chain.Pending && now.Finality != chain.Confirmed {
		return now
	}
	all := *now
	all.Transactions, all.Actions = slices.Clip(now.Transactions), slices.Clip(now.Actions)
	changes(before.Transactions, now.Transactions, accountOfTransaction, finalityOfTransaction, func(t *chain.FullTransaction, f chain.Finality) {
		if f == chain.Invalidated {
			all.Transactions = append(all.Transactions, *t)
		}
	})
	changes(before.Actions, now.Actions, nameOf, finalityOfAction, func(a *chain.Action, f chain.Finality) {
		if f == chain.Invalidated {
			all.Actions = append(all.Actions, *a)
		}
	})
	return &all
}

func accountOfTransaction(t *chain.FullTransaction) chain.Address   { return t.Account }
func finalityOfTransaction(t *chain.FullTransaction) chain.Finality { return t.Finality }
func finalityOfAction(a *chain.Action) chain.Finality               { return a.Finality }

// nameOf returns the type of an action with its accounts, whose order does not matter.
func nameOf(a *chain.Action) string {
	accounts := slices.SortedFunc(slices.Values(a.Accounts), chain.Address.Compare)
	name := append(make([]byte, 0, 128), a.Type...)
	for i := range accounts {
		name = append(append(name, ' '), accounts[i].Bytes()...)
	}
	return string(name)
}

// changes compares two versions of a list and calls emit with each changed row and its finality. Rows with the same name
// correspond in order.
func changes[T any, K comparable](
	before, now []T, name func(*T) K, finality func(*T) chain.Finality, emit func(row *T, f chain.Finality),
) {
	previous := map[K][]chain.Finality{}
	for i := range before {
		k := name(&before[i])
		previous[k] = append(previous[k], finality(&before[i]))
	}
	count := map[K]int{}
	for i := range now {
		row := &now[i]
		k := name(row)
		nth := count[k]
		count[k]++
		f := finality(row)
		if f != chain.Finalized && (nth >= len(previous[k]) || previous[k][nth] != f) {
			emit(row, f)
		}
	}
	seen := map[K]int{}
	for i := range before {
		row := &before[i]
		k := name(row)
		nth := seen[k]
		seen[k]++
		if f := finality(row); nth >= count[k] && (f == chain.Pending || f == chain.Confirmed) {
			emit(row, chain.Invalidated)
		}
	}
}

// invalidated returns the trace with all its rows invalidated.
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
