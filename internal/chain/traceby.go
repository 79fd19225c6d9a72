package chain

// TraceBy names one trace by one of the hashes in it.
type TraceBy struct {
	Hash        *Hash // of its first transaction
	Transaction *Hash
	Message     *Hash // plain or normalised
}

// Filter selects the trace.
func (b TraceBy) Filter() TraceFilter {
	one := func(h *Hash) []Hash {
		if h == nil {
			return nil
		}
		return []Hash{*h}
	}
	return TraceFilter{IDs: one(b.Hash), TxHashes: one(b.Transaction), MsgHashes: one(b.Message)}
}

// Longest is the length of the longest list.
func (f *TraceFilter) Longest() int { return max(len(f.IDs), len(f.TxHashes), len(f.MsgHashes)) }

// Longest is the length of the longest list.
func (f *ActionFilter) Longest() int {
	return max(len(f.TxHashes), len(f.MsgHashes), len(f.IDs), len(f.TraceIDs), len(f.Types), len(f.ExcludeTypes), len(f.Supported))
}

// TransactionCount is the number of nodes of the tree.
func (t *Trace) TransactionCount() int { return t.Transactions }
