package migrations_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// withParameter returns the URL of a database with a parameter for its sessions, or another database for "dbname".
func withParameter(t *testing.T, dsn, name, value string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	if name == "dbname" {
		u.Path = "/" + value
		return u.String()
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}

// newDatabase creates a database without tables, and returns its URL, its name and a function that executes statements there.
func newDatabase(t *testing.T) (dsn, name string, execute func(statement string)) {
	t.Helper()
	dsn = testdb.EmptyURL(t)
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return dsn, conn.Config().Database, func(statement string) {
		t.Helper()
		_, err := conn.Exec(context.WithoutCancel(t.Context()), statement)
		require.NoError(t, err, statement)
	}
}

// Migrations work as the role and in the schema that the URL names, as all other statements do.
func TestUp_SchemaAndRoleOfTheURL(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dsn, name, execute := newDatabase(t)
	role := name + "_owner"
	execute(`CREATE ROLE ` + role)
	t.Cleanup(func() { execute(`DROP OWNED BY ` + role + ` CASCADE; DROP ROLE ` + role) })
	execute(`GRANT CREATE ON DATABASE ` + name + ` TO ` + role)
	execute(`DROP SCHEMA public; CREATE SCHEMA own AUTHORIZATION ` + role)
	db := testdb.Open(t, withParameter(t, withParameter(t, dsn, "search_path", "own"), "role", role))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err := migrations.Up(t.Context(), handle)
	require.NoError(t, err)
	indexed, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err, "the tables are where requests look for them")
	require.Empty(t, indexed)
	var elsewhere, ofOthers int
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE schemaname NOT IN ('own', 'river')), count(*) FILTER (WHERE tableowner <> $1)
		FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`, role).Scan(&elsewhere, &ofOthers))
	require.Zero(t, elsewhere)
	require.Zero(t, ofOthers)
}

// An index is never hidden by another one that migrations begin in a schema before it.
func TestUp_SchemaBeforeThatOfTheIndexIsRefused(t *testing.T) {
	t.Parallel()
	dsn := testdb.URL(t)
	db := testdb.Open(t, withParameter(t, dsn, "search_path", "extensions,public"))
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err := migrations.Up(t.Context(), handle)
	require.NoError(t, err, "a schema that does not exist is none")
	_, err = handle.ExecContext(t.Context(), `CREATE SCHEMA extensions`)
	require.NoError(t, err)
	_, err = migrations.Up(t.Context(), handle)
	require.EqualError(t, err, "the index is in the schema public, and search_path names extensions first, where migrations would begin another one: name public first")
	var tables int
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_tables WHERE schemaname = 'extensions'`).Scan(&tables))
	require.Zero(t, tables)
	require.NoError(t, migrations.Check(t.Context(), handle), "gateways continue")
}

// A limit for statements in the URL is one for requests: migrations take their time.
func TestUp_LimitsOfTheURLAreNotThoseOfMigrations(t *testing.T) {
	t.Parallel()
	handle := testdb.Open(t, withParameter(t, testdb.EmptyURL(t), "statement_timeout", "7s")).SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	var limit string
	require.NoError(t, handle.QueryRowContext(t.Context(), `SHOW statement_timeout`).Scan(&limit))
	require.Equal(t, "0", limit)
}

// The error of a role that may not create tables says what it has to be.
func TestUp_MissingRightsAreNamed(t *testing.T) {
	t.Parallel()
	dsn, name, execute := newDatabase(t)
	role := name + "_guest"
	execute(`CREATE ROLE ` + role)
	t.Cleanup(func() { execute(`DROP ROLE ` + role) })
	execute(`REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
	handle := testdb.Open(t, withParameter(t, dsn, "role", role)).SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for range 2 { // the first attempt changes nothing
		_, err := migrations.Up(t.Context(), handle)
		require.ErrorContains(t, err, "the role lacks a right: it has to own the database")
	}
}

// An empty database of another encoding is refused, since names of tokens could not be stored in it.
func TestUp_OtherEncodingsAreRefused(t *testing.T) {
	t.Parallel()
	dsn, name, execute := newDatabase(t)
	for _, encoding := range []string{"SQL_ASCII", "LATIN1"} {
		other := name + "_" + encoding
		execute(`CREATE DATABASE "` + other + `" TEMPLATE template0 ENCODING '` + encoding + `' LC_COLLATE 'C' LC_CTYPE 'C'`)
		t.Cleanup(func() { execute(`DROP DATABASE "` + other + `" WITH (FORCE)`) })
		handle := testdb.Open(t, withParameter(t, dsn, "dbname", other)).SQLDB()
		_, err := migrations.Up(t.Context(), handle)
		require.ErrorContains(t, err, "the database has the encoding "+encoding)
		require.ErrorContains(t, err, "--encoding UTF8")
		require.NoError(t, handle.Close())
	}
}
