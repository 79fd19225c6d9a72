package locks_test

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/locks"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// lockClaims returns the right to fill; the test returns it at its end.
func lockClaims(t *testing.T, db *store.DB) *locks.Lock {
	t.Helper()
	l, err := db.Writer().LockClaims(t.Context())
	require.NoError(t, err)
	t.Cleanup(l.Release)
	return l
}

func claim(t *testing.T, l *locks.Lock, batch uint32) bool {
	t.Helper()
	got, err := l.Claim(t.Context(), batch)
	require.NoError(t, err)
	return got
}

// handle is a database/sql handle that the test closes.
func handle(t *testing.T, db *store.DB) *sql.DB {
	t.Helper()
	h := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// A batch has one worker at a time, in one process as in several.
func TestClaim_HasOneHolder(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	a, err := testdb.Open(t, url).Writer().LockClaims(t.Context())
	require.NoError(t, err)
	b := lockClaims(t, testdb.Open(t, url))
	require.True(t, claim(t, a, 7))
	require.False(t, claim(t, a, 7), "another worker of the same process")
	require.False(t, claim(t, b, 7))
	require.True(t, claim(t, b, 1<<32-1), "another batch")
	require.False(t, claim(t, a, 1<<32-1))
	require.NoError(t, a.Unclaim(t.Context(), 7))
	require.True(t, claim(t, b, 7))
	require.NoError(t, b.Unclaim(t.Context(), 7))

	require.True(t, claim(t, a, 8))
	require.NoError(t, a.Check(t.Context()))
	a.Release()
	require.Eventually(t, func() bool { return claim(t, b, 8) }, time.Minute, 5*time.Millisecond,
		"the claims of a process that ended are free")
}

// While several processes fill, the newest block waits for at most the transaction that is being written and one more.
func TestFill_NewestBlockWaitsForOneTransaction(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	head := testdb.Open(t, url)
	blocks := storetest.SmallChain()
	storetest.Apply(t, head.Writer(), blocks[:1])

	// A process that has stopped while it writes: all others wait for it.
	stopped, err := handle(t, head).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	const lockApply = 0x746f6e716c_01
	_, err = stopped.ExecContext(t.Context(), `SELECT pg_advisory_xact_lock($1)`, int64(lockApply))
	require.NoError(t, err)
	const fillers = 4
	order := make(chan string, fillers+1)
	failed := make(chan error, fillers+1)
	for i := range fillers {
		db := testdb.Open(t, url)
		l := lockClaims(t, db)
		go func() {
			err := db.Writer().Fill(t.Context(), l, blocks[10+i])
			order <- "filled"
			failed <- err
		}()
	}
	counting := handle(t, head)
	waiting := func() (n int) {
		require.NoError(t, counting.QueryRowContext(t.Context(),
			`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&n))
		return n
	}
	require.Eventually(t, func() bool { return waiting() == fillers }, time.Minute, 5*time.Millisecond)
	go func() {
		err := head.Writer().Apply(t.Context(), blocks[1])
		order <- "newest"
		failed <- err
	}()
	require.Eventually(t, func() bool { return waiting() == fillers+1 }, time.Minute, 5*time.Millisecond)
	require.NoError(t, stopped.Rollback())
	var got []string
	for range fillers + 1 {
		require.NoError(t, <-failed)
		got = append(got, <-order)
	}
	require.LessOrEqual(t, slices.Index(got, "newest"), 1, "%v", got)
}

// Three processes fill a chain in disorder beside one that applies new blocks. The tables equal those of one process.
func TestFill_ConcurrentProcessesGiveTheSameTables(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	past := storetest.HistoryOf(blocks)
	alone := testdb.New(t)
	storetest.Apply(t, alone.Writer(), blocks)
	want, err := alone.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)

	url := testdb.URL(t)
	half := len(blocks) / 2
	batches := slices.Collect(slices.Chunk(blocks[:half], 3))
	rand.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
	todo := make(chan []*chain.MasterBlock, len(batches))
	for _, b := range batches {
		todo <- storetest.WithBases(b, past)
	}
	close(todo)
	done := make(chan error, 4)
	for range 3 {
		db := testdb.Open(t, url)
		l := lockClaims(t, db)
		go func() {
			var err error
			for b := range todo {
				err = errors.Join(err, db.Writer().Fill(t.Context(), l, b...))
			}
			done <- err
		}()
	}
	db := testdb.Open(t, url)
	go func() {
		var err error
		for b := range slices.Chunk(storetest.WithBases(blocks[half:], past), 1) {
			err = errors.Join(err, db.Writer().Apply(t.Context(), b...))
		}
		done <- err
	}()
	for range 4 {
		require.NoError(t, <-done)
	}
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A wait for other processes ends with its context.
func TestFill_WaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.SmallChain()
	holder, err := handle(t, db).Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = holder.Close() })
	const lockFilling = 0x746f6e716c_04
	_, err = holder.ExecContext(t.Context(), `SELECT pg_advisory_lock($1)`, int64(lockFilling))
	require.NoError(t, err)
	l := lockClaims(t, db)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.Equal(t, chain.Unavailable, chain.KindOf(db.Writer().Fill(ctx, l, blocks[0])))
}
