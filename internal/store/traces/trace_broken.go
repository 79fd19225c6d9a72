package traces

import (
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// A transaction whose trace has no indexed root belongs to a broken trace, which begins with the first
// indexed transaction. Broken traces are not stored: queries walk up and down along messages.

const (
	// Climb follows in-messages from each of several transactions up to the first one that is indexed; depth limits the cost of a query.
	Climb = `WITH RECURSIVE up(n, account, lt, depth) AS (
	SELECT k.n, k.account, k.lt, 0 FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY k(account, lt, n)
	UNION ALL
	SELECT up.n, s.account, s.src_tx_lt, up.depth + 1 FROM up
		CROSS JOIN LATERAL (SELECT t.in_msg_account, t.in_msg_lt FROM transactions t
			WHERE t.account = up.account AND t.lt = up.lt OFFSET 0) t
		CROSS JOIN LATERAL (SELECT m.account, m.src_tx_lt FROM messages m
			WHERE m.account = t.in_msg_account AND m.lt = t.in_msg_lt AND m.src_tx_lt IS NOT NULL OFFSET 0) s
	WHERE up.depth < $3)
	SELECT b.n, b.hash, b.account, b.lt, b.now, b.mc_seqno, m.hash, b.depth
	FROM (SELECT DISTINCT ON (up.n) up.n, up.depth, t.hash, t.account, t.lt, t.now, t.mc_seqno, t.in_msg_account, t.in_msg_lt
		FROM up JOIN transactions t ON t.account = up.account AND t.lt = up.lt ORDER BY up.n, up.depth DESC) b
	LEFT JOIN messages m ON m.account = b.in_msg_account AND m.lt = b.in_msg_lt`

	// BoundedTree is selectTree with a limit of rows.
	BoundedTree = selectTree + ` LIMIT $4`
)

// Anyone can continue a trace for ever that began before the index, so that each transaction of it lies deeper than the one before. A query for a list
// climbs climbedSteps in all, but at least minClimb and at most maxClimb for each transaction; one for traces climbs for climbedAtOnce transactions.
const (
	climbedSteps  = 1 << 11
	minClimb      = 16
	maxClimb      = 128
	climbedAtOnce = 16
)

// NameBroken gives the transactions that have no stored trace the id of their broken trace and the hash of the in-message that it begins with. Those
// that lie deeper than the bound of a query keep none: for n transactions of a list, 2048 / n steps, at least 16 and at most 128.
func (r *Reader) NameBroken(ctx context.Context, txs []chain.Transaction) error {
	var keys []chain.TransactionKey
	var places []int
	for i := range txs {
		if txs[i].TraceID == nil {
			keys, places = append(keys, txs[i].Key()), append(places, i)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	depth := min(max(climbedSteps/len(keys), minClimb), maxClimb)
	tops, err := r.tops(ctx, keys, depth)
	if err != nil {
		return err
	}
	for i, top := range tops {
		if top != nil && top.depth < depth {
			t := &txs[places[i]]
			t.TraceID, t.TraceExternalHash = &top.ID, top.ExternalHash
		}
	}
	return nil
}

// brokenTraces returns the broken traces of transactions that have no stored trace.
func (r *Reader) brokenTraces(ctx context.Context, keys []chain.TransactionKey) ([]chain.Trace, error) {
	var tops []*top
	for some := range slices.Chunk(keys, climbedAtOnce) {
		found, err := r.tops(ctx, some, chain.MaxTraceTransactions)
		if err != nil {
			return nil, err
		}
		tops = append(tops, found...)
	}
	var traces []chain.Trace
	seen := map[chain.Hash]bool{}
	for _, top := range tops {
		if top == nil || seen[top.ID] {
			continue
		}
		seen[top.ID] = true
		nodes, err := r.tree(ctx, &top.Trace)
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
		traces = append(traces, top.Trace)
	}
	return traces, nil
}

// top is the beginning of a broken trace, with its distance from the transaction that it was found from.
type top struct {
	chain.Trace
	depth int
}

// tops returns the beginnings of the broken traces of transactions, nil for those that are not indexed.
func (r *Reader) tops(ctx context.Context, keys []chain.TransactionKey, depth int) ([]*top, error) {
	tops := make([]*top, len(keys))
	arrays := sqlbuild.NewKeyArrays(len(keys))
	for i := range keys {
		arrays.Add(&keys[i].Account, keys[i].LT)
	}
	err := sqlbuild.Each(ctx, r.pool, "beginnings of traces", func(r *sqlbuild.Row) {
		n := r.Int8()
		t := &top{Trace: chain.Trace{State: chain.TraceBroken, PendingMessages: 1}}
		t.ID = r.Hash()
		t.Root = chain.TransactionKey{Account: r.Address(), LT: r.LT()}
		t.StartLT = t.Root.LT
		t.StartUtime = r.Uint32()
		t.McSeqnoStart = r.Uint32()
		t.ExternalHash = r.SetHash(new(chain.Hash))
		t.depth = int(r.Int4())
		if r.Err == nil {
			tops[n-1] = t
		}
	}, Climb, arrays.Accounts, arrays.LTs, int32(depth))
	return tops, err
}

// tree walks a trace from its root, up to one transaction more than is shown.
func (r *Reader) tree(ctx context.Context, t *chain.Trace) ([]treeNode, error) {
	return sqlbuild.Collect(ctx, r.pool, "transactions of a trace", t.Transactions, scanTreeNode, BoundedTree,
		[][]byte{t.ID[:]}, [][]byte{t.Root.Account.Bytes()}, []int64{int64(t.Root.LT)}, int64(chain.MaxTraceTransactions+1))
}
