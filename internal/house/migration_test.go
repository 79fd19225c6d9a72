package house

import (
	"path/filepath"
	"regexp"
	"strconv"
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

// Gateways of earlier versions run on the schema of a migration if its row in schema_gateways permits them. One that only adds
// contains no statement that older gateways could fail after.
func TestMigrations_DeclareWhatOlderGatewaysMayDo(t *testing.T) {
	t.Parallel()
	const table = 74 // the migration that creates schema_gateways
	before := map[int]bool{85: true, 86: true, 87: true, 90: true}
	files, err := filepath.Glob(filepath.Join(root, "migrations", "*.sql"))
	require.NoError(t, err)
	var wrong problems
	for _, name := range files {
		name = filepath.Base(name)
		number, err := strconv.Atoi(name[:5])
		require.NoError(t, err)
		if number <= table || before[number] {
			continue
		}
		for _, problem := range undeclared(number, read(t, "migrations/"+name)) {
			wrong.addf("migrations/%s %s", name, problem)
		}
	}
	wrong.require(t)
}

var (
	declaration = regexp.MustCompile(`(?m)^INSERT INTO schema_gateways \(migration, needed\) VALUES \((\d+), (\d+|NULL)\)( ON CONFLICT DO NOTHING)?;$`)
	// contracting are statements after which a statement of an earlier version can fail or return something else.
	contracting = regexp.MustCompile(`(?i)\b(DROP\s+(TABLE|VIEW|MATERIALIZED|COLUMN|FUNCTION|TYPE|SCHEMA|DEFAULT)|RENAME|SET\s+NOT\s+NULL|SET\s+SCHEMA|TRUNCATE` +
		`|ALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE|ADD\s+(CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN)|CREATE\s+(CONSTRAINT\s+)?TRIGGER)\b`)
	required = regexp.MustCompile(`(?i)\bADD\s+COLUMN\b[^,;]*\bNOT\s+NULL\b[^,;]*`)
	locking  = regexp.MustCompile(`(?m)^-- \+goose Up\n(\s*|--.*\n)*SET LOCAL lock_timeout = '2s';\n`)
	comments = regexp.MustCompile(`(?m)--.*$`)
)

// undeclared returns what the text of a migration lacks.
func undeclared(number int, text string) []string {
	var problems []string
	up, down, _ := strings.Cut(text, "-- +goose Down")
	own := strconv.Itoa(number)
	alone := strings.Contains(up, "-- +goose NO TRANSACTION")
	found := declaration.FindAllStringSubmatch(up, -1)
	switch {
	case len(found) != 1 || found[0][1] != own:
		return []string{"needs one line INSERT INTO schema_gateways (migration, needed) VALUES (" + own + ", NULL); or with the migration that gateways must have"}
	case alone && found[0][3] == "":
		problems = append(problems, "is repeated after an interruption: its declaration needs ON CONFLICT DO NOTHING")
	}
	if !strings.Contains(down, "DELETE FROM schema_gateways WHERE migration = "+own+";") {
		problems = append(problems, "does not delete its declaration in Down")
	}
	if !alone && !locking.MatchString(up) {
		problems = append(problems, "does not begin with SET LOCAL lock_timeout = '2s';")
	}
	if found[0][2] != "NULL" {
		if needed, err := strconv.Atoi(found[0][2]); err != nil || needed > number {
			problems = append(problems, "needs a later migration")
		}
		return problems
	}
	statements := comments.ReplaceAllString(up, "")
	if s := contracting.FindString(statements); s != "" {
		problems = append(problems, "says that it only adds, but contains "+s)
	}
	for _, s := range required.FindAllString(statements, -1) {
		if !strings.Contains(strings.ToUpper(s), "DEFAULT") {
			problems = append(problems, "says that it only adds, but older gateways insert no value: "+s)
		}
	}
	return problems
}

func TestMigrations_WrongDeclarationsAreRefused(t *testing.T) {
	t.Parallel()
	const head, tail = "-- +goose Up\n\n-- Reason.\nSET LOCAL lock_timeout = '2s';\n", "\n-- +goose Down\nDELETE FROM schema_gateways WHERE migration = 91;\n"
	const expand, contract = "INSERT INTO schema_gateways (migration, needed) VALUES (91, NULL);\n", "INSERT INTO schema_gateways (migration, needed) VALUES (91, 91);\n"
	for name, c := range map[string]struct {
		text string
		want string // empty: accepted
	}{
		"expand":                {head + expand + "ALTER TABLE blocks ADD COLUMN a int NOT NULL DEFAULT 0, ADD COLUMN b int;" + tail, ""},
		"expand in parts":       {"-- +goose NO TRANSACTION\n-- +goose Up\n" + strings.Replace(expand, ");", ") ON CONFLICT DO NOTHING;", 1) + "DROP INDEX CONCURRENTLY i;" + tail, ""},
		"contract":              {head + contract + "ALTER TABLE blocks DROP COLUMN a;" + tail, ""},
		"contract after 90":     {head + strings.Replace(contract, "91)", "90)", 1) + "ALTER TABLE blocks DROP COLUMN a;" + tail, ""},
		"nothing":               {head + tail, "needs one line"},
		"another number":        {head + strings.Replace(expand, "91", "92", 1) + tail, "needs one line"},
		"twice":                 {head + expand + contract + tail, "needs one line"},
		"a comment":             {head + "-- " + expand + tail, "needs one line"},
		"not repeatable":        {"-- +goose NO TRANSACTION\n-- +goose Up\n" + expand + tail, "ON CONFLICT"},
		"without Down":          {head + expand + "\n-- +goose Down\n", "in Down"},
		"without timeout":       {"-- +goose Up\n" + expand + tail, "lock_timeout"},
		"timeout after locks":   {"-- +goose Up\nALTER TABLE blocks ADD COLUMN a int;\nSET LOCAL lock_timeout = '2s';\n" + expand + tail, "lock_timeout"},
		"a later one":           {head + strings.Replace(contract, "91)", "92)", 1) + tail, "later migration"},
		"dropped column":        {head + expand + "ALTER TABLE blocks\n    drop  column a;" + tail, "only adds"},
		"dropped table":         {head + expand + "DROP TABLE IF EXISTS blocks;" + tail, "only adds"},
		"renamed":               {head + expand + "ALTER TABLE blocks RENAME TO b;" + tail, "only adds"},
		"type":                  {head + expand + "ALTER TABLE blocks ALTER COLUMN a TYPE bigint;" + tail, "only adds"},
		"not null":              {head + expand + "ALTER TABLE blocks ALTER COLUMN a SET NOT NULL;" + tail, "only adds"},
		"constraint":            {head + expand + "ALTER TABLE blocks ADD CONSTRAINT c CHECK (a > 0);" + tail, "only adds"},
		"value without default": {head + expand + "ALTER TABLE blocks ADD COLUMN b int DEFAULT 0, ADD COLUMN a int NOT NULL;" + tail, "insert no value"},
	} {
		problems := undeclared(91, c.text)
		if c.want == "" {
			require.Empty(t, problems, name)
			continue
		}
		require.Len(t, problems, 1, name)
		require.Contains(t, problems[0], c.want, name)
	}
}
