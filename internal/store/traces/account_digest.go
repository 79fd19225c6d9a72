package traces

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// The names of the rows that lead from accounts to traces and actions, in digests. The entries have the digest of the
// tables that they replace.
const (
	DigestedTraceAccounts  = "trace_accounts"
	DigestedActionAccounts = "action_accounts"
)

// AccountRows returns, by name, the statements that read these rows in order: who is in a trace or an action, and has the
// entry that leads to it.
func (r *Reader) AccountRows(ctx context.Context, tx pgx.Tx) (map[string]string, error) {
	const (
		traceOrder  = ` ORDER BY account, end_lt, trace_id`
		actionOrder = ` ORDER BY account, trace_end_lt, trace_id, end_lt, action_id`
	)
	complete, err := r.keys.complete(ctx, tx)
	if err != nil {
		return nil, err
	}
	if !complete {
		return map[string]string{
			DigestedTraceAccounts:  `SELECT account, end_lt, trace_id FROM trace_accounts` + traceOrder,
			DigestedActionAccounts: `SELECT account, trace_end_lt, trace_id, end_lt, action_id, type FROM action_accounts` + actionOrder,
		}, nil
	}
	matches := func(id string) string {
		return `k.account_key = ` + strings.ReplaceAll(accountKeySQL, "?", "x.account") + ` AND k.trace_prefix = ` + strings.ReplaceAll(tracePrefixSQL, "?", id)
	}
	return map[string]string{
		DigestedTraceAccounts: `SELECT x.account, t.end_lt, t.trace_id FROM traces t CROSS JOIN LATERAL (
			SELECT substr(t.nodes, n, 33) AS account FROM generate_series(1, length(t.nodes), 41) n
			UNION SELECT g.account FROM large_trace_accounts g WHERE g.trace_id = t.trace_id) x
			JOIN account_traces k ON k.end_lt = t.end_lt AND ` + matches("t.trace_id") + ` WHERE t.pending = 0` + traceOrder,
		DigestedActionAccounts: `SELECT x.account, a.trace_end_lt, a.trace_id, a.end_lt, a.action_id, a.type FROM actions a CROSS JOIN LATERAL (
			SELECT substr(a.accounts, n, 33) AS account FROM generate_series(1, length(a.accounts), 33) n) x
			JOIN account_actions k ON k.trace_end_lt = a.trace_end_lt AND ` + matches("a.trace_id") + actionOrder,
	}, nil
}
