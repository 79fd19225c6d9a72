package traces

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
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
	return map[string]string{
		DigestedTraceAccounts: `SELECT x.account, x.end_lt, x.trace_id FROM (SELECT a.account, t.end_lt, t.trace_id` + accountsOfTraces +
			` WHERE t.pending = 0 OFFSET 0) x` + withEntry("account_traces", "end_lt") + traceOrder,
		DigestedActionAccounts: `SELECT x.account, x.trace_end_lt, x.trace_id, x.end_lt, x.action_id, x.type FROM (
			SELECT substr(a.accounts, n, 33) AS account, a.trace_end_lt, a.trace_id, a.end_lt, a.action_id, a.type
			FROM actions a CROSS JOIN LATERAL generate_series(1, length(a.accounts), 33) n OFFSET 0) x` + withEntry("account_actions", "trace_end_lt") + actionOrder,
	}, nil
}

// accountsOfTraces are the accounts a of traces t.
const accountsOfTraces = ` FROM traces t CROSS JOIN LATERAL (
	SELECT substr(t.nodes, n, 33) AS account FROM generate_series(1, length(t.nodes), 41) n
	UNION SELECT g.account FROM large_trace_accounts g WHERE g.trace_id = t.trace_id) a`

// withEntry selects the rows x, of an account and a trace, that have their entry, each by the complete key: no estimate of the planner may
// read all entries for each row.
func withEntry(table, endLT string) string {
	return ` CROSS JOIN LATERAL (SELECT FROM ` + table + ` k WHERE k.account_key = ` + strings.ReplaceAll(accountKeySQL, "?", "x.account") + ` AND k.` + endLT + ` = x.` + endLT +
		` AND k.trace_prefix = ` + strings.ReplaceAll(tracePrefixSQL, "?", "x.trace_id") + ` OFFSET 0) k`
}

// RangeRows are statements that read rows of complete traces in order, by name. [Reader.WriteDigestedAction] reads the actions.
type RangeRows struct{ Traces, Actions, TraceAccounts, ActionAccounts string }

// RangeRows returns the statements that read the rows of the complete traces that a condition on traces t selects.
func (r *Reader) RangeRows(ctx context.Context, tx pgx.Tx, condition string) (RangeRows, error) {
	complete, err := r.keys.complete(ctx, tx)
	if err != nil {
		return RangeRows{}, err
	}
	of := ` t.pending = 0 AND ` + condition
	rows := RangeRows{
		Traces:  `SELECT ` + TraceColumns + `, t.action_set, t.nodes FROM traces t WHERE` + of + ` ORDER BY t.trace_id`,
		Actions: `SELECT ` + actionRowColumns + ` FROM traces t JOIN actions a ON ` + ofTrace + ` WHERE` + of + ` ORDER BY a.trace_id, a.action_id`,
	}
	if !complete {
		rows.TraceAccounts = `SELECT a.account, a.trace_id FROM traces t JOIN trace_accounts a ON a.end_lt = t.end_lt AND a.trace_id = t.trace_id
			WHERE` + of + ` ORDER BY a.trace_id, a.account`
		rows.ActionAccounts = `SELECT DISTINCT a.account, a.trace_id FROM traces t
			JOIN action_accounts a ON a.trace_end_lt = t.end_lt AND a.trace_id = t.trace_id WHERE` + of + ` ORDER BY a.trace_id, a.account`
		return rows, nil
	}
	rows.TraceAccounts = `SELECT x.account, x.trace_id FROM (SELECT a.account, t.end_lt, t.trace_id` + accountsOfTraces + ` WHERE` + of + ` OFFSET 0) x` +
		withEntry("account_traces", "end_lt") + ` ORDER BY x.trace_id, x.account`
	rows.ActionAccounts = `SELECT x.account, x.trace_id FROM (SELECT DISTINCT substr(a.accounts, n, 33) AS account, t.end_lt AS trace_end_lt, t.trace_id
		FROM traces t JOIN actions a ON ` + ofTrace + ` CROSS JOIN LATERAL generate_series(1, length(a.accounts), 33) n WHERE` + of + ` OFFSET 0) x` +
		withEntry("account_actions", "trace_end_lt") + ` ORDER BY x.trace_id, x.account`
	return rows, nil
}

// WriteDigestedAction writes a row of [RangeRows] in the form that digests of ranges cover, whatever the types of its columns and the form of
// its details are. A damaged one is written as it is stored.
func (r *Reader) WriteDigestedAction(ctx context.Context, row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
	var rows actionRows
	var a chain.Action
	columns := row.Columns
	rows.scan(row, &a)
	if row.Err != nil {
		return row.Err
	}
	err := r.finishActions(ctx, &rows, func(int) *chain.Action { return &a })
	if errors.Is(err, ErrDamagedDetails) {
		to.Row(len(columns))
		copyColumns(to, columns)
		return nil
	}
	if err != nil {
		return err
	}
	to.Row(digestedWidth)
	to.Hash(&a.TraceID)
	to.Hash(&a.ID)
	to.Text(a.Type)
	to.Bool(a.Success)
	for _, lt := range [...]uint64{a.StartLT, a.EndLT, a.TraceEndLT} {
		to.Int8(int64(lt))
	}
	for _, n := range [...]uint32{a.StartUtime, a.EndUtime, a.TraceEndUtime, a.McSeqnoEnd} {
		to.Int8(int64(n))
	}
	sqlbuild.Optional(to, a.Opcode)
	to.Hash(a.ParentID)
	to.Sized(func() {
		for i := range a.TxHashes {
			to.B = append(to.B, a.TxHashes[i][:]...)
		}
	})
	to.Addresses(a.Accounts)
	to.Texts(a.Ancestors)
	to.Bytes(a.Details)
	return nil
}

// WriteAction writes a row of [ActionTable] with its details in one column, as JSON. A damaged one is written as it is stored.
func (r *Reader) WriteAction(ctx context.Context, row *sqlbuild.Row, to *sqlbuild.CopyBuffer) error {
	const before = 14 // columns before the accounts
	columns := row.Columns
	rows, a := actionRows{}, chain.Action{}
	row.Skip(before)
	a.Accounts = row.Addresses()
	row.Skip(1)
	packed := row.Next()
	a.Details = row.Bytes()
	rows.add(&a, packed)
	if row.Err != nil {
		return row.Err
	}
	err := r.finishActions(ctx, &rows, func(int) *chain.Action { return &a })
	if errors.Is(err, ErrDamagedDetails) {
		a.Details, err = columns[actionWidth-2], nil
	}
	to.Row(digestedWidth)
	copyColumns(to, columns[:actionWidth-2])
	to.Bytes(a.Details)
	return err
}

// copyColumns writes columns unchanged.
func copyColumns(to *sqlbuild.CopyBuffer, columns [][]byte) {
	for _, column := range columns {
		if column == nil {
			to.Null()
			continue
		}
		to.Bytes(column)
	}
}
