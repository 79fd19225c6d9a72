package readers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// A snapshot sees one state during writes, and returns its connection to the pool however it ends.
func TestSnapshot_SeesOneStateOfTheIndex(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	write := func(seqno uint32) {
		require.NoError(t, db.Writer().Apply(ctx, testdb.Master(seqno)))
	}
	count := func(r interface {
		Blocks(context.Context, chain.BlockFilter, chain.Page) ([]chain.Block, error)
	},
	) int {
		rows, err := r.Blocks(ctx, chain.BlockFilter{}, chain.Page{})
		require.NoError(t, err)
		return len(rows)
	}
	seqnos := []uint32{}
	at, done := db.Reader().Snapshot(ctx, func(seqno uint32) { seqnos = append(seqnos, seqno) })
	defer done()
	require.Empty(t, seqnos, "before the first query")
	require.Zero(t, count(at))
	write(1)
	require.Zero(t, count(at))
	require.Equal(t, 2, count(db.Reader()))
	require.Zero(t, count(at.Last()))
	_, err := at.Blocks(ctx, chain.BlockFilter{}, chain.Page{})
	require.ErrorContains(t, err, "after the last one")
	done()
	done()
	require.Equal(t, []uint32{0}, seqnos)

	// After one query, several at once, a failed one, and none: every connection returns to the pool.
	pool, _ := db.Pools()
	for range 3 * pool.Max {
		one, done := db.Reader().Snapshot(ctx, func(seqno uint32) { require.Equal(t, uint32(1), seqno) })
		require.Equal(t, 2, count(one.Last()))
		done()
		two, done := db.Reader().Snapshot(ctx, func(uint32) {})
		_, _, err := two.Last().Named(ctx, []chain.Address{{Workchain: 0}})
		require.NoError(t, err)
		done()
		bad, done := db.Reader().Snapshot(ctx, func(uint32) {})
		cut, cancel := context.WithCancel(ctx)
		cancel()
		_, err = bad.Blocks(cut, chain.BlockFilter{}, chain.Page{})
		require.Error(t, err)
		done()
		_, done = db.Reader().Snapshot(ctx, func(uint32) {})
		done()
	}
	pool, _ = db.Pools()
	require.Zero(t, pool.Busy)
}

// A connection that is lost between two queries fails only the second one.
func TestSnapshot_LostConnectionFailsOnlyItsQuery(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	at, done := db.Reader().Snapshot(ctx, func(uint32) {})
	defer done()
	_, err := at.Blocks(ctx, chain.BlockFilter{}, chain.Page{})
	require.NoError(t, err)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err = handle.ExecContext(ctx, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'tonql read'`)
	require.NoError(t, err)
	_, _, err = at.Named(ctx, []chain.Address{{}})
	require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)
	done()
	_, err = db.Reader().Blocks(ctx, chain.BlockFilter{}, chain.Page{})
	require.NoError(t, err)
}

// Nothing uses the connection of a query that was cancelled, which the driver is closing.
func TestSnapshot_CancelledQueryEndsItsConnection(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	lock, err := handle.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = lock.ExecContext(t.Context(), "LOCK TABLE blocks")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	at, done := db.Reader().Snapshot(ctx, func(uint32) {})
	_, err = at.Blocks(ctx, chain.BlockFilter{}, chain.Page{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = at.Blocks(t.Context(), chain.BlockFilter{}, chain.Page{})
	require.Error(t, err)
	done()
	require.NoError(t, lock.Rollback())
	rows, err := db.Reader().Blocks(t.Context(), chain.BlockFilter{}, chain.Page{})
	require.NoError(t, err)
	require.Empty(t, rows)
}

// The code of a thousand accounts may have a gigabyte: a query of a request returns at most 64 MiB.
func TestSnapshot_ResultsAreBounded(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	account := testdb.Account(t, db, nil)
	f := chain.AccountFilter{Addresses: []chain.Address{account.Account}, WithBOC: true}
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for size, kind := range map[int]chain.Kind{60 << 20: chain.Internal, 65 << 20: chain.Invalid} {
		_, err := handle.ExecContext(ctx, `INSERT INTO cells (hash, boc) SELECT $1, decode(repeat('00', $2), 'hex')
			ON CONFLICT (hash) DO UPDATE SET boc = excluded.boc`, account.CodeHash[:], size)
		require.NoError(t, err)
		at, done := db.Reader().Snapshot(ctx, func(uint32) {})
		states, err := at.AccountStates(ctx, f, chain.Page{Limit: 1})
		done()
		if kind == chain.Internal {
			require.NoError(t, err)
			require.Len(t, states[0].CodeBOC, size)
			continue
		}
		require.ErrorContains(t, err, "more than 64 MiB: request fewer at once")
		require.Equal(t, kind, chain.KindOf(err))
		_, err = db.Reader().Blocks(ctx, chain.BlockFilter{}, chain.Page{}) // the connection is usable
		require.NoError(t, err)
	}
}
