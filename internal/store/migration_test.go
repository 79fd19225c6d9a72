package store_test

import (
	"database/sql"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
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
	pacetest.Long(t)
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

// A gateway runs on a newer schema if each migration that it does not have permits it. All other processes refuse it.
func TestNewerSchema_GatewaysContinueIfPermitted(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t)})
	require.NoError(t, err)
	defer db.Close()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, newest, err := migrations.Version(t.Context(), handle)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change   string
		permits  bool
		refusals []int64 // unknown and missing migrations of the refusal
	}{
		"its own":              {`SELECT`, true, nil},
		"undeclared":           {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`, false, []int64{99999}},
		"adds":                 {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true); INSERT INTO schema_gateways VALUES (99999, NULL)`, true, nil},
		"adds, out of order":   {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (2000000, true), (75000, true); INSERT INTO schema_gateways VALUES (2000000, NULL), (75000, NULL)`, true, nil},
		"one of two":           {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true), (99998, true); INSERT INTO schema_gateways VALUES (99999, NULL)`, false, []int64{99998, 99999}},
		"needs one it has":     {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true); INSERT INTO schema_gateways VALUES (99999, 74)`, true, nil},
		"needs one it lacks":   {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true); INSERT INTO schema_gateways VALUES (99999, 99998)`, false, []int64{99999}},
		"needs itself":         {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true); INSERT INTO schema_gateways VALUES (99999, 99999)`, false, []int64{99999}},
		"adds, own is missing": {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true); INSERT INTO schema_gateways VALUES (99999, NULL); DELETE FROM goose_db_version WHERE version_id = 90`, false, []int64{99999, 90}},
		"not applied":          {`INSERT INTO schema_gateways VALUES (99999, 99999)`, true, nil},
	} {
		_, err := handle.ExecContext(t.Context(), c.change)
		require.NoError(t, err, name)
		applied, supported, err := migrations.CheckGateway(t.Context(), handle)
		strict := migrations.Check(t.Context(), handle)
		if c.permits {
			require.NoError(t, err, name)
			require.Equal(t, newest, supported, name)
			require.Equal(t, applied != newest, strict != nil, name)
		} else {
			var refused *migrations.SchemaError
			require.ErrorAs(t, err, &refused, name)
			require.Equal(t, c.refusals, slices.Concat(refused.Unknown, refused.Missing), name)
			require.Contains(t, err.Error(), "schema 99999 and this tonql knows only "+strconv.FormatInt(newest, 10), name)
			require.Equal(t, err, strict, name)
		}
		_, err = handle.ExecContext(t.Context(), `DELETE FROM goose_db_version WHERE version_id >= 75000; DELETE FROM schema_gateways WHERE migration >= 75000;
			INSERT INTO goose_db_version (version_id, is_applied) SELECT 90, true WHERE NOT EXISTS (SELECT FROM goose_db_version WHERE version_id = 90)`)
		require.NoError(t, err)
		require.NoError(t, migrations.Check(t.Context(), handle))
	}
	_, err = handle.ExecContext(t.Context(), `DELETE FROM goose_db_version WHERE version_id = $1`, newest)
	require.NoError(t, err)
	_, _, err = migrations.CheckGateway(t.Context(), handle)
	require.ErrorContains(t, err, "run 'tonql migrate'", "a schema that lacks the newest migration")
}
