package store_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/store/coldservers"
	"tonql/internal/store/digests"
	"tonql/internal/store/readers"
)

// While a cold server is down, requests that need its rows fail and name the blocks, all others succeed, and after its restart all do again. It
// is the same on a standby of the index.
func TestCold_ServerThatIsDownTakesOldBlocksAlone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	here, there := pgclustertest.Start(t, pgcluster.Options{Standbys: 1}), pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, here)
	standby := pgclustertest.Open(t, here, here.Servers()[1].DSN("tonql"))
	batches := coldChain(t, 4_000)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	pgclustertest.Open(t, there).Close()
	name, err := db.Cold().Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	bound := batches[0][20].Block.Seqno
	moveAllCold(t, db, name, bound, 500)
	require.NoError(t, db.Cold().Freeze(t.Context(), name))
	require.NoError(t, here.WaitReplayed(t.Context(), here.Servers()[1]))

	read := func(db *store.DB, f chain.TransactionFilter) (rows []chain.Transaction, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		return rows, readers.Try(ctx, 0, nil, func(ctx context.Context) (err error) {
			rows, err = db.Reader().Transactions(ctx, f, chain.Page{Limit: 10})
			return err
		})
	}
	old := chain.TransactionFilter{McSeqno: &batches[0][3].Block.Seqno}
	all := func(want bool) {
		for _, db := range []*store.DB{db, standby} {
			rows, err := read(db, chain.TransactionFilter{})
			require.NoError(t, err)
			require.Len(t, rows, 10)
			rows, err = read(db, old)
			if want {
				require.NoError(t, err)
				require.Len(t, rows, 10)
				continue
			}
			require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)
			require.Contains(t, chain.PublicMessage(err), "masterchain blocks 1 to 21 are on another server")
		}
	}
	all(true)
	state := func() coldservers.State {
		d, err := store.Diagnose(t.Context(), here.Primary().DSN("tonql"))
		require.NoError(t, err)
		require.Len(t, d.Cold, 1)
		return d.Cold[0]
	}
	require.Equal(t, coldservers.State{Server: name}, state())
	servers, failing := db.ColdFailing(t.Context())
	require.Equal(t, []int{1, 0}, []int{servers, failing})
	require.NoError(t, there.Primary().Kill(t.Context()))
	require.Error(t, state().Err)
	servers, failing = db.ColdFailing(t.Context())
	require.Equal(t, []int{1, 1}, []int{servers, failing})
	begun := time.Now()
	all(false)
	require.Less(t, time.Since(begun), 10*time.Second, "a refused connection is not tried again until the deadline")
	_, err = db.Writer().MoveCold(t.Context(), name, bound+10, 100)
	require.Error(t, err)
	require.NoError(t, there.Primary().Restart(t.Context()))
	time.Sleep(3 * time.Second) // requests are refused for a while
	all(true)
	moveAllCold(t, db, name, bound+10, 100)
}

// Requests for moved blocks end soon while the cold server does not respond at all, however many there are, and take nothing from others.
func TestCold_ServerThatHangsDelaysNothingElse(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	here, there := pgclustertest.Start(t, pgcluster.Options{}), pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, here)
	batches := coldChain(t, 4_000)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	pgclustertest.Open(t, there).Close()
	name, err := db.Cold().Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	moveAllCold(t, db, name, batches[0][20].Block.Seqno, 500)
	gateway, err := store.Open(t.Context(), store.Config{WriteURL: here.Primary().DSN("tonql"), MaxReadConns: 4, StatementTimeout: time.Second})
	require.NoError(t, err)
	defer gateway.Close()
	read := func(f chain.TransactionFilter) error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			_, err := gateway.Reader().Transactions(ctx, f, chain.Page{Limit: 10})
			return err
		})
	}
	old := chain.TransactionFilter{McSeqno: &batches[0][3].Block.Seqno}
	require.NoError(t, read(old))

	// A transaction that has locked the table leaves each reader waiting, as a server that hangs does.
	lock, err := pgx.Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	defer func() { require.NoError(t, lock.Close(context.WithoutCancel(t.Context()))) }()
	_, err = lock.Exec(t.Context(), `BEGIN; LOCK TABLE cold_step IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)
	begun := time.Now()
	var group sync.WaitGroup
	refused := atomic.Int64{}
	for range 100 {
		group.Go(func() {
			if chain.KindOf(read(old)) == chain.Unavailable {
				refused.Add(1)
			}
		})
	}
	for range 20 {
		at := time.Now()
		require.NoError(t, read(chain.TransactionFilter{}))
		require.Less(t, time.Since(at), 5*time.Second)
	}
	group.Wait()
	require.Equal(t, int64(100), refused.Load())
	require.Less(t, time.Since(begun), 15*time.Second, "a hundred requests in turn would take fifty seconds")
	_, err = lock.Exec(t.Context(), `ROLLBACK`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return read(old) == nil }, time.Minute, 100*time.Millisecond)
}

// Servers that are killed at any moment of moves there and back lose and double no row.
func TestCold_ServersAreKilledWhileBlocksMove(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	const kills = 10
	here, there := pgclustertest.Start(t, pgcluster.Options{}), pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, here)
	batches := coldChain(t, 4_000)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	want := digestOf(t.Context(), t, db)
	pgclustertest.Open(t, there).Close()
	name, err := db.Cold().Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	bound := batches[0][60].Block.Seqno

	failed := 0
	for i := range kills {
		victim := []*pgcluster.Cluster{here, there}[i%2].Primary()
		thaw := i >= kills/2
		done := make(chan error, 1)
		go func() {
			for {
				var step store.DropStep
				var err error
				if thaw {
					step, err = db.Writer().ThawCold(t.Context())
				} else {
					step, err = db.Writer().MoveCold(t.Context(), name, bound, 60)
				}
				if err != nil || step.Blocks.Last == 0 {
					done <- err
					return
				}
			}
		}()
		time.Sleep(time.Duration(20+rand.IntN(400)) * time.Millisecond)
		require.NoError(t, victim.Kill(t.Context()))
		if err := <-done; err != nil {
			failed++
		}
		require.NoError(t, victim.Restart(t.Context()))
		require.Eventually(t, func() bool { return db.Cold().Reconcile(t.Context(), "") == nil }, time.Minute, 50*time.Millisecond)
		var got digests.Digest
		require.Eventually(t, func() (ok bool) { // connections of before the kill are lost
			got, err = db.Reader().Digest(store.Complete(t.Context()), nil)
			return err == nil
		}, time.Minute, 50*time.Millisecond)
		require.Equal(t, want, got, "kill %d", i)
	}
	require.NotZero(t, failed)
	thawAllCold(t, db)
	require.Equal(t, want, digestOf(t.Context(), t, db))
}
