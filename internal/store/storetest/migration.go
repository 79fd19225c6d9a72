package storetest

import (
	"database/sql"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/migrations"
)

// Repeat undoes one migration, by the name of its file, and applies it again, without those after it. Its tables are then as they were
// when a database of the version before it was migrated.
func Repeat(t *testing.T, db *sql.DB, name string) {
	t.Helper()
	text, err := fs.ReadFile(migrations.FS(), name)
	require.NoError(t, err)
	up, down, found := strings.Cut(string(text), "-- +goose Down")
	require.True(t, found)
	for _, statements := range []string{down, up} {
		_, err := db.ExecContext(t.Context(), statements)
		require.NoError(t, err)
	}
}
