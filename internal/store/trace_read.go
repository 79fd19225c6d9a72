package store

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
)

// mostTraceTransactions bounds the transactions of one answer.
const mostTraceTransactions = 50_000

const selectNodes = `SELECT t.trace_id, t.nodes FROM unnest($1::bytea[]) k(trace_id) JOIN traces t ON t.trace_id = k.trace_id
	WHERE t.nodes IS NOT NULL`

// FullTraces completes traces with their transactions, the tree of these and, when asked for, actions. It is Invalid to
// ask for more transactions than an answer may have.
func (r *Reader) FullTraces(ctx context.Context, traces []chain.Trace, with chain.TraceInclude) ([]chain.FullTrace, error) {
	nodes, err := r.nodes(ctx, traces)
	if err != nil {
		return nil, err
	}
	var keys []chain.TransactionKey
	for i := range traces {
		keys = append(keys, nodes[traces[i].ID]...)
	}
	if len(keys) > mostTraceTransactions {
		return nil, chain.Invalidf("these traces have %d transactions: ask for fewer traces at once, an answer holds up to %d",
			len(keys), mostTraceTransactions)
	}
	txs, err := r.TransactionsByKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	full, err := r.Full(ctx, txs)
	if err != nil {
		return nil, err
	}
	found := make(map[chain.TransactionKey]*chain.FullTransaction, len(full))
	for i := range full {
		found[full[i].Key()] = &full[i]
	}
	out := make([]chain.FullTrace, len(traces))
	for i := range traces {
		out[i].Trace = traces[i]
		fillTrace(&out[i], nodes[traces[i].ID], found)
	}
	if with.Actions {
		err = r.addActions(ctx, out, with.Supported)
	}
	return out, err
}

// nodes finds the keys of each trace's transactions; traces too large to be shown have none.
func (r *Reader) nodes(ctx context.Context, traces []chain.Trace) (map[chain.Hash][]chain.TransactionKey, error) {
	found := make(map[chain.Hash][]chain.TransactionKey, len(traces))
	var complete []chain.Hash
	for i := range traces {
		t := &traces[i]
		switch {
		case t.Transactions > chain.MaxTraceTransactions:
		case t.State == chain.TraceComplete:
			complete = append(complete, t.ID)
		default:
			tree, err := r.tree(ctx, t)
			if err != nil {
				return nil, err
			}
			if len(tree) > chain.MaxTraceTransactions {
				continue // it has grown since
			}
			for j := range tree {
				found[t.ID] = append(found[t.ID], tree[j].key)
			}
		}
	}
	if len(complete) == 0 {
		return found, nil
	}
	err := each(ctx, r.pool, "nodes of traces", func(r *row) {
		id := r.hash()
		keys, ok := parseNodes(r.next())
		if !ok {
			r.err = errRow
		}
		found[id] = keys
	}, selectNodes, hashArray(complete))
	return found, err
}

// fillTrace puts the transactions of a trace together.
func fillTrace(t *chain.FullTrace, keys []chain.TransactionKey, found map[chain.TransactionKey]*chain.FullTransaction) {
	if len(keys) == 0 {
		t.TooLarge = true
		return
	}
	t.Transactions = make([]chain.FullTransaction, 0, len(keys))
	for _, k := range keys {
		if tx := found[k]; tx != nil {
			t.Transactions = append(t.Transactions, *tx)
		} else {
			t.MissingNode = true
		}
	}
	slices.SortFunc(t.Transactions, func(a, b chain.FullTransaction) int {
		return cmp.Or(cmp.Compare(a.LT, b.LT), a.Account.Compare(b.Account))
	})
	t.Grow()
}

// addActions gives traces their actions, in the order in which they began.
func (r *Reader) addActions(ctx context.Context, traces []chain.FullTrace, supported []string) error {
	ids := make([]chain.Hash, len(traces))
	for i := range traces {
		ids[i] = traces[i].ID
	}
	actions, err := r.ActionsOfTraces(ctx, ids, supported)
	if err != nil {
		return err
	}
	for i := range traces {
		traces[i].Actions = actions[traces[i].ID]
		if traces[i].Actions == nil {
			traces[i].Actions = []chain.Action{}
		}
	}
	return nil
}
