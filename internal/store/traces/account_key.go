package traces

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Lists of an account find their rows through account_traces and account_actions. An entry of these has a key of the
// account and the beginning of the trace's id instead of both in full. It leads to all traces that begin so and end at the
// same LT, for all accounts with the key; statements compare the accounts of each row that an entry leads to with the
// requested one. A superfluous entry is therefore harmless; a missing one is not.

// AccountKey is the key of an account in the entries: the first 8 bytes of SHA-256 of its 33 bytes. It is a hash, not the
// beginning of the address, because anyone may send to an address of their choice: one that begins as another account's
// would fill the list of that account with entries to be skipped. An address with the key of a given account takes
// 2^64 hashes. Two accounts with one key that nobody chose take 2^32: their lists stay exact, and become slower.
func AccountKey(a chain.Address) int64 {
	sum := sha256.Sum256(a.Bytes())
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// accountKeySQL is [AccountKey] of a bytea.
const accountKeySQL = `('x' || encode(substr(sha256(?), 1, 8), 'hex'))::bit(64)::bigint`

// signBit turns unsigned numbers into signed ones of the same order.
const signBit = 1 << 63

// tracePrefix is the beginning of a trace's id, in the order of ids.
func tracePrefix(id []byte) int64 { return int64(binary.BigEndian.Uint64(id) ^ signBit) }

// tracePrefixSQL is tracePrefix of a bytea, idPrefix the reverse for an entry k.
const (
	tracePrefixSQL = `(('x' || encode(substr(?, 1, 8), 'hex'))::bit(64)::bigint # (-9223372036854775808))`
	idPrefix       = `int8send(k.trace_prefix # (-9223372036854775808))`
)

// hasPrefix is the condition that the id of a row begins as an entry k says: of indexes, then in full.
func hasPrefix(id string) string {
	return sqlbuild.HashKey(id) + " = " + sqlbuild.HashKey(idPrefix) + " AND substr(" + id + ", 1, 8) = " + idPrefix
}

var (
	// entryTraces are the traces t to which entries k of account_traces lead. The subquery keeps the planner from walking
	// along traces instead, which has the same order, and looking for entries of each.
	entryTraces = "account_traces k CROSS JOIN LATERAL (SELECT t.* FROM traces t WHERE t.pending = 0 AND t.end_lt = k.end_lt AND " +
		hasPrefix("t.trace_id") + " OFFSET 0) t"
	// entryActions are the actions a of the traces to which entries k of account_actions lead.
	entryActions = "account_actions k CROSS JOIN LATERAL (SELECT a.* FROM actions a WHERE a.trace_end_lt = k.trace_end_lt AND " +
		hasPrefix("a.trace_id") + " OFFSET 0) a"
)

// inTrace is the condition that an account, an expression, has a transaction in a complete trace t. An address may occur in
// nodes across two keys; only then a function compares the keys one by one, which is also for traces above the limit of
// transactions: they have no nodes. Subqueries in its place would make the start of every statement slower.
func inTrace(account string) string {
	return `(CASE (position(` + account + ` IN t.nodes) - 1) % 41 WHEN 0 THEN true WHEN -1 THEN false
		ELSE account_in_trace(t.trace_id, t.nodes, ` + account + `) END) IS TRUE`
}

// inAction is the condition that an account, an expression, takes part in an action a.
func inAction(account string) string {
	return `(CASE (position(` + account + ` IN a.accounts) - 1) % 33 WHEN 0 THEN true WHEN -1 THEN false
		ELSE account_among(a.accounts, ` + account + `) END) IS TRUE`
}

// AccountKeys is the state of the entries in a database. Readers share one, the writer has one. It is safe for concurrent use.
type AccountKeys struct {
	// Of is [AccountKey]; tests replace it.
	Of func(chain.Address) int64

	moved atomic.Bool
}

// NewAccountKeys returns the state of a database of which nothing is known yet.
func NewAccountKeys() *AccountKeys { return &AccountKeys{Of: AccountKey} }

// Forget drops what is known of the database, which may have lost the end of the move in a failover.
func (k *AccountKeys) Forget() { k.moved.Store(false) }

// selectMoved reads whether the entries are complete, and whether the tables that they replace are gone. Until the entries
// are complete, trace_accounts and action_accounts are.
const selectMoved = `SELECT m.done_at IS NOT NULL, to_regclass('trace_accounts') IS NULL FROM account_keys_move m`

// complete reports whether the entries are complete in the state of the database that from reads. This never changes back,
// but snapshots that began before the end of the move do not have all entries: each reads it until the old tables are gone.
func (k *AccountKeys) complete(ctx context.Context, from sqlbuild.Queryer) (bool, error) {
	if k.moved.Load() {
		return true, nil
	}
	rows, err := from.Query(ctx, selectMoved)
	if err != nil {
		return false, fmt.Errorf("move of account keys: %w", err)
	}
	var moved, dropped bool
	if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { moved, dropped = r.Bool(), r.Bool() }); err != nil {
		return false, fmt.Errorf("move of account keys: %w", err)
	}
	if moved && dropped {
		k.moved.Store(true)
	}
	return moved, nil
}

// entries are rows of account_traces or account_actions, each key once.
type entries struct {
	accounts, lts, prefixes []int64
	types                   []int64 // of account_actions
	seen                    map[entry]int
}

type entry struct{ account, lt, prefix int64 }

// add adds an entry. The types of equal ones are united.
func (e *entries) add(account int64, lt uint64, trace []byte, types uint64) {
	k := entry{account, int64(lt), tracePrefix(trace)}
	if i, ok := e.seen[k]; ok {
		e.types[i] |= int64(types)
		return
	}
	if e.seen == nil {
		e.seen = map[entry]int{}
	}
	e.seen[k] = len(e.accounts)
	e.accounts, e.lts, e.prefixes = append(e.accounts, k.account), append(e.lts, k.lt), append(e.prefixes, k.prefix)
	e.types = append(e.types, int64(types))
}

const (
	insertAccountTraces = `INSERT INTO account_traces (account_key, end_lt, trace_prefix)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) ON CONFLICT DO NOTHING`
	insertAccountActions = `INSERT INTO account_actions AS k (account_key, trace_end_lt, trace_prefix, types)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
		ON CONFLICT (account_key, trace_end_lt, trace_prefix) DO UPDATE SET types = k.types | EXCLUDED.types`
	insertLargeTraceAccounts = `INSERT INTO large_trace_accounts (trace_id, account)
		SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT DO NOTHING`

	deleteLargeTraceAccounts = `DELETE FROM large_trace_accounts WHERE trace_id = ANY($1)`
)

// An entry stays when another trace begins and ends as the removed one: it is needed for that, or superfluous.
var (
	deleteAccountTraces = `DELETE FROM account_traces k USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) d(account, lt, prefix)
		WHERE k.account_key = d.account AND k.end_lt = d.lt AND k.trace_prefix = d.prefix
		AND NOT EXISTS (SELECT 1 FROM traces t WHERE t.pending = 0 AND t.end_lt = k.end_lt AND ` + hasPrefix("t.trace_id") + `)`
	deleteAccountActions = `DELETE FROM account_actions k USING unnest($1::bigint[], $2::bigint[], $3::bigint[]) d(account, lt, prefix)
		WHERE k.account_key = d.account AND k.trace_end_lt = d.lt AND k.trace_prefix = d.prefix
		AND NOT EXISTS (SELECT 1 FROM actions a WHERE a.trace_end_lt = k.trace_end_lt AND ` + hasPrefix("a.trace_id") + `)`
)

// queueTraces and queueActions insert the entries that are missing.
func (e *entries) queueTraces(b *pgx.Batch) {
	if len(e.accounts) > 0 {
		b.Queue(insertAccountTraces, e.accounts, e.lts, e.prefixes)
	}
}

func (e *entries) queueActions(b *pgx.Batch) {
	if len(e.accounts) > 0 {
		b.Queue(insertAccountActions, e.accounts, e.lts, e.prefixes, e.types)
	}
}
