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

// Undo undoes one migration that works outside of transactions, by the name of its file, without those after it. [migrations.Up]
// applies it again.
func Undo(t *testing.T, db *sql.DB, name string) {
	t.Helper()
	text, err := fs.ReadFile(migrations.FS(), name)
	require.NoError(t, err)
	_, down, found := strings.Cut(string(text), "-- +goose Down")
	require.True(t, found)
	for i, part := range strings.Split(down, "-- +goose Statement") {
		statements := strings.Split(part, ";\n")
		if block, ok := strings.CutPrefix(part, "Begin"); ok {
			statements = []string{block}
		} else if i > 0 {
			statements = strings.Split(strings.TrimPrefix(part, "End"), ";\n")
		}
		for _, statement := range statements {
			_, err := db.ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
	}
	version, _, _ := strings.Cut(strings.TrimLeft(name, "0"), "_")
	_, err = db.ExecContext(t.Context(), `DELETE FROM goose_db_version WHERE version_id = $1::bigint`, version)
	require.NoError(t, err)
}
