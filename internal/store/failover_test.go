package store_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// follow applies blocks until all are indexed, as the indexer does: after an error, it continues behind the last indexed block.
func follow(ctx context.Context, db *store.DB, blocks []*chain.MasterBlock, paced func(i int)) error {
	for {
		ranges, err := db.Reader().Ranges(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		next := 0
		if len(ranges) > 0 {
			for next < len(blocks) && blocks[next].Block.Seqno <= ranges[0].Last {
				next++
			}
		}
		for ; err == nil && next < len(blocks); next++ {
			paced(next)
			err = db.Writer().Apply(ctx, blocks[next])
		}
		if err == nil {
			return nil
		}
		ctxtime.Sleep(ctx, 5*time.Millisecond)
	}
}

// The writer runs on through failovers that lose up to 12 blocks, at random moments. In the end the database equals one that was
// written without failures.
func TestApply_FailoversLoseNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	want := testdb.New(t)
	storetest.Apply(t, want.Writer(), blocks)
	expected, err := want.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	for _, synchronous := range []bool{false, true} {
		t.Run("synchronous "+strconv.FormatBool(synchronous), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*4*time.Minute)
			defer cancel()
			c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
			db := pgclustertest.Open(t, c)
			steps, done := make(chan int), make(chan error, 1)
			go func() { done <- follow(ctx, db, blocks, func(i int) { steps <- i }) }()
			advance := func(n int) {
				for range n {
					<-steps
				}
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for round := range 10 {
				standby := c.Servers()[(round+1)%2]
				if synchronous {
					require.NoError(t, c.SetSynchronous(ctx, true))
				}
				advance(1 + rng.IntN(3))
				if !synchronous {
					require.NoError(t, standby.Detach(ctx))
					advance(12)
				}
				killed := make(chan error, 1)
				go func() { killed <- c.Primary().Kill(ctx) }()
				end := time.After(time.Duration(rng.IntN(30)) * time.Millisecond)
				for moving := true; moving; {
					select {
					case <-steps:
					case <-end:
						moving = false
					}
				}
				require.NoError(t, <-killed)
				require.NoError(t, c.Promote(ctx, standby))
				advance(3)
				require.NoError(t, c.Rebuild(ctx, c.Servers()[round%2]))
			}
			for running := true; running; {
				select {
				case <-steps:
				case err := <-done:
					require.NoError(t, err)
					running = false
				}
			}
			got, err := db.Reader().Digest(ctx, nil)
			require.NoError(t, err)
			require.Equal(t, expected, got)
		})
	}
}

// The cells of a block that was lost are written by the next write that has them, also by one that compares no ranges.
func TestApplyComplete_CellsLostInAFailoverAreWrittenAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	cell := map[chain.Hash]chain.BOC{testdb.Hash(): {0xb5}}
	first := testdb.Master(1)
	require.NoError(t, db.Writer().Apply(t.Context(), first))
	pgclustertest.LoseNewest(t, c, func() {
		require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(2, func(mb *chain.MasterBlock) { mb.Cells = cell })))
	})
	first.Cells = cell
	pgclustertest.Retried(t, func() error {
		_, _, err := db.Writer().ApplyComplete(t.Context(), first)
		return err
	})
	for hash := range cell {
		pgclustertest.Retried(t, func() error {
			found, err := db.Reader().Cells(t.Context(), []chain.Hash{hash})
			require.True(t, err != nil || len(found) == 1)
			return err
		})
	}
}

// readCode reads the code of an account through the cache of names.
func readCode(t *testing.T, db *store.DB, account chain.Address) (*chain.Hash, error) {
	t.Helper()
	at, done := db.Reader().Snapshot(t.Context(), func(uint32) {})
	defer done()
	entries, err := at.AddressBook(t.Context(), []chain.Address{account})
	if err != nil {
		return nil, err
	}
	return entries[0].CodeHash, nil
}

// After a failover, the versions of lost names are not used again for others: caches would not see the difference.
func TestNames_VersionsLostInAFailoverAreNotUsedAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	account := testdb.Address()
	written := func(seqno uint32) *chain.Hash {
		mb := testdb.Master(seqno)
		s := testdb.NewState(mb, account)
		mb.States = []chain.AccountState{s}
		pgclustertest.Retried(t, func() error { return db.Writer().Apply(t.Context(), mb) })
		return s.CodeHash
	}
	read := func() (code *chain.Hash) {
		pgclustertest.Retried(t, func() (err error) {
			code, err = readCode(t, db, account)
			return err
		})
		return code
	}
	require.Equal(t, written(1), read())
	pgclustertest.LoseNewest(t, c, func() { require.Equal(t, written(2), read()) })
	require.Equal(t, written(2), read(), "another code, with the number of changes that the lost one had")
}
