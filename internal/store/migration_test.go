package store_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// schema returns the tables, columns and indexes of the migrations as text.
func schema(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'goose_db_version'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'goose_db_version' ORDER BY 1`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	list := []string{}
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		list = append(list, s)
	}
	require.NoError(t, rows.Err())
	return list
}

func TestMigrations_DownAndUpGiveTheSameSchema(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.EmptyURL(t)})
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Reader().Ranges(t.Context())
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "migrations")
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	n, err := migrations.Up(t.Context(), handle)
	require.NoError(t, err)
	require.Positive(t, n)
	want := schema(t, handle)
	again, err := migrations.Up(t.Context(), handle)
	require.NoError(t, err)
	require.Zero(t, again)
	for range n { // all migrations down, then up again
		require.NoError(t, migrations.Down(t.Context(), handle))
	}
	require.Empty(t, schema(t, handle))
	_, err = migrations.Up(t.Context(), handle)
	require.NoError(t, err)
	require.Equal(t, want, schema(t, handle))
	applied, latest, err := migrations.Version(t.Context(), handle)
	require.NoError(t, err)
	require.Equal(t, latest, applied)
	storetest.Apply(t, db.Writer(), storetest.SmallChain()[:3])
}
