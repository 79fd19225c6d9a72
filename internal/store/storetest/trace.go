package storetest

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
)

// assignTraces sets the trace of each transaction by following messages up to a root, and sums up each trace.
func assignTraces(txs []chain.Transaction, messages []chain.Message) map[chain.Hash]*chain.Trace {
	byKey := map[chain.TransactionKey]*chain.Transaction{}
	for i := range txs {
		byKey[txs[i].Key()] = &txs[i]
	}
	in := map[chain.TransactionKey]*chain.Message{}
	outs, logs := map[chain.TransactionKey]int{}, map[chain.TransactionKey]int{}
	for i := range messages {
		m := &messages[i]
		if m.ReceivedBy != nil {
			in[chain.TransactionKey{Account: *m.Destination, LT: m.ReceivedBy.LT}] = m
		}
		if m.SentBy != nil && m.Destination == nil {
			logs[chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}]++
		} else if m.SentBy != nil {
			outs[chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}]++
		}
	}
	traces := map[chain.Hash]*chain.Trace{}
	ordered := make([]*chain.Transaction, len(txs))
	for i := range txs {
		ordered[i] = &txs[i]
	}
	slices.SortFunc(ordered, func(a, b *chain.Transaction) int { return cmp.Compare(a.LT, b.LT) })
	for _, tx := range ordered {
		m := in[tx.Key()]
		root := m == nil && tx.InMsg == nil || m != nil && (m.Kind == chain.ExternalIn || *m.Source == chain.SystemAddress)
		switch {
		case root:
			t := &chain.Trace{
				ID: tx.Hash, Root: tx.Key(), StartLT: tx.LT, StartUtime: tx.Now, McSeqnoStart: tx.McSeqno, PendingMessages: 1,
			}
			if m != nil {
				t.ExternalHash, t.ExternalHashNorm = &m.Hash, m.HashNorm
			} else {
				t.Messages = -1
			}
			traces[t.ID] = t
			tx.TraceID = &t.ID
		case m != nil && m.SentBy != nil:
			if parent := byKey[chain.TransactionKey{Account: *m.Source, LT: m.SentBy.LT}]; parent != nil {
				tx.TraceID = parent.TraceID
			}
		}
		if tx.TraceID == nil {
			continue
		}
		t := traces[*tx.TraceID]
		tx.TraceExternalHash = t.ExternalHash
		t.Transactions++
		t.Messages += 1 + logs[tx.Key()]
		t.PendingMessages += outs[tx.Key()] - 1
		t.EndLT, t.EndUtime, t.McSeqnoEnd = max(t.EndLT, tx.LT), max(t.EndUtime, tx.Now), max(t.McSeqnoEnd, tx.McSeqno)
	}
	for _, t := range traces {
		if t.PendingMessages > 0 {
			t.State = chain.TracePending
		}
	}
	return traces
}
