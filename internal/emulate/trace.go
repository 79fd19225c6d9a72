package emulate

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// Trace assembles a trace of indexed and emulated transactions, which differ by their finality. indexed is the trace as the
// index has it; nil when the index has none of it. The result is nil without transactions.
func Trace(indexed *chain.Trace, transactions []chain.FullTransaction) *chain.FullTrace {
	if len(transactions) == 0 {
		return nil
	}
	t := &chain.FullTrace{Transactions: transactions}
	slices.SortFunc(t.Transactions, func(a, b chain.FullTransaction) int {
		return cmp.Or(cmp.Compare(a.LT, b.LT), a.Account.Compare(b.Account))
	})
	root := &t.Transactions[0]
	if indexed != nil {
		t.Trace = *indexed
		t.Finality = chain.Confirmed
	} else {
		t.Trace = chain.Trace{
			ID: root.Hash, Root: root.Key(), StartLT: root.LT, StartUtime: root.Now, McSeqnoStart: root.McSeqno,
			Finality: root.Finality,
		}
		if in := root.InMessage; in != nil {
			t.ExternalHash, t.ExternalHashNorm = &in.Hash, in.HashNorm
		}
	}
	t.State = chain.TracePending
	link(t)
	sum(t)
	t.Grow()
	return t
}

// link sets the sender and receiver of messages within the trace, and the trace of emulated transactions.
func link(t *chain.FullTrace) {
	sent := map[chain.MessageKey]*chain.Message{}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		if tx.Finality != chain.Finalized {
			tx.TraceID, tx.TraceExternalHash = &t.ID, t.ExternalHash
		}
		for j := range tx.OutMessages {
			sent[tx.OutMessages[j].Key] = &tx.OutMessages[j]
		}
	}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		in := tx.InMessage
		if in == nil {
			continue
		}
		if out := sent[in.Key]; out != nil {
			if in.Hash == out.Hash { // one copy of body and state-init
				in.Body, in.Init, in.Large = out.Body, out.Init, out.Large
			}
			in.SentBy, in.Emulated = out.SentBy, out.Emulated
			out.ReceivedBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
		}
	}
}

// sum sets the totals of the trace.
func sum(t *chain.FullTrace) {
	t.Trace.Transactions, t.Messages, t.PendingMessages = len(t.Transactions), 0, 1
	if t.Transactions[0].InMessage == nil { // a tick or tock
		t.Messages = -1
	}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		t.EndLT, t.EndUtime = max(t.EndLT, tx.LT), max(t.EndUtime, tx.Now)
		t.McSeqnoEnd = max(t.McSeqnoEnd, tx.McSeqno)
		t.Messages++
		t.PendingMessages--
		for j := range tx.OutMessages {
			if tx.OutMessages[j].Destination == nil {
				t.Messages++
			} else {
				t.PendingMessages++
			}
		}
	}
}

// traceContent returns the trace in the classifier's form.
func traceContent(t *chain.FullTrace) *chain.TraceContent {
	c := &chain.TraceContent{Trace: t.Trace, Transactions: make([]chain.TraceTransaction, len(t.Transactions))}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		c.Transactions[i] = chain.TraceTransaction{Transaction: &tx.Transaction, In: tx.InMessage}
		for j := range tx.OutMessages {
			c.Transactions[i].Out = append(c.Transactions[i].Out, &tx.OutMessages[j])
		}
	}
	return c
}

// setActions sets the trace's actions, ordered by start and end. The finality of an action is the lowest of its transactions;
// an action with indexed transactions only is Confirmed, because the rest of the trace may change it.
func setActions(t *chain.FullTrace, actions []chain.Action) {
	least := make(map[chain.Hash]chain.Finality, len(t.Transactions))
	for i := range t.Transactions {
		least[t.Transactions[i].Hash] = t.Transactions[i].Finality
	}
	for i := range actions {
		a := &actions[i]
		a.Finality = chain.Confirmed
		for _, h := range a.TxHashes {
			if f := least[h]; f != chain.Finalized {
				a.Finality = f
			}
		}
	}
	slices.SortFunc(actions, func(a, b chain.Action) int {
		return cmp.Or(cmp.Compare(a.StartLT, b.StartLT), cmp.Compare(a.EndLT, b.EndLT), slices.Compare(a.ID[:], b.ID[:]))
	})
	t.Classification, t.Actions = chain.Classified, actions
}

// Invalidate sets the finality of a trace, its transactions and its actions to Invalidated.
func Invalidate(t *chain.FullTrace) {
	t.Finality = chain.Invalidated
	for i := range t.Transactions {
		t.Transactions[i].Finality = chain.Invalidated
	}
	for i := range t.Actions {
		t.Actions[i].Finality = chain.Invalidated
	}
}
