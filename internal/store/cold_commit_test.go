package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
)

// A crash of the server of the index takes nothing back that a cold server relies on, also where commits do not wait for the disk: neither blocks that were moved back, whose
// rows the cold server has no longer, nor the claim that it has.
func TestCold_CrashWithoutSynchronousCommitLosesNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	here := pgclustertest.Start(t, pgcluster.Options{Settings: map[string]string{
		"synchronous_commit": "off", "wal_writer_delay": "10s", // what is not waited for is lost
	}})
	there := pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, here)
	batches := coldChain(t, 2_000)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	want := digestOf(t.Context(), t, db)
	pgclustertest.Open(t, there).Close()
	name, err := db.Cold().Connect(t.Context(), there.Primary().DSN("tonql"))
	require.NoError(t, err)
	moveAllCold(t, db, name, batches[0][20].Block.Seqno, 100)
	handle := db.SQLDB()
	_, err = handle.ExecContext(t.Context(), `CHECKPOINT`)
	require.NoError(t, err)
	require.NoError(t, handle.Close())

	for _, change := range []func() error{
		func() error { _, err := db.Writer().ThawCold(t.Context()); return err },
		func() error { return db.Cold().Claim(t.Context(), name) },
	} {
		require.NoError(t, change())
		require.NoError(t, here.Primary().Kill(t.Context()))
		require.NoError(t, here.Primary().Restart(t.Context()))
		var reopened *store.DB
		reopened, err = store.Open(t.Context(), store.Config{WriteURL: here.Primary().DSN("tonql"), MaxReadConns: 2, MaxWriteConns: 3})
		require.NoError(t, err)
		require.NoError(t, reopened.Cold().Reconcile(t.Context(), ""))
		require.Equal(t, want, digestOf(store.Complete(t.Context()), t, reopened))
		db.Close()
		db = reopened
	}
	thawAllCold(t, db)
	require.Equal(t, want, digestOf(t.Context(), t, db))
	db.Close()
}
