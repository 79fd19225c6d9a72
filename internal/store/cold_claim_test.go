package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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

// copyOf makes a copy of the database of a cluster: a server of its own with the same bytes, beside the original.
func copyOf(t *testing.T, of *pgcluster.Cluster) *store.DB {
	t.Helper()
	server, err := of.AddStandby(t.Context())
	require.NoError(t, err)
	require.NoError(t, of.WaitReplayed(t.Context(), server))
	require.NoError(t, server.Detach(t.Context()))
	conn, err := pgx.Connect(t.Context(), server.DSN("tonql"))
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `SELECT pg_promote()`)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	db, err := store.Open(t.Context(), store.Config{WriteURL: server.DSN("tonql"), MaxReadConns: 4, MaxWriteConns: 3})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

// coldPair is an index with blocks on a cold server of its own.
func coldPair(t *testing.T) (here *pgcluster.Cluster, db *store.DB, name string, batches [][]*chain.MasterBlock) {
	t.Helper()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	here = pgclustertest.Start(t, pgcluster.Options{})
	there := pgclustertest.Start(t, pgcluster.Options{})
	db = pgclustertest.Open(t, here)
	batches = coldChain(t, 3_000)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	pgclustertest.Open(t, there).Close()
	name, err := db.Cold().Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	moveAllCold(t, db, name, batches[0][20].Block.Seqno, 300)
	return here, db, name, batches
}

// requireNoChange checks that a copy of the index changes nothing on a cold server.
func requireNoChange(t *testing.T, db *store.DB, name string, bound uint32) {
	t.Helper()
	for what, change := range map[string]func() error{
		"move":      func() error { _, err := db.Writer().MoveCold(t.Context(), name, bound, 100); return err },
		"thaw":      func() error { _, err := db.Writer().ThawCold(t.Context()); return err },
		"reconcile": func() error { return db.Cold().Reconcile(t.Context(), "") },
		"claim":     func() error { return db.Cold().Claim(t.Context(), "") },
		"upgrade": func() error {
			return db.Cold().URLs(t.Context(), func(ctx context.Context, name, url string) error {
				return db.Cold().Upgrade(ctx, name, url, func(context.Context, string) error { t.Error("migrated"); return nil })
			})
		},
	} {
		err := change()
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%s: %v", what, err)
		require.Contains(t, chain.PublicMessage(err), "tonql range adopt", what)
	}
}

func readHash(ctx context.Context, db *store.DB, hash chain.Hash) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
		_, err := db.Reader().TransactionsByHash(ctx, []chain.Hash{hash})
		return err
	})
}

// A copy of the index beside the original, as a restored backup is, changes nothing on its cold server, whatever it runs. When the original is not used any more,
// the copy adopts the server, removes what it has itself, and the original changes nothing from then on.
func TestCold_CopyOfTheIndexChangesNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	here, db, name, batches := coldPair(t)
	want := digestOf(store.Complete(t.Context()), t, db)
	old := batches[0][3].Transactions[0].Hash
	copied := copyOf(t, here)
	require.NoError(t, db.Cold().Claim(t.Context(), "")) // as the indexer does each minute
	bound := batches[0][40].Block.Seqno

	requireNoChange(t, copied, name, bound)
	require.NoError(t, readHash(t.Context(), copied, old), "both have the same steps")
	moveAllCold(t, db, name, bound, 300)
	requireNoChange(t, copied, name, bound+10)
	require.Equal(t, chain.Unavailable, chain.KindOf(readHash(t.Context(), copied, old)))
	complete := store.Complete(t.Context())
	require.Equal(t, want, digestOf(complete, t, db), "nothing was changed")

	require.NoError(t, copied.Cold().Adopt(t.Context(), name))
	require.Equal(t, want, digestOf(complete, t, copied))
	requireNoChange(t, db, name, bound+10)
	require.Equal(t, chain.Unavailable, chain.KindOf(readHash(t.Context(), db, old)), "the original lacks rows")
	moveAllCold(t, copied, name, bound, 300)
	thawAllCold(t, copied)
	require.Equal(t, want, digestOf(t.Context(), t, copied))
}

// A claim whose change was interrupted at any point is that of the same index.
func TestCold_InterruptedClaimIsCompleted(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	_, db, name, _ := coldPair(t)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	claims := func() (here, next, there string) {
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT c.claim, coalesce(c.next_claim, ''), s.claim FROM cold_servers c, `+name+`.cold_step s`).Scan(&here, &next, &there))
		return here, next, there
	}
	here, _, there := claims()
	require.Equal(t, here, there)
	storetest.ExecSQL(t, db, `UPDATE cold_servers SET next_claim = 'next'`)
	require.NoError(t, db.Cold().Claim(t.Context(), name), "before the cold server has it")
	storetest.ExecSQL(t, db, `UPDATE cold_servers SET next_claim = 'next'; UPDATE `+name+`.cold_step SET claim = 'next'`)
	require.NoError(t, db.Cold().Reconcile(t.Context(), name))
	require.NoError(t, db.Cold().Claim(t.Context(), name), "after the cold server has it")
	here, _, there = claims()
	require.Equal(t, here, there)
	require.NotEqual(t, "next", here)
	storetest.ExecSQL(t, db, `UPDATE cold_servers SET claim = 'before', next_claim = NULL`)
	require.Equal(t, chain.Invalid, chain.KindOf(db.Cold().Claim(t.Context(), name)))
	require.Equal(t, chain.NotFound, chain.KindOf(db.Cold().Claim(t.Context(), "tonql_cold_7")))
}

// A restored index that records a step whose blocks the original has moved back and then moved again cannot take the one for the other.
func TestCold_StepsThatWereMovedBackAreLostForACopy(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	here, db, name, batches := coldPair(t)
	want := digestOf(store.Complete(t.Context()), t, db)
	copied := copyOf(t, here)
	old := batches[0][20].Transactions[0].Hash
	_, err := db.Writer().ThawCold(t.Context())
	require.NoError(t, err)
	require.Equal(t, chain.Unavailable, chain.KindOf(readHash(t.Context(), copied, old)))
	moveAllCold(t, db, name, batches[0][18].Block.Seqno, 100_000) // as many steps as before, of other blocks
	require.Equal(t, chain.Unavailable, chain.KindOf(readHash(t.Context(), copied, old)))
	err = copied.Cold().Adopt(t.Context(), name)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "lacks the rows of 1 steps")
	require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))
	moveAllCold(t, db, name, batches[0][22].Block.Seqno, 100)
	require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))
}

// A server is adopted whatever another one belongs to.
func TestCold_ServersAreAdoptedOneByOne(t *testing.T) {
	t.Parallel()
	db, other := testdb.New(t), testdb.URL(t)
	storetest.Apply(t, db.Writer(), storetest.SmallChain()[:20])
	first, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	second, err := db.Cold().Connect(t.Context(), other)
	require.NoError(t, err)
	storetest.ExecSQL(t, testdb.Open(t, other), `UPDATE cold_step SET claim = 'of a copy'`)
	require.NoError(t, db.Cold().Adopt(t.Context(), first))
	require.Equal(t, chain.Invalid, chain.KindOf(db.Cold().Reconcile(t.Context(), "")))
	require.NoError(t, db.Cold().Adopt(t.Context(), second))
	require.NoError(t, db.Cold().Reconcile(t.Context(), ""))
}
