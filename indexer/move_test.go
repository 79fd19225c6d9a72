package indexer_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// accountKeysMigration is the migration after which the rows of an earlier version are moved.
const accountKeysMigration = "00056_account_keys.sql"

// moveBlocks is the length of the chain in an index of the earlier version.
const moveBlocks = 40

// newUnmoved indexes a chain and gives the database the tables of the version before account keys, complete, as that version
// left them. It returns the digest of the index.
func newUnmoved(ctx context.Context, t *testing.T) (n *devnettest.Network, url string, want digests.Digest) {
	t.Helper()
	n, url = newNetwork(ctx, t, moveBlocks), testdb.URL(t)
	db := testdb.Open(t, url)
	run(ctx, t, n.Client, db, 1, moveBlocks, indexer.Options{})
	want = digest(ctx, t, db)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	storetest.Repeat(t, handle, accountKeysMigration)
	return n, url, want
}

// testLog collects the lines of a log.
type testLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *testLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *testLog) count(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.text.Bytes(), []byte(message))
}

// Messages of the log.
const (
	logMoved       = `msg="rows moved" move="account keys"`
	logMoveFailed  = `msg="move failed, retrying" move="account keys"`
	logInterrupted = `msg="indexing interrupted, retrying"`
)

// newMover returns an indexer that moves some rows at a time and keeps the old tables for a time.
func newMover(n *devnettest.Network, db *store.DB, rows int, keep time.Duration) (*indexer.Indexer, *testLog) {
	log := &testLog{}
	x := indexer.New(n.Client, db, indexer.Options{Recheck: 50 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(log, nil))})
	x.SetMove(rows, keep)
	return x, log
}

// value reads one value of a database.
func value[T any](ctx context.Context, t *testing.T, db *store.DB, statement string) (v T) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	require.NoError(t, handle.QueryRowContext(ctx, statement).Scan(&v), statement)
	return v
}

func execute(ctx context.Context, t *testing.T, db *store.DB, statements ...string) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for _, s := range statements {
		_, err := handle.ExecContext(ctx, s)
		require.NoError(t, err, s)
	}
}

const (
	selectMoveDone     = `SELECT done_at IS NOT NULL FROM account_keys_move`
	selectTablesRemain = `SELECT to_regclass('trace_accounts') IS NOT NULL OR to_regclass('action_accounts') IS NOT NULL`

	// selectUnequal counts the rows of one form that the other one lacks, in either direction.
	selectUnequal = `WITH old_traces AS (
			SELECT ('x' || encode(substr(sha256(account), 1, 8), 'hex'))::bit(64)::bigint, end_lt,
				('x' || encode(substr(trace_id, 1, 8), 'hex'))::bit(64)::bigint # (-9223372036854775808) FROM trace_accounts),
		new_traces AS (SELECT account_key, end_lt, trace_prefix FROM account_traces),
		old_actions AS (
			SELECT ('x' || encode(substr(sha256(account), 1, 8), 'hex'))::bit(64)::bigint, trace_end_lt,
				('x' || encode(substr(trace_id, 1, 8), 'hex'))::bit(64)::bigint # (-9223372036854775808) FROM action_accounts),
		new_actions AS (SELECT account_key, trace_end_lt, trace_prefix FROM account_actions)
		SELECT (SELECT count(*) FROM (TABLE old_traces EXCEPT TABLE new_traces) x) + (SELECT count(*) FROM (TABLE new_traces EXCEPT TABLE old_traces) x)
			+ (SELECT count(*) FROM (TABLE old_actions EXCEPT TABLE new_actions) x) + (SELECT count(*) FROM (TABLE new_actions EXCEPT TABLE old_actions) x)`

	selectEntries = `SELECT string_agg(e, E'\n' ORDER BY e) FROM (SELECT 'trace ' || k::text FROM account_traces k
		UNION ALL SELECT 'action ' || k::text FROM account_actions k
		UNION ALL SELECT 'large ' || k::text FROM large_trace_accounts k) x(e)`
)

// accountLists are the traces and actions of accounts up to the end of the chain of the earlier version.
type accountLists struct {
	accounts []chain.Address
	endLT    uint64
	traces   [][]chain.Trace
	actions  [][]chain.Action
}

// listAccounts lists those of some accounts.
func listAccounts(ctx context.Context, t *testing.T, r *store.Reader) *accountLists {
	t.Helper()
	txs, err := r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	l := &accountLists{}
	seen := map[chain.Address]bool{}
	for i := range txs {
		l.endLT = max(l.endLT, txs[i].LT)
		if a := txs[i].Account; !seen[a] && len(l.accounts) < 12 {
			seen[a] = true
			l.accounts = append(l.accounts, a)
		}
	}
	l.traces, l.actions = l.read(ctx, t, r)
	rows := 0
	for i := range l.accounts {
		rows += len(l.traces[i]) * len(l.actions[i])
	}
	require.NotZero(t, rows)
	return l
}

func (l *accountLists) read(ctx context.Context, t *testing.T, r *store.Reader) (traces [][]chain.Trace, actions [][]chain.Action) {
	t.Helper()
	for i := range l.accounts {
		of, err := r.Traces(ctx, chain.TraceFilter{Account: &l.accounts[i], EndLT: &l.endLT}, chain.Page{Limit: 1000})
		require.NoError(t, err)
		traces = append(traces, of)
		in, err := r.Actions(ctx, chain.ActionFilter{Account: &l.accounts[i], EndLT: &l.endLT}, chain.Page{Limit: 1000})
		require.NoError(t, err)
		actions = append(actions, in)
	}
	return traces, actions
}

func (l *accountLists) requireSame(ctx context.Context, t *testing.T, r *store.Reader) {
	t.Helper()
	traces, actions := l.read(ctx, t, r)
	require.Equal(t, l.traces, traces)
	require.Equal(t, l.actions, actions)
}

// TestMove_IndexOfAnEarlierVersionWhileItIsServed moves an index while it follows the head and another process reads it.
// Lists and digest stay the same until the old tables are gone, and the new ones are those of a new index.
func TestMove_IndexOfAnEarlierVersionWhileItIsServed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n, url, before := newUnmoved(ctx, t)
	gateway, db := testdb.Open(t, url).Reader(), testdb.Open(t, url)
	lists := listAccounts(ctx, t, gateway)
	early, done := gateway.Snapshot(ctx, nil)
	defer done()
	_, err := early.Ranges(ctx)
	require.NoError(t, err)

	// One row at a time takes longer than the blocks: the head is followed meanwhile.
	x, log := newMover(n, db, 1, time.Hour)
	stop := start(ctx, t, x)
	waitUntil(ctx, t, "the first row", func() bool {
		return value[bool](ctx, t, db, `SELECT lt > 0 FROM account_keys_move`)
	})
	require.Equal(t, before.String(), digest(ctx, t, db).String())
	n.AdvanceTo(t, moveBlocks+10)
	waitIndexed(ctx, t, db, 1, moveBlocks+10)
	lists.requireSame(ctx, t, gateway)
	stop()
	require.False(t, value[bool](ctx, t, db, selectMoveDone))
	require.Zero(t, log.count(logMoved))
	fresh := testdb.New(t)
	run(ctx, t, n.Client, fresh, 1, moveBlocks+10, indexer.Options{})
	after := digest(ctx, t, fresh).String()
	require.Equal(t, after, digest(ctx, t, db).String())

	// The next run continues, and keeps the old tables.
	x, log = newMover(n, db, 100, time.Hour)
	stop = start(ctx, t, x)
	waitUntil(ctx, t, "the end of the move", func() bool {
		lists.requireSame(ctx, t, gateway)
		return log.count(logMoved) == 1
	})
	lists.requireSame(ctx, t, gateway)
	lists.requireSame(ctx, t, early)
	require.Zero(t, value[int](ctx, t, db, selectUnequal))
	require.Equal(t, value[string](ctx, t, fresh, selectEntries), value[string](ctx, t, db, selectEntries))
	require.Equal(t, after, digest(ctx, t, db).String())
	stop()
	require.True(t, value[bool](ctx, t, db, selectTablesRemain))
	done()

	// The run after that drops them.
	x, log = newMover(n, db, 100, 0)
	stop = start(ctx, t, x)
	waitUntil(ctx, t, "the drop", func() bool {
		lists.requireSame(ctx, t, gateway)
		return !value[bool](ctx, t, db, selectTablesRemain)
	})
	lists.requireSame(ctx, t, gateway)
	lists.requireSame(ctx, t, testdb.Open(t, url).Reader())
	n.AdvanceTo(t, moveBlocks+14)
	waitIndexed(ctx, t, db, 1, moveBlocks+14)
	waitIndexed(ctx, t, testdb.Open(t, url), 1, moveBlocks+14)
	stop()
	require.Zero(t, log.count(logMoveFailed)+log.count(logInterrupted))
	run(ctx, t, n.Client, fresh, 1, moveBlocks+14, indexer.Options{})
	require.Equal(t, digest(ctx, t, fresh).String(), digest(ctx, t, db).String())
}

// TestMove_FailureIsLoggedOnceAndTriedAgain lets each transaction of the move fail for a while.
func TestMove_FailureIsLoggedOnceAndTriedAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n, url, before := newUnmoved(ctx, t)
	db := testdb.Open(t, url)
	execute(ctx, t, db, `CREATE SEQUENCE tries`, `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM nextval('tries'); RAISE 'no room for the position'; END $$`,
		`CREATE TRIGGER fail BEFORE UPDATE ON account_keys_move FOR EACH ROW EXECUTE FUNCTION fail()`)
	x, log := newMover(n, db, 100, time.Hour)
	start(ctx, t, x)
	waitUntil(ctx, t, "three tries", func() bool { return value[int](ctx, t, db, `SELECT last_value FROM tries`) >= 3 })
	require.Equal(t, before.String(), digest(ctx, t, db).String())
	n.AdvanceTo(t, moveBlocks+5)
	waitIndexed(ctx, t, db, 1, moveBlocks+5)
	require.Equal(t, 1, log.count(logMoveFailed))
	require.Equal(t, 1, log.count("no room for the position"))

	execute(ctx, t, db, `DROP TRIGGER fail ON account_keys_move`)
	waitUntil(ctx, t, "the end of the move", func() bool { return log.count(logMoved) == 1 })
	require.Zero(t, value[int](ctx, t, db, selectUnequal))
	require.Equal(t, 1, log.count(logMoveFailed))
	require.Zero(t, log.count(logInterrupted))
}

// TestMove_DropWaitsForReadersWithoutDelayingBlocks reads an old table for longer than the move waits for it.
func TestMove_DropWaitsForReadersWithoutDelayingBlocks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n, url, _ := newUnmoved(ctx, t)
	db := testdb.Open(t, url)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	reading, err := handle.BeginTx(ctx, nil)
	require.NoError(t, err)
	defer func() { _ = reading.Rollback() }()
	_, err = reading.ExecContext(ctx, `LOCK TABLE trace_accounts IN ACCESS SHARE MODE`)
	require.NoError(t, err)
	x, log := newMover(n, db, 1000, 0)
	start(ctx, t, x)
	waitUntil(ctx, t, "the wait for the reader", func() bool {
		return value[bool](ctx, t, db, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'trace_accounts'::regclass)`)
	})
	require.Zero(t, value[int](ctx, t, db, `SELECT count(*) FROM pg_locks w JOIN pg_locks held ON held.pid = w.pid
		WHERE NOT w.granted AND w.relation = 'trace_accounts'::regclass AND held.granted AND held.locktype = 'advisory'`))
	n.AdvanceTo(t, moveBlocks+5)
	waitIndexed(ctx, t, db, 1, moveBlocks+5)
	waitUntil(ctx, t, "the failure", func() bool { return log.count(logMoveFailed) == 1 })
	require.NoError(t, reading.Rollback())
	waitUntil(ctx, t, "the drop", func() bool { return !value[bool](ctx, t, db, selectTablesRemain) })
	require.Equal(t, 1, log.count(logMoved))
	require.Equal(t, 1, log.count(logMoveFailed))
	require.Zero(t, log.count(logInterrupted))
}

// TestMove_EndsWithItsContext ends the indexer while the move waits for the lock of writers, and while it waits to drop the
// old tables.
func TestMove_EndsWithItsContext(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n, url, _ := newUnmoved(ctx, t)
	db := testdb.Open(t, url)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	writing, err := handle.BeginTx(ctx, nil)
	require.NoError(t, err)
	defer func() { _ = writing.Rollback() }()
	const lockApply = 0x746f6e716c01
	_, err = writing.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(lockApply))
	require.NoError(t, err)
	prompt := func(stop func()) {
		t.Helper()
		began := time.Now()
		stop()
		require.Less(t, time.Since(began), pacetest.Slow*5*time.Second)
	}

	x, _ := newMover(n, db, 100, time.Hour)
	stop := start(ctx, t, x)
	waitUntil(ctx, t, "the wait for the lock", func() bool {
		return value[bool](ctx, t, db, `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`)
	})
	prompt(stop)
	require.NoError(t, writing.Rollback())

	log := &testLog{}
	x = indexer.New(n.Client, db, indexer.Options{Recheck: time.Hour, Logger: slog.New(slog.NewTextHandler(log, nil))})
	x.SetMove(1000, time.Hour)
	stop = start(ctx, t, x)
	waitUntil(ctx, t, "the end of the move", func() bool { return log.count(logMoved) == 1 })
	prompt(stop)
	require.True(t, value[bool](ctx, t, db, selectTablesRemain))
}
