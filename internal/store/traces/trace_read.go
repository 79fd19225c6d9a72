package traces

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// maxTraceTransactions is the largest number of transactions of one response.
const maxTraceTransactions = 50_000

// SelectNodes reads the keys of the transactions of traces.
const SelectNodes = `SELECT t.trace_id, t.nodes FROM unnest($1::bytea[]) k(trace_id) JOIN traces t ON t.trace_id = k.trace_id
	WHERE t.nodes IS NOT NULL`

// FullTraces completes traces with their transactions, the tree of these and, when requested, actions. It is Invalid to
// request more transactions than a response may have.
func (r *Reader) FullTraces(ctx context.Context, traces []chain.Trace, with chain.TraceInclude) ([]chain.FullTrace, error) {
	nodes, err := r.nodes(ctx, traces)
	if err != nil {
		return nil, err
	}
	if err := nodes.bounded(traces); err != nil {
		return nil, err
	}
	return r.fillTraces(ctx, traces, nodes, with)
}

// TracePage is a page of traces with the keys of their transactions, which [TracePage.Full] reads. In a snapshot all of it
// is of one state.
type TracePage struct {
	Traces []chain.Trace // in the order of the list

	reader *Reader
	nodes  traceNodes
	with   chain.TraceInclude
}

// TracesInFull is [Reader.Traces] and [Reader.FullTraces] in fewer round trips.
func (r *Reader) TracesInFull(ctx context.Context, f chain.TraceFilter, p chain.Page, with chain.TraceInclude) (*TracePage, error) {
	nodes := traceNodes{}
	traces, err := r.traces(ctx, &f, p, nodes)
	if err != nil {
		return nil, err
	}
	if err := r.addGrowing(ctx, traces, nodes); err != nil {
		return nil, err
	}
	return &TracePage{Traces: traces, reader: r, nodes: nodes, with: with}, nodes.bounded(traces)
}

// Size returns the number of transactions that trace i of the page is shown with.
func (p *TracePage) Size(i int) int { return len(p.nodes[p.Traces[i].ID]) }

// Full completes the traces of the page from first to the one before end.
func (p *TracePage) Full(ctx context.Context, first, end int) ([]chain.FullTrace, error) {
	return p.reader.fillTraces(ctx, p.Traces[first:end], p.nodes, p.with)
}

// bounded is Invalid if traces have more transactions than a response may have.
func (n traceNodes) bounded(traces []chain.Trace) error {
	size := 0
	for i := range traces {
		size += len(n[traces[i].ID])
	}
	if size > maxTraceTransactions {
		return chain.Invalidf("these traces have %d transactions: request fewer traces at once; a response holds up to %d",
			size, maxTraceTransactions)
	}
	return nil
}

func (r *Reader) fillTraces(ctx context.Context, traces []chain.Trace, nodes traceNodes, with chain.TraceInclude) ([]chain.FullTrace, error) {
	var keys []chain.TransactionKey
	for i := range traces {
		keys = append(keys, nodes[traces[i].ID]...)
	}
	txs, err := r.transactions.TransactionsByKey(ctx, keys)
	if err != nil {
		return nil, err
	}
	full, err := r.transactions.Full(ctx, txs)
	if err != nil {
		return nil, err
	}
	out := make([]chain.FullTrace, len(traces))
	rows := nodeRows{rows: full}
	for i := range traces {
		out[i].Trace = traces[i]
		fillTrace(&out[i], nodes[traces[i].ID], &rows)
	}
	if with.Actions {
		err = r.addActions(ctx, out, with.Supported)
	}
	return out, err
}

// nodes finds the keys of each trace's transactions; traces too large to be shown have none.
func (r *Reader) nodes(ctx context.Context, traces []chain.Trace) (traceNodes, error) {
	found := make(traceNodes, len(traces))
	if err := r.addGrowing(ctx, traces, found); err != nil {
		return nil, err
	}
	var complete []chain.Hash
	for i := range traces {
		if shown(&traces[i]) && traces[i].State == chain.TraceComplete {
			complete = append(complete, traces[i].ID)
		}
	}
	if len(complete) == 0 {
		return found, nil
	}
	err := sqlbuild.Each(sqlbuild.Checked(ctx), r.pool, "nodes of traces", func(r *sqlbuild.Row) { found.read(r, r.Hash()) }, SelectNodes, sqlbuild.HashArray(complete))
	return found, err
}

// addGrowing adds the keys of traces that are not complete, which are found along messages.
func (r *Reader) addGrowing(ctx context.Context, traces []chain.Trace, nodes traceNodes) error {
	for i := range traces {
		t := &traces[i]
		if t.State == chain.TraceComplete || !shown(t) {
			continue
		}
		tree, err := r.tree(sqlbuild.Checked(ctx), t) // a trace that is not complete is not moved
		if err != nil {
			return err
		}
		if len(tree) > chain.MaxTraceTransactions {
			continue // it has grown since
		}
		keys := make([]chain.TransactionKey, len(tree))
		for j := range tree {
			keys[j] = tree[j].key
		}
		sortKeys(keys)
		nodes[t.ID] = keys
	}
	return nil
}

// shown reports whether a trace is not too large.
func shown(t *chain.Trace) bool { return t.Transactions <= chain.MaxTraceTransactions }

// nodeRows are the transactions of several traces, as they were read.
type nodeRows struct {
	rows  []chain.FullTransaction
	next  int                          // those before it have been taken
	byKey map[chain.TransactionKey]int // place of each row, made when rows are not in the order of keys
}

// take returns the transactions with these keys, in their order, as far as there are any. Rows are read in the order of keys as a rule, and then returned
// where they are.
func (n *nodeRows) take(keys []chain.TransactionKey) []chain.FullTransaction {
	if end := n.next + len(keys); n.byKey == nil && end <= len(n.rows) && haveKeys(n.rows[n.next:end], keys) {
		taken := n.rows[n.next:end:end]
		n.next = end
		return taken
	}
	if n.byKey == nil {
		n.byKey = make(map[chain.TransactionKey]int, len(n.rows))
		for i := range n.rows {
			n.byKey[n.rows[i].Key()] = i
		}
	}
	taken := make([]chain.FullTransaction, 0, len(keys))
	for _, k := range keys {
		if i, ok := n.byKey[k]; ok {
			taken = append(taken, n.rows[i])
		}
	}
	return taken
}

// haveKeys reports whether rows have these keys, of which there are as many.
func haveKeys(rows []chain.FullTransaction, keys []chain.TransactionKey) bool {
	for i := range rows {
		if rows[i].LT != keys[i].LT || rows[i].Account != keys[i].Account {
			return false
		}
	}
	return true
}

// fillTrace puts the transactions of a trace together; keys are in their order.
func fillTrace(t *chain.FullTrace, keys []chain.TransactionKey, rows *nodeRows) {
	if len(keys) == 0 {
		t.TooLarge = true
		return
	}
	t.Transactions = rows.take(keys)
	t.MissingNode = len(t.Transactions) < len(keys)
	if t.State == chain.TraceBroken {
		for i := range t.Transactions {
			t.Transactions[i].TraceID, t.Transactions[i].TraceExternalHash = &t.ID, t.ExternalHash
		}
	}
	t.Grow()
}

// addActions returns traces their actions, in the order in which they began.
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

// SelectLargeTraceAccounts reads which of the accounts have a transaction in which of the complete traces above the limit of transactions.
const SelectLargeTraceAccounts = `SELECT g.trace_id, g.account FROM unnest($1::bytea[]) k(trace_id) CROSS JOIN unnest($2::bytea[]) a(account)
	JOIN large_trace_accounts g ON g.trace_id = k.trace_id AND g.account = a.account ORDER BY g.trace_id, g.account`

// AccountsOfLargeTraces lists, for each complete trace above the limit of transactions, which of the accounts have a transaction in it.
func (r *Reader) AccountsOfLargeTraces(ctx context.Context, traces []chain.Hash, among []chain.Address) (map[chain.Hash][]chain.Address, error) {
	found := map[chain.Hash][]chain.Address{}
	err := sqlbuild.Each(ctx, r.pool, "accounts of large traces", func(r *sqlbuild.Row) {
		id := r.Hash()
		found[id] = append(found[id], r.Address())
	}, SelectLargeTraceAccounts, sqlbuild.HashArray(traces), sqlbuild.AddressArray(sqlbuild.Unique(among)))
	return found, err
}

// AccountsOfTraces lists, for each trace, the accounts of its transactions by LT; an account with several
// transactions occurs several times. A trace above the limit of transactions has none.
func (r *Reader) AccountsOfTraces(ctx context.Context, traces []chain.Trace) (map[chain.Hash][]chain.Address, error) {
	nodes, err := r.nodes(ctx, traces)
	if err != nil {
		return nil, err
	}
	found := make(map[chain.Hash][]chain.Address, len(nodes))
	for id, keys := range nodes {
		accounts := make([]chain.Address, len(keys))
		for i := range keys {
			accounts[i] = keys[i].Account
		}
		found[id] = accounts
	}
	return found, nil
}
