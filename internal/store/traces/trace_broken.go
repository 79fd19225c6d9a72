package traces

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// A transaction whose trace has no indexed root belongs to a broken trace, which begins with the first
// indexed transaction. Broken traces are not stored: queries walk up and down along messages.

const (
	// Climb follows in-messages up to the first transaction; depth limits the cost of a query.
	Climb = `WITH RECURSIVE up(account, lt, depth) AS (
	SELECT $1::bytea, $2::bigint, 0
	UNION ALL
	SELECT s.account, s.src_tx_lt, up.depth + 1 FROM up
		CROSS JOIN LATERAL (SELECT t.in_msg_account, t.in_msg_lt FROM transactions t
			WHERE t.account = up.account AND t.lt = up.lt OFFSET 0) t
		CROSS JOIN LATERAL (SELECT m.account, m.src_tx_lt FROM messages m
			WHERE m.account = t.in_msg_account AND m.lt = t.in_msg_lt AND m.src_tx_lt IS NOT NULL OFFSET 0) s
	WHERE up.depth < $3)
	SELECT t.hash, t.account, t.lt, t.now, t.mc_seqno, m.hash, up.depth FROM up
	JOIN transactions t ON t.account = up.account AND t.lt = up.lt
	LEFT JOIN messages m ON m.account = t.in_msg_account AND m.lt = t.in_msg_lt`

	// BoundedTree is selectTree with a limit of rows.
	BoundedTree = selectTree + ` LIMIT $4`
)

// brokenTraces returns the broken traces of transactions that have no stored trace.
func (r *Reader) brokenTraces(ctx context.Context, keys []chain.TransactionKey) ([]chain.Trace, error) {
	var traces []chain.Trace
	seen := map[chain.Hash]bool{}
	for _, key := range keys {
		top, err := r.top(ctx, key)
		if err != nil {
			return nil, err
		}
		if top == nil || seen[top.ID] {
			continue
		}
		seen[top.ID] = true
		nodes, err := r.tree(ctx, top)
		if err != nil {
			return nil, err
		}
		for i := range nodes {
			n := &nodes[i]
			top.Transactions++
			top.Messages += n.logs + 1
			top.PendingMessages += n.outs - 1
			top.EndLT, top.EndUtime = max(top.EndLT, n.key.LT), max(top.EndUtime, n.now)
			top.McSeqnoEnd = max(top.McSeqnoEnd, n.mcSeqno)
		}
		traces = append(traces, *top)
	}
	return traces, nil
}

// top is the beginning of the broken trace of a transaction.
func (r *Reader) top(ctx context.Context, key chain.TransactionKey) (*chain.Trace, error) {
	var top *chain.Trace
	deepest := int32(-1)
	err := sqlbuild.Each(ctx, r.pool, "beginning of a trace", func(r *sqlbuild.Row) {
		t := &chain.Trace{State: chain.TraceBroken, PendingMessages: 1}
		t.ID = r.Hash()
		t.Root = chain.TransactionKey{Account: r.Address(), LT: r.LT()}
		t.StartLT = t.Root.LT
		t.StartUtime = r.Uint32()
		t.McSeqnoStart = r.Uint32()
		t.ExternalHash = r.SetHash(new(chain.Hash))
		if depth := r.Int4(); depth > deepest {
			top, deepest = t, depth
		}
	}, Climb, key.Account.Bytes(), int64(key.LT), int32(chain.MaxTraceTransactions))
	return top, err
}

// tree walks a trace from its root, up to one transaction more than is shown.
func (r *Reader) tree(ctx context.Context, t *chain.Trace) ([]treeNode, error) {
	return sqlbuild.Collect(ctx, r.pool, "transactions of a trace", t.Transactions, scanTreeNode, BoundedTree,
		[][]byte{t.ID[:]}, [][]byte{t.Root.Account.Bytes()}, []int64{int64(t.Root.LT)}, int64(chain.MaxTraceTransactions+1))
}
