package storetest

import (
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
