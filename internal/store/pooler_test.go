package store_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster/pgbouncertest"
	"tonql/internal/store"
	"tonql/internal/store/readers"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Behind a pooler in session mode, everything works as without one, also when the pooler resets nothing between clients.
func TestOpen_PoolerInSessionModeWorks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, reset := range map[string]*string{"reset": nil, "no reset": new("SELECT 1")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testdb.URL(t)
			pooled := pgbouncertest.Start(t, url, pgbouncertest.Options{Mode: "session", Reset: reset})
			blocks := storetest.SmallChain()[:20]
			for part := range 2 { // the second time with connections that other clients had
				db := testdb.Open(t, pooled)
				storetest.Apply(t, db.Writer(), blocks[10*part:10*part+10])
				_, err := db.Payments().Payment(t.Context(), "nothing")
				require.Equal(t, chain.NotFound, chain.KindOf(err))
				var wg sync.WaitGroup
				failed := make(chan error, 20)
				for range 20 {
					wg.Go(func() {
						at, done := db.Reader().Snapshot(t.Context(), nil)
						defer done()
						_, err := at.Last().Blocks(t.Context(), chain.BlockFilter{}, chain.Page{Limit: 10})
						failed <- err
					})
				}
				wg.Wait()
				close(failed)
				for err := range failed {
					require.NoError(t, err)
				}
				// Fails where a setting is another one.
				require.NoError(t, db.Reader().Run(t.Context(), `SELECT 1 / count(*) FROM (SELECT) one WHERE current_setting('plan_cache_mode') = 'force_generic_plan'
					AND current_setting('default_transaction_isolation') = 'repeatable read' AND current_setting('default_transaction_read_only') = 'on'
					AND current_setting('application_name') = 'tonql read'`))
				db.Close()
			}
			want := testdb.New(t)
			storetest.Apply(t, want.Writer(), blocks)
			expected, err := want.Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			got, err := testdb.Open(t, url).Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, expected, got)
		})
	}
}

func TestOpen_PoolerInOtherModesIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, o := range []pgbouncertest.Options{{Mode: "transaction"}, {Mode: "transaction", PoolSize: 1}, {Mode: "statement"}} {
		t.Run(o.Mode, func(t *testing.T) {
			t.Parallel()
			pooled := pgbouncertest.Start(t, testdb.URL(t), o)
			_, err := store.Open(t.Context(), store.Config{WriteURL: pooled})
			require.Equal(t, chain.Unavailable, chain.KindOf(err))
			require.Contains(t, chain.PublicMessage(err), "pool_mode = session")
			var typed *chain.Error
			require.ErrorAs(t, err, &typed)
		})
	}
}

// A connection whose session lost its settings is closed with a clear error, and a request that runs again gets another one.
func TestSnapshot_LostSettingsAreDetected(t *testing.T) {
	t.Parallel()
	pooled := pgbouncertest.Start(t, testdb.URL(t), pgbouncertest.Options{Mode: "session"})
	db, err := store.Open(t.Context(), store.Config{WriteURL: pooled, MaxReadConns: 1})
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	lose := func() {
		require.NoError(t, db.Reader().Run(t.Context(), `SELECT set_config('tonql.session', 'that of another client', false)`))
	}
	lose()
	_, err = storetest.Head(t.Context(), db)
	require.Contains(t, chain.PublicMessage(err), "has lost its settings")
	head, err := storetest.Head(t.Context(), db)
	require.NoError(t, err)
	require.EqualValues(t, 1, head)
	lose()
	require.NoError(t, readers.Try(t.Context(), 1, nil, func(ctx context.Context) error {
		_, err := storetest.Head(ctx, db)
		return err
	}))
}
