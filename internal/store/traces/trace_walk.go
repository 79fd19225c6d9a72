package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// walkDown follows messages from transactions to all that they caused. A message is received once, so the walk ends. It
// reads keys only, and returns rows as it finds them, so that a LIMIT bounds its work.
const walkDown = `WITH RECURSIVE tree(trace_id, account, lt, outs, now, mc_seqno) AS (
	SELECT k.trace_id, k.account, k.lt, t.out_msg_count, t.now, t.mc_seqno
		FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) k(trace_id, account, lt)
		JOIN transactions t ON t.account = k.account AND t.lt = k.lt
	UNION ALL
	SELECT p.trace_id, c.account, c.lt, c.out_msg_count, c.now, c.mc_seqno FROM tree p
		CROSS JOIN LATERAL (SELECT m.destination, m.dst_tx_lt FROM messages m
			WHERE m.account = p.account AND m.lt > p.lt AND m.lt <= p.lt + p.outs AND m.dst_tx_lt IS NOT NULL OFFSET 0) m
		CROSS JOIN LATERAL (SELECT t.* FROM transactions t
			WHERE t.account = m.destination AND t.lt = m.dst_tx_lt OFFSET 0) c
	WHERE p.outs > 0)`

// selectTree also counts, for each transaction, the messages that go out of the chain.
const selectTree = walkDown + ` SELECT tree.trace_id, tree.account, tree.lt, tree.outs, tree.now, tree.mc_seqno,
	CASE WHEN tree.outs = 0 THEN 0 ELSE (SELECT count(*) FROM messages m
		WHERE m.account = tree.account AND m.lt > tree.lt AND m.lt <= tree.lt + tree.outs AND m.destination IS NULL) END
	FROM tree`

// treeNode is a transaction found by a walk.
type treeNode struct {
	trace   chain.Hash
	key     chain.TransactionKey
	now     uint32
	mcSeqno uint32
	outs    int // messages to accounts
	logs    int // messages out of the chain
}

func scanTreeNode(r *sqlbuild.Row, n *treeNode) {
	n.trace = r.Hash()
	n.key.Account = r.Address()
	n.key.LT = r.LT()
	n.outs = int(r.Int2())
	n.now = r.Uint32()
	n.mcSeqno = r.Uint32()
	n.logs = int(r.Int8())
	n.outs -= n.logs
}

// start is where a walk begins, and the trace that it is for.
type start struct {
	trace chain.Hash
	key   chain.TransactionKey
}

// walk finds the transactions below each start, the start included.
func walk(ctx context.Context, tx pgx.Tx, starts []start) ([]treeNode, error) {
	traces, keys := make([][]byte, len(starts)), sqlbuild.NewKeyArrays(len(starts))
	for i := range starts {
		traces[i] = starts[i].trace[:]
		keys.Add(&starts[i].key.Account, starts[i].key.LT)
	}
	rows, err := tx.Query(ctx, selectTree, traces, keys.Accounts, keys.LTs)
	if err != nil {
		return nil, fmt.Errorf("walk along messages: %w", err)
	}
	nodes, err := sqlbuild.ReadAll(rows, 4*len(starts), scanTreeNode)
	if err != nil {
		return nil, fmt.Errorf("walk along messages: %w", err)
	}
	return nodes, nil
}
