package observe

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// selectHead has the form of the first statement of a snapshot.
const selectHead = `SELECT r.last, (SELECT n.version FROM names_version n) FROM indexed_ranges r ORDER BY r.first DESC LIMIT 1`

func TestStatementName_IsTheCommandAndItsTable(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		`SELECT t.lt FROM transactions t JOIN blocks b ON b.seqno = t.seqno WHERE t.hash = $1`: "select transactions by hash",
		selectHead: "select indexed_ranges",
		`SELECT k.i, t.lt FROM unnest($1::bytea[]) k CROSS JOIN LATERAL (SELECT lt FROM transactions) t`:    "select transactions",
		`WITH k AS MATERIALIZED (SELECT a FROM accounts) SELECT * FROM k JOIN messages m ON m.a = k.a`:      "select messages",
		`WITH gone AS (DELETE FROM traces RETURNING id) INSERT INTO outdated (id) SELECT id FROM gone`:      "insert outdated",
		`INSERT INTO blocks (a, b) VALUES ($1, 'FROM secret') ON CONFLICT (a) DO UPDATE SET b = excluded.b`: "insert blocks",
		`SELECT 1 WHERE $1 IS DISTINCT FROM secret`:                                                         "select",
		`UPDATE ONLY payments SET a = 'x' WHERE reference = $1`:                                             "update payments by reference",
		`SELECT id FROM river_job WHERE extract(epoch FROM at) > 1 FOR UPDATE SKIP LOCKED`:                  "select river_job",
		"-- name: JobDelete :one\nDELETE FROM river_job /* FROM b */ WHERE id = $1":                         "delete river_job by id",
		"COPY transactions (account, lt) FROM STDIN WITH (FORMAT binary)":                                   "copy transactions",
		"begin read only": "begin",
		"":                "other",
		"what is this?":   "other",
		"SELECT '":        "select",
		"/* unfinished":   "other",
		"SELECT a FROM " + strings.Repeat("x", 64): "select",
	} {
		require.Equal(t, name, newNamer().name(text), text)
	}
}

// Every statement of the lists is named by a table of the schema.
func TestStatementName_ListsAreNamedByTablesOfTheSchema(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/statements.sql")
	require.NoError(t, err)
	tables := map[string]bool{}
	created := regexp.MustCompile(`(?i)CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)|RENAME TO ([a-z_]+)`)
	files, err := os.ReadDir("../../../migrations")
	require.NoError(t, err)
	for _, file := range files {
		content, err := os.ReadFile("../../../migrations/" + file.Name())
		require.NoError(t, err)
		for _, m := range created.FindAllStringSubmatch(string(content), -1) {
			tables[m[1]+m[2]] = true
		}
	}
	n, names := newNamer(), map[string]bool{}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		if strings.TrimSpace(block) == "" {
			continue
		}
		name := n.name(block)
		table, found := strings.CutPrefix(name, "select ")
		table, _, _ = strings.Cut(table, " by ")
		require.True(t, found, "%s: %s", name, block)
		require.True(t, tables[table], "%s: %s", name, block)
		names[name] = true
	}
	require.Greater(t, len(names), 10)
	require.Less(t, len(names), 100)
}

// Names are label values of metrics, so their number is bounded whatever the texts are, and so is the memory for them.
func TestStatementName_NumberIsBounded(t *testing.T) {
	t.Parallel()
	n, names := newNamer(), map[string]bool{}
	for i := range 2 * maxNamedTexts {
		names[n.name(fmt.Sprintf("SELECT a FROM table_%d", i))] = true
	}
	require.LessOrEqual(t, len(names), maxStatementNames+1)
	require.True(t, names[otherStatement])
	require.Len(t, n.byText, maxNamedTexts)
	require.Equal(t, "select table_0", n.name("SELECT a FROM table_0"), "names in use stay")
}

func FuzzStatementName_HasNoLiteral(f *testing.F) {
	f.Add("SELECT 'secret' FROM a")
	f.Add("WITH a AS (SELECT 1) UPDATE b SET c = $1")
	f.Fuzz(func(t *testing.T, text string) {
		require.LessOrEqual(t, len(statementLabel(text)), 150)
		require.NotContains(t, statementLabel("SELECT '"+strings.ReplaceAll(text, "'", "")+"secret' FROM a"), "secret")
	})
}

func BenchmarkStatementName(b *testing.B) {
	n := newNamer()
	b.ReportAllocs()
	for b.Loop() {
		n.name(selectHead)
	}
}
