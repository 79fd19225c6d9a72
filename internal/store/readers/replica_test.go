package readers_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/store/readers"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Requests go to the standbys that are near the head, and continue when a standby pauses or ends.
func TestReaders_LaggingAndLostStandbysAreAvoided(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 2})
	first, second := c.Servers()[1], c.Servers()[2]
	db := pgclustertest.Open(t, c, first.DSN("tonql"), second.DSN("tonql"))
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	require.NoError(t, c.WaitReplayed(t.Context(), first))
	require.NoError(t, c.WaitReplayed(t.Context(), second))
	require.False(t, db.Standby())

	require.NoError(t, first.PauseReplay(t.Context()))
	for seqno := uint32(2); seqno <= 10; seqno++ {
		require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(seqno)))
	}
	require.NoError(t, c.WaitReplayed(t.Context(), second))
	for range 20 { // whichever is chosen first, the response has the block
		var head uint32
		err := readers.Try(t.Context(), 10, nil, func(ctx context.Context) (err error) {
			head, err = storetest.Head(ctx, db)
			return err
		})
		require.NoError(t, err)
		require.EqualValues(t, 10, head)
	}

	require.NoError(t, first.ResumeReplay(t.Context()))
	require.NoError(t, c.WaitReplayed(t.Context(), first))
	require.NoError(t, second.Kill(t.Context()))
	for range 20 {
		require.NoError(t, readers.Try(t.Context(), 10, nil, func(ctx context.Context) error {
			_, err := storetest.Head(ctx, db)
			return err
		}))
	}
}

// Queries outside a snapshot, such as those for live events, never take a block that a standby has not replayed for one without rows.
func TestTry_QueriesOutsideSnapshotsReadNoStandbyThatLacksTheBlock(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	standby := c.Servers()[1]
	both := pgclustertest.Open(t, c, standby.DSN("tonql"), c.Primary().DSN("tonql"))
	alone := pgclustertest.Open(t, c, standby.DSN("tonql"))
	blocks := func(ctx context.Context, db *store.DB, seqno uint32) (n int, err error) {
		err = readers.Try(ctx, seqno, nil, func(ctx context.Context) error {
			found, err := db.Reader().BlocksOfMasterchain(ctx, []uint32{seqno})
			n = len(found[seqno])
			return err
		})
		return n, err
	}
	for seqno := uint32(1); seqno <= 20; seqno++ { // as soon as they are committed, when the heads of readers are not checked yet
		require.NoError(t, both.Writer().Apply(t.Context(), testdb.Master(seqno)))
		n, err := blocks(t.Context(), both, seqno)
		require.NoError(t, err)
		require.Positive(t, n, "block %d", seqno)
	}
	require.NoError(t, c.WaitReplayed(t.Context(), standby))
	require.NoError(t, standby.PauseReplay(t.Context()))
	require.NoError(t, both.Writer().Apply(t.Context(), testdb.Master(21)))
	for range 20 {
		n, err := blocks(t.Context(), both, 21)
		require.NoError(t, err)
		require.Positive(t, n)
	}
	short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := blocks(short, alone, 21)
	require.True(t, chain.IsTransient(err), err)
	// Nor does a request that has seen the block elsewhere, such as in a cached head.
	twice := pgclustertest.Open(t, c, standby.DSN("tonql"), standby.DSN("tonql"))
	seen := func(ctx context.Context) (n int, err error) {
		err = readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			readers.Require(ctx, 21)
			found, err := twice.Reader().BlocksOfMasterchain(ctx, []uint32{21})
			n = len(found[21])
			return err
		})
		return n, err
	}
	short, cancel = context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err = seen(short)
	require.True(t, chain.IsTransient(err), err)
	// Many requests that wait send the queries of one.
	before, _ := alone.Pools()
	var waiting sync.WaitGroup
	for range 100 {
		waiting.Go(func() {
			once := readers.Pin(t.Context(), 21)
			_, err := alone.Reader().BlocksOfMasterchain(once, []uint32{21})
			if !chain.IsTransient(err) {
				t.Errorf("a block that is not there: %v", err)
			}
		})
	}
	waiting.Wait()
	after, _ := alone.Pools()
	require.Less(t, after.Acquired-before.Acquired, int64(100), "of 3000 polls")
	require.NoError(t, standby.ResumeReplay(t.Context()))
	n, err := blocks(t.Context(), alone, 21)
	require.NoError(t, err)
	require.Positive(t, n)
	n, err = seen(t.Context())
	require.NoError(t, err)
	require.Positive(t, n)
}

// A block that no reader has is waited for until the end of the time, which is an error that passes.
func TestTry_MissingBlockIsWaitedForUntilTheDeadline(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	testdb.Block(t, db, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	tries := 0
	err := readers.Try(ctx, 7, nil, func(ctx context.Context) error {
		tries++
		_, err := storetest.Head(ctx, db)
		return err
	})
	require.True(t, chain.IsTransient(err))
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "masterchain block 7")
	require.Greater(t, tries, 2)
	require.Less(t, tries, 12)
}

// A standby cancels queries that conflict with what it replays: requests run again, and none fails.
func TestTry_RecoveryConflictsAreTriedAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1, Settings: map[string]string{
		"max_standby_streaming_delay": "0", "hot_standby_feedback": "off", "autovacuum": "off",
	}})
	standby := c.Servers()[1]
	db := pgclustertest.Open(t, c, standby.DSN("tonql"))
	for seqno := uint32(1); seqno <= 20; seqno++ {
		require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(seqno)))
	}
	require.NoError(t, c.WaitReplayed(t.Context(), standby))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	conflicts := 0
	for round := 0; round < 200 && conflicts < 3; round++ {
		tries := 0
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			tries++
			at, done := db.Reader().Snapshot(ctx, nil)
			defer done()
			if _, err := at.Blocks(ctx, chain.BlockFilter{}, chain.Page{Limit: 1}); err != nil {
				return err
			}
			if tries == 1 { // the rows that the snapshot may still read are removed, and the standby replays that
				for _, statement := range []string{`UPDATE blocks SET tx_count = tx_count`, `VACUUM blocks`} {
					if _, err := handle.ExecContext(ctx, statement); err != nil {
						return err
					}
				}
				if err := c.WaitReplayed(ctx, standby); err != nil {
					return err
				}
			}
			_, err := at.Last().Blocks(ctx, chain.BlockFilter{}, chain.Page{Limit: 20})
			return err
		})
		cancel()
		require.NoError(t, err)
		if tries > 1 {
			conflicts++
		}
	}
	require.Positive(t, conflicts)
}

// The end of a request in the middle of a query is no reason to avoid the reader.
func TestReaders_EndedRequestsAreNoFault(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	lock, err := handle.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = lock.ExecContext(t.Context(), "LOCK TABLE blocks")
	require.NoError(t, err)
	for _, at := range []func() (*store.Reader, func()){
		func() (*store.Reader, func()) { return db.Reader(), func() {} },
		func() (*store.Reader, func()) { return db.Reader().Snapshot(t.Context(), nil) },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r, done := at()
		_, err := r.Blocks(ctx, chain.BlockFilter{}, chain.Page{Limit: 1})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		done()
		cancel()
		require.True(t, db.Readers()[0].Usable)
	}
	require.NoError(t, lock.Rollback())
}
