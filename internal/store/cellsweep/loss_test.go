package cellsweep_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// dropUpTo drops what it can, and returns the error that ended it.
func dropUpTo(ctx context.Context, db *store.DB, bound uint32) error {
	for {
		step, err := db.Writer().Drop(ctx, bound, 100)
		if err != nil || step.Nothing() {
			return err
		}
	}
}

// A process that has lost the right to index, and does not know yet, drops nothing while another one sweeps: it would move states
// between the tables that the sweep reads one after the other.
func TestSweep_NothingIsDroppedMeanwhile(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	account, code := testdb.Address(), testdb.Hash()
	retained, newest := testdb.Hash(), testdb.Hash()
	for _, mb := range []*chain.MasterBlock{
		storetest.WithState(1, testdb.Address(), code, testdb.Hash()),
		storetest.WithState(1500, account, code, retained),
		storetest.WithState(1700, account, code, newest),
	} {
		require.NoError(t, db.Writer().Apply(t.Context(), mb))
	}
	s, err := db.Writer().BeginSweep(t.Context())
	require.NoError(t, err)
	refused := 0
	require.NoError(t, s.Use(t.Context(), storetest.NoLibraries, func(ctx context.Context, _ time.Duration) error {
		if err := dropUpTo(ctx, other, 1600); err != nil {
			require.ErrorIs(t, err, cellsweep.ErrSweeping)
			refused++
		}
		return nil
	}))
	require.NoError(t, s.Parts(t.Context(), storetest.NoPause))
	storetest.RemoveUnused(t, db, s)
	storetest.RequireCells(t, db)
	require.Positive(t, refused)

	require.NoError(t, dropUpTo(t.Context(), other, 1600), "after it")
	storetest.RequireCells(t, db)
}

// The end of a sweep that another one has followed does not end that one.
func TestSweep_EndIsThatOfOne(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	require.NoError(t, db.Writer().Apply(t.Context(), storetest.WithState(1, testdb.Address(), testdb.Hash(), testdb.Hash())))
	first, err := db.Writer().BeginSweep(t.Context())
	require.NoError(t, err)
	second := storetest.ListUsed(t, db)
	for i, s := range []*cellsweep.Sweep{first, second} {
		require.NoError(t, s.End(t.Context()))
		garbage, err := db.Writer().CellGarbage(t.Context())
		require.NoError(t, err)
		require.Equal(t, i == 0, garbage.Unfinished)
	}
}

// A sweep whose begin was lost in a failover is not taken for the next one: it does not know the cells of blocks that were written between.
func TestSweep_LostBeginIsNotTheNextOne(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db, other := pgclustertest.Open(t, c), pgclustertest.Open(t, c)
	account, code := testdb.Address(), testdb.Hash()
	data := []chain.Hash{testdb.Hash(), testdb.Hash(), testdb.Hash()}
	for i := range data {
		require.NoError(t, db.Writer().Apply(t.Context(), storetest.WithState(uint32(i+1), account, code, data[i])))
	}
	storetest.DropAll(t, db, 2, 100)
	var lost *cellsweep.Sweep
	pgclustertest.LoseNewest(t, c, func() { lost = storetest.ListUsed(t, db) })
	pgclustertest.Retried(t, func() error {
		return other.Writer().Apply(t.Context(), storetest.WithState(4, testdb.Address(), code, data[0]))
	})
	_, err := other.Writer().BeginSweep(t.Context())
	require.NoError(t, err)
	pgclustertest.Retried(t, func() error {
		_, err := lost.Remove(t.Context(), 1000)
		if chain.KindOf(err) == chain.Unavailable {
			return err
		}
		require.ErrorContains(t, err, "not the one that runs")
		return nil
	})
	storetest.RequireCells(t, pgclustertest.Open(t, c))
}
