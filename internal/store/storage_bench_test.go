package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

const (
	storagePage  = "../../docs/storage.md"
	storageStart = "<!-- measured -->\n"
)

// BenchmarkStorage writes the tables of docs/storage.md: the bytes of each table and index of synthetic data for a transaction, and
// what needs the index. TONQL_BENCH_DATABASE names a database with such data, without which one is filled. Without -update it
// prints them.
func BenchmarkStorage(b *testing.B) {
	url := os.Getenv("TONQL_BENCH_DATABASE")
	filled := url != ""
	if !filled {
		url = testdb.URL(b)
	}
	db := testdb.Open(b, url)
	handle := db.SQLDB()
	defer func() { require.NoError(b, handle.Close()) }()
	var start, wal, transactions float64
	require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`).Scan(&start))
	if !filled {
		db.Writer().SetClassifier(storetest.Classifier{})
		o := benchOptions(b)
		o.BOCs, o.Cells, o.Contracts = true, true, true
		require.NoError(b, synthetic.Load(b.Context(), db.Writer(), o, nil))
	}
	require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') - $1::numeric`, start).Scan(&wal))
	vacuum(b, db)
	require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT count(*) FROM transactions`).Scan(&transactions))
	uses := readUses(b)
	var text strings.Builder
	fmt.Fprintf(&text, "%.0f transactions", transactions)
	if !filled {
		fmt.Fprintf(&text, ", whose writing took %.0f bytes of WAL each", wal/transactions)
		b.ReportMetric(wal/transactions, "WAL-B/tx")
	}
	text.WriteString(". Bytes for a transaction, of tables with at least one:\n\n| Table | Rows | Table | Indexes | Sum |\n|---|---|---|---|---|\n")

	var heap, indexes float64
	rows, err := handle.QueryContext(b.Context(), `SELECT c.relname, c.reltuples::float8, pg_table_size(c.oid)::float8, pg_indexes_size(c.oid)::float8
		FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(c.oid) DESC, c.relname`)
	require.NoError(b, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		var n, table, index float64
		require.NoError(b, rows.Scan(&name, &n, &table, &index))
		heap, indexes = heap+table, indexes+index
		if table+index >= transactions {
			fmt.Fprintf(&text, "| %s | %.2f | %.0f | %.0f | %.0f |\n", name, n/transactions, table/transactions, index/transactions, (table+index)/transactions)
		}
	}
	require.NoError(b, rows.Err())
	fmt.Fprintf(&text, "| **all tables** | | %.0f | %.0f | **%.0f** |\n\n", heap/transactions, indexes/transactions, (heap+indexes)/transactions)
	text.WriteString("| Index | Bytes | Needed by |\n|---|---|---|\n")
	rows, err = handle.QueryContext(b.Context(), `SELECT indexrelname, pg_relation_size(indexrelid)::float8
		FROM pg_stat_user_indexes WHERE schemaname = 'public' ORDER BY 2 DESC, 1`)
	require.NoError(b, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		var bytes float64
		require.NoError(b, rows.Scan(&name, &bytes))
		if need := uses[name]; need != "" {
			fmt.Fprintf(&text, "| %s | %.1f | %s |\n", name, bytes/transactions, need)
		}
	}
	require.NoError(b, rows.Err())
	b.ReportMetric((heap+indexes)/transactions, "B/tx")
	if !*update {
		fmt.Println(text.String())
		return
	}
	page, err := os.ReadFile(storagePage)
	require.NoError(b, err)
	head, _, found := strings.Cut(string(page), storageStart)
	require.True(b, found)
	require.NoError(b, os.WriteFile(storagePage, []byte(head+storageStart+"\n"+text.String()), 0o600))
}

// readUses returns what needs each index: the first queries of many.
func readUses(b *testing.B) map[string]string {
	b.Helper()
	const shown = 6
	file, err := os.ReadFile(filepath.Join("testdata", indexUsesFile))
	require.NoError(b, err)
	uses := map[string]string{}
	for line := range strings.Lines(string(file)) {
		name, need, _ := strings.Cut(strings.TrimSpace(line), "\t")
		queries := strings.Split(need, "; ")
		if n := len(queries); n > shown {
			queries = append(queries[:shown], fmt.Sprintf("%d more", n-shown))
		}
		uses[name] = strings.Join(queries, "; ")
	}
	return uses
}
