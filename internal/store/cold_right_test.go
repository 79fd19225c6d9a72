package store_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// The user of an index is no superuser where docs/deployment.md was followed: errors name the rights that it lacks to connect a cold server, and the password that the
// cold server has to request.
func TestConnectCold_MissingRightsAreNamed(t *testing.T) {
	t.Parallel()
	super := testdb.EmptyURL(t)
	conn, err := pgx.Connect(t.Context(), super)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	role := conn.Config().Database + "_owner" // one that no earlier run has left
	run := func(statement string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	run("CREATE ROLE " + role + " LOGIN")
	run("ALTER SCHEMA public OWNER TO " + role)
	run("ALTER DATABASE " + conn.Config().Database + " OWNER TO " + role)
	owned, err := url.Parse(super)
	require.NoError(t, err)
	owned.User = url.User(role)
	if query := owned.Query(); query.Has("user") {
		query.Set("user", role)
		owned.RawQuery = query.Encode()
	}
	db := testdb.Open(t, owned.String())
	handle := db.SQLDB()
	_, err = migrations.Up(t.Context(), handle)
	require.NoError(t, err)
	require.NoError(t, handle.Close())

	connect := func() string {
		t.Helper()
		_, err := db.Cold().Connect(t.Context(), testdb.URL(t))
		require.Equal(t, chain.Invalid, chain.KindOf(err), err)
		return chain.PublicMessage(err)
	}
	require.Contains(t, connect(), "CREATE EXTENSION IF NOT EXISTS postgres_fdw; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw")
	run("CREATE EXTENSION postgres_fdw")
	require.Contains(t, connect(), "GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw")
	run("GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO " + role)
	require.Contains(t, connect(), "set a password in --to")
	db.Close()
	run("REASSIGN OWNED BY " + role + " TO CURRENT_USER")
	run("DROP OWNED BY " + role)
	run("DROP ROLE " + role)
}

func TestColdRanges_AddressBeginsWithTheHost(t *testing.T) {
	t.Parallel()
	db, there := testdb.New(t), testdb.URL(t)
	_, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	config, err := pgx.ParseConfig(there)
	require.NoError(t, err)
	list, err := db.Reader().ColdRanges(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Truef(t, strings.HasPrefix(list[0].Address, config.Host+" "), "%s", list[0].Address)
	require.True(t, strings.HasSuffix(list[0].Address, " "+config.Database), list[0].Address)
}

// A command of an earlier version that continues after an upgrade removes nothing: it would copy nothing.
func TestMoveCold_EarlierVersionIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, b := range coldChain(t, 100) {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	_, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err = handle.ExecContext(t.Context(), `BEGIN; SET LOCAL tonql.cold_server = 'tonql_cold_1'; SET LOCAL tonql.cold_step = '1'; DELETE FROM transactions; COMMIT`)
	require.ErrorContains(t, err, "an earlier version of tonql")
}

// The URL of a cold server could lead to another database from this machine than from that of the index.
func TestMoveCold_AnotherDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	batches := coldChain(t, 100)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	storetest.ExecSQL(t, db, `UPDATE cold_servers SET pair = pair || 'x'`)
	_, err = db.Writer().MoveCold(t.Context(), name, batches[0][0].Block.Seqno, 100)
	require.Equal(t, chain.Invalid, chain.KindOf(err), err)
	require.Contains(t, chain.PublicMessage(err), "another database")
}
