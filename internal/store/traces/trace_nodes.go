package traces

import (
	"cmp"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// traceNodes are the keys of the transactions of traces, by LT, then account. Traces too large to be shown have none.
type traceNodes map[chain.Hash][]chain.TransactionKey

func sortKeys(keys []chain.TransactionKey) {
	slices.SortFunc(keys, func(a, b chain.TransactionKey) int {
		return cmp.Or(cmp.Compare(a.LT, b.LT), a.Account.Compare(b.Account))
	})
}

// texts are of statements that read keys too, unless n is nil.
func (n traceNodes) texts() *Texts {
	if n == nil {
		return &TextsAlone
	}
	return &TextsWithNodes
}

// scan reads a row of these statements.
func (n traceNodes) scan(r *sqlbuild.Row, t *chain.Trace) {
	ScanTrace(r, t)
	switch {
	case n == nil:
	case shown(t) && t.State == chain.TraceComplete && r.Present(0):
		n.read(r, t.ID)
	default:
		r.Skip(1)
	}
}

func (n traceNodes) read(r *sqlbuild.Row, id chain.Hash) {
	keys, ok := parseNodes(r.Next())
	if !ok {
		r.Err = sqlbuild.ErrRow
	}
	n[id] = keys
}

// scanNaming reads a row of the statements that begin with the transaction that a hash names.
func (n traceNodes) scanNaming(r *sqlbuild.Row, found *naming) {
	found.key = chain.TransactionKey{Account: r.Address(), LT: r.LT()}
	if !r.Present(0) {
		r.Columns = nil
		return
	}
	found.trace = new(chain.Trace)
	n.scan(r, found.trace)
}

// Texts are columns of traces and statements that find them by hash.
type Texts struct {
	columns string // of traces t
	walked  string // the same of a walk w

	ByID string
	// These begin with the transaction that a hash names. A message is known to its sender and its receiver.
	ByHash, ByMessage string
}

var (
	// TextsAlone are the statements that read traces without the keys of their transactions.
	TextsAlone = newTexts(TraceTable)
	// TextsWithNodes are the statements that read traces with the keys of their transactions.
	TextsWithNodes = newTexts(TraceTable + `, nodes`)
)

const endOfMessage = `SELECT CASE WHEN m.dst_tx_lt IS NULL THEN m.account ELSE m.destination END AS account,
	COALESCE(m.dst_tx_lt, m.src_tx_lt) AS lt FROM unnest($1::bytea[]) h(hash) JOIN messages m ON `

func newTexts(table string) Texts {
	columns := sqlbuild.Qualified("t", table)
	named := func(transactions string) string {
		return `SELECT x.account, x.lt, ` + columns + ` FROM ` + transactions + ` LEFT JOIN traces t ON t.trace_id = x.trace_id`
	}
	return Texts{
		columns: columns,
		walked:  sqlbuild.Qualified("w", table),
		ByID:    `SELECT ` + columns + ` FROM unnest($1::bytea[]) k(trace_id) JOIN traces t ON t.trace_id = k.trace_id`,
		ByHash:  named(`unnest($1::bytea[]) h(hash) JOIN transactions x ON ` + sqlbuild.EqualHash("x.hash", "h.hash")),
		ByMessage: named(`(` + endOfMessage + sqlbuild.EqualHash("m.hash", "h.hash") + ` UNION ` + endOfMessage + sqlbuild.EqualHash("m.hash_norm", "h.hash") + ` AND m.hash_norm IS NOT NULL) k
			JOIN transactions x ON x.account = k.account AND x.lt = k.lt`),
	}
}
