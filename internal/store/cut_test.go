package store_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/readers"
	"tonql/internal/testdb"
)

// A connection that is cut at any byte of blocks, also within a COPY or behind the COMMIT, loses and doubles nothing: they are written again, or were
// written.
func TestApply_ConnectionIsCutAtAnyByte(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 1_500)
	uncut := testdb.New(t)
	for _, b := range batches {
		require.NoError(t, uncut.Writer().Apply(t.Context(), b...))
	}
	proxy, through := testdb.NewProxy(t, testdb.URL(t))
	db := testdb.Open(t, through)
	random := rand.New(rand.NewPCG(1, 2))
	cuts := []func(){ // of the attempts for one batch
		func() { proxy.CutAfter(random.Int64N(2_000)) },
		func() { proxy.CutAfter(random.Int64N(20_000)) },
		func() { proxy.CutAfter(random.Int64N(200_000)) },
		func() { proxy.CutBehind("commit\x00") },
	}
	failed := 0
	for _, batch := range batches {
		for len(batch) > 0 {
			n := min(len(batch), 1+random.IntN(8))
			require.Eventually(t, func() bool {
				proxy.CutAfter(-1)
				if i := random.IntN(2 * len(cuts)); i < len(cuts) {
					cuts[i]()
				}
				err := db.Writer().Apply(t.Context(), batch[:n]...)
				if err != nil {
					failed++
					require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)
				}
				return err == nil
			}, time.Minute, time.Millisecond)
			batch = batch[n:]
		}
	}
	require.Greater(t, failed, 5)
	require.Equal(t, digestOf(t.Context(), t, uncut), digestOf(t.Context(), t, testdb.Open(t, proxy.Direct())))
}

// A connection to a cold server, of the server of the index or of this process, that is cut at any byte of a move loses and doubles no row. What a commit leaves on the cold server whose response was lost is seen
// by nobody, and removed.
func TestCold_ConnectionIsCutAtAnyByte(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 800)
	db := testdb.New(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	want := digestOf(t.Context(), t, db)
	proxy, through := testdb.NewProxy(t, testdb.URL(t))
	name, err := db.Cold().Connect(t.Context(), through)
	require.NoError(t, err)
	bound, random := batches[0][16].Block.Seqno, rand.New(rand.NewPCG(3, 4))
	moveAllCold(t, db, name, batches[0][3].Block.Seqno, 60)
	oldest := batches[0][0].Transactions[0].Hash
	read := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			rows, err := db.Reader().TransactionsByHash(ctx, []chain.Hash{oldest})
			if err == nil {
				require.Len(t, rows, 1)
			}
			return err
		})
	}
	interrupted := 0
	for _, step := range []func() (store.DropStep, error){ // the oldest blocks are there until the end
		func() (store.DropStep, error) { return db.Writer().MoveCold(t.Context(), name, bound, 60) },
		func() (store.DropStep, error) { return db.Writer().ThawCold(t.Context()) },
	} {
		for i := range 9 {
			switch i % 3 {
			case 0:
				proxy.CutBehind("COMMIT TRANSACTION") // of the server of the index
			case 1:
				proxy.CutBehind("Q\x00\x00\x00\x0bCOMMIT\x00") // the statement of this process, not the response to one of the server
			default:
				proxy.CutAfter(random.Int64N(100_000))
			}
			_, err := step()
			proxy.CutAfter(-1)
			if err == nil {
				continue
			}
			if read() != nil {
				interrupted++
			}
			require.NoError(t, db.Cold().Reconcile(t.Context(), ""))
			require.Eventually(t, func() bool { return read() == nil }, 10*time.Second, 10*time.Millisecond)
			var got digests.Digest
			require.Eventually(t, func() bool { // connections of before the cut are lost
				got, err = db.Reader().Digest(store.Complete(t.Context()), nil)
				return err == nil
			}, time.Minute, 10*time.Millisecond)
			require.Equal(t, want, got)
		}
	}
	require.NotZero(t, interrupted)
	thawAllCold(t, db)
	require.Equal(t, want, digestOf(t.Context(), t, db))
}

// waitForLocked waits until a statement in the database waits for a lock.
func waitForLocked(t *testing.T, db *sql.DB) {
	t.Helper()
	require.Eventually(t, func() bool {
		var n int
		err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
		return err == nil && n > 0
	}, time.Minute, 5*time.Millisecond)
}

// A caller that ends while a step is moved back, as by Ctrl-C, leaves no rows on the cold server that readers would wait for.
func TestCold_ThawIsCompletedAfterItsCaller(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 1_500)
	db, there := testdb.New(t), testdb.URL(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	name, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	moveAllCold(t, db, name, batches[0][30].Block.Seqno, 100)
	hash := batches[0][0].Transactions[0].Hash
	cold := testdb.Open(t, there).SQLDB()
	defer func() { require.NoError(t, cold.Close()) }()

	// The removal of the rows waits for this transaction, until the caller has ended.
	tx, err := cold.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), `SELECT FROM cold_step FOR UPDATE`)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := db.Writer().ThawCold(ctx)
		done <- err
	}()
	waitForLocked(t, cold)
	cancel()
	require.NoError(t, tx.Rollback())
	require.NoError(t, <-done)
	require.NoError(t, readHash(t.Context(), db, hash))
}

// A caller that ends while the servers commit a step leaves none that only the cold server has.
func TestCold_MoveIsCompletedAfterItsCaller(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 1_500)
	db, there := testdb.New(t), testdb.URL(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	name, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	cold := testdb.Open(t, there).SQLDB()
	defer func() { require.NoError(t, cold.Close()) }()
	tx, err := cold.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), `SELECT FROM cold_step FOR UPDATE`)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := db.Writer().MoveCold(ctx, name, batches[0][30].Block.Seqno, 100)
		done <- err
	}()
	waitForLocked(t, cold)
	cancel()
	require.NoError(t, tx.Rollback())
	require.NoError(t, <-done)
	require.NoError(t, readHash(t.Context(), db, batches[0][0].Transactions[0].Hash))

	_, err = db.Writer().MoveCold(ctx, name, batches[0][30].Block.Seqno, 100)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, readHash(t.Context(), db, batches[0][0].Transactions[0].Hash))
}

// New blocks wait for no cold server while there is nothing to remove from it.
func TestReconcileCold_NewBlocksDoNotWait(t *testing.T) {
	t.Parallel()
	batches := coldChain(t, 1_500)
	db, there := testdb.New(t), testdb.URL(t)
	require.NoError(t, db.Writer().Apply(t.Context(), batches[0][:30]...))
	name, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	moveAllCold(t, db, name, batches[0][10].Block.Seqno, 100)
	lock := testdb.Open(t, there).SQLDB()
	defer func() { require.NoError(t, lock.Close()) }()
	tx, err := lock.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), `LOCK TABLE cold_step IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- db.Cold().Reconcile(t.Context(), "") }()
	waitForLocked(t, lock)
	require.NoError(t, db.Writer().Apply(t.Context(), batches[0][30:]...))
	require.NoError(t, tx.Rollback())
	require.NoError(t, <-done)
}

// A connection of a cold server that was interrupted, after its database was prepared, is repeated with the same database.
func TestConnectCold_RepeatsAfterAnInterruption(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 800)
	for name, text := range map[string]string{"before the commit": "IMPORT FOREIGN SCHEMA", "before the claim": "next_claim = $3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here, through := testdb.NewProxy(t, testdb.URL(t))
			db, there := testdb.Open(t, through), testdb.URL(t)
			for _, b := range batches {
				require.NoError(t, db.Writer().Apply(t.Context(), b...))
			}
			want := digestOf(t.Context(), t, db)
			here.CutBehind(text)
			_, err := db.Cold().Connect(t.Context(), there)
			require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)
			var server string
			require.Eventually(t, func() bool { // connections of before the cut are lost
				server, err = db.Cold().Connect(t.Context(), there)
				return chain.KindOf(err) != chain.Unavailable
			}, time.Minute, 10*time.Millisecond)
			require.NoError(t, err)
			moveAllCold(t, db, server, batches[0][10].Block.Seqno, 200)
			require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))
			_, err = testdb.New(t).Cold().Connect(t.Context(), there)
			require.Equal(t, chain.Invalid, chain.KindOf(err), "another index")
		})
	}
}
