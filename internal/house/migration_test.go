package house

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A table says what its rows are, an index which query needs it: behind the statement, or above it without an empty line
// between.
func TestMigrations_CommentTablesAndIndexes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "migrations", "*.sql"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	create := regexp.MustCompile(`^CREATE (UNLOGGED )?(TABLE|(UNIQUE )?INDEX)`)
	var wrong problems
	for _, name := range files {
		name = filepath.Base(name)
		up, _, ok := strings.Cut(read(t, "migrations/"+name), "-- +goose Down")
		require.True(t, ok, "%s has no Down", name)
		commented := false
		for line := range strings.Lines(up) {
			line = strings.TrimSpace(line)
			switch {
			case line == "", strings.HasPrefix(line, ")"): // the end of a table
				commented = false
			case strings.HasPrefix(line, "-- +goose"):
			case strings.HasPrefix(line, "--"):
				commented = true
			case create.MatchString(line) && !commented && !strings.Contains(line, "--"):
				wrong.addf("migrations/%s has no comment: %s", name, line)
			}
		}
	}
	wrong.require(t)
}
