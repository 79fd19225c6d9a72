package storetest

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/store"
)

// ExecSQL executes a statement on a connection of its own.
func ExecSQL(t *testing.T, db *store.DB, statement string) {
	t.Helper()
	handle := db.SQLDB()
	_, err := handle.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	require.NoError(t, handle.Close())
}

// Count returns the number that a query selects.
func Count(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}
