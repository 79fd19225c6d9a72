package store_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// partitionCase is a statement with the limits of LTs that it could have: text and args without and with them.
type partitionCase struct {
	name          string
	plain, within store.Statement
}

// BenchmarkPartitions prints a table of docs/scale.md: the CPU time of a connection of the server for statements over one table and over
// 1, 3, 8, 30 and 300 ranges of LTs, by turns, with and without limits of the LTs as parameters; that of the first use of a statement by a
// connection; and the memory of its plan. Linux only.
func BenchmarkPartitions(b *testing.B) {
	counts := []int{0, 1, 3, 8, 30, 300}
	o := synthetic.Options{Transactions: 60_000, Accounts: 10_000, PerBlock: 38, Shards: 2, Seed: 1}
	conns := make([]*pgx.Conn, len(counts))
	var cases []partitionCase
	for i, n := range counts {
		db := testdb.New(b)
		require.NoError(b, synthetic.Load(b.Context(), db.Writer(), o, nil))
		if n > 0 {
			handle := db.SQLDB()
			storetest.Repartition(b, handle, boundsOf(b, db, n)...)
			require.NoError(b, handle.Close())
		}
		vacuum(b, db)
		if cases == nil {
			cases = partitionCases(b, db.Reader())
		}
		conn, err := db.Reader().Pool().Acquire(b.Context())
		require.NoError(b, err)
		b.Cleanup(conn.Release)
		conns[i] = conn.Conn()
	}
	var out strings.Builder
	header := []string{"Statement"}
	for _, n := range counts {
		header = append(header, strconv.Itoa(n))
	}
	fmt.Fprintf(&out, "\n| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat("---|", len(header)))
	for b.Loop() {
		for _, c := range cases {
			for _, s := range []struct {
				name string
				store.Statement
			}{{c.name, c.plain}, {c.name + ", LTs limited", c.within}} {
				if s.Text != "" {
					writePartitionRow(b, &out, s.name, conns, s.Statement)
				}
			}
		}
	}
	_, err := os.Stdout.WriteString(out.String()) // b.Log cuts what is long
	require.NoError(b, err)
}

// boundsOf divides the LTs of a database into n ranges with as many transactions in each.
func boundsOf(b *testing.B, db *store.DB, n int) (bounds []uint64) {
	b.Helper()
	rows, err := db.Reader().Pool().Query(b.Context(), `SELECT q.lt FROM (SELECT t.lt, row_number() OVER (ORDER BY t.lt) AS place, count(*) OVER () AS n
		FROM transactions t) q WHERE q.place % (q.n / $1::bigint) = 0 ORDER BY 1 LIMIT $1::bigint - 1`, n)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var lt int64
		require.NoError(b, rows.Scan(&lt))
		bounds = append(bounds, uint64(lt))
	}
	require.NoError(b, rows.Err())
	return bounds
}

// partitionCases are the statements of the hottest routes. Those by key and hash, and the lists, also with limits of LTs, as parameters
// that the server knows before it begins: those of the keys, or of the newest range.
func partitionCases(b *testing.B, r *store.Reader) []partitionCase {
	b.Helper()
	ten, hot := chain.Page{Limit: 10}, synthetic.Address(0)
	txs, err := r.Transactions(b.Context(), chain.TransactionFilter{}, ten)
	require.NoError(b, err)
	require.Len(b, txs, 10)
	var accounts [][]byte
	var first, last []int64
	for i := range txs {
		accounts = append(accounts, txs[i].Account.Bytes())
		first = append(first, int64(txs[i].LT))
		last = append(last, int64(txs[i].LT)+int64(txs[i].OutMsgCount))
	}
	oldest, newest := first[len(first)-1], first[0]
	limited := func(s store.Statement, before, condition string, args ...any) store.Statement {
		for i := range args {
			condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(s.Args)+1+i), 1)
		}
		at := strings.LastIndex(s.Text, before)
		return store.Statement{Text: s.Text[:at] + condition + s.Text[at:], Args: append(append([]any{}, s.Args...), args...)}
	}
	all := store.TransactionsStatement(chain.TransactionFilter{}, ten)
	account := store.TransactionsStatement(chain.TransactionFilter{Accounts: []chain.Address{hot}}, ten)
	hash := store.TransactionsStatement(chain.TransactionFilter{Hashes: []chain.Hash{txs[5].Hash}}, ten)
	keys := store.Statement{Text: store.SelectTransactionsByKey, Args: []any{accounts, first}}
	messages := store.Statement{Text: store.SelectMessagesBetween, Args: []any{accounts, first, last}}
	to, err := r.MessagesStatement(b.Context(), chain.MessageFilter{Destination: &hot}, ten)
	require.NoError(b, err)
	return []partitionCase{
		{"transactions newest", all, limited(all, " ORDER BY", " WHERE t.lt >= ?", oldest)},
		{"transactions of an account", account, limited(account, " ORDER BY", " AND t.lt >= ?", oldest)},
		{"transactions by hash", hash, limited(hash, "", " AND t.lt = ?", int64(txs[5].LT))},
		{"ten transactions by key", keys, limited(keys, "", " AND t.lt >= ? AND t.lt <= ?", oldest, newest)},
		{"messages of ten transactions", messages, limited(messages, "", " AND m.lt >= ? AND m.lt <= ?", oldest, last[0])},
		{"messages to an account", to, store.Statement{}},
	}
}

// writePartitionRow measures a statement on connections to databases, by turns, and writes the least CPU time of an execution in
// microseconds, the CPU time of the first in milliseconds, and the memory of the plan in kB.
func writePartitionRow(b *testing.B, out *strings.Builder, name string, conns []*pgx.Conn, s store.Statement) {
	b.Helper()
	const rounds, runs = 10, 100
	least := make([]float64, len(conns))
	first, memory := make([]float64, len(conns)), make([]int64, len(conns))
	for i, conn := range conns {
		_, err := conn.Exec(b.Context(), "DISCARD PLANS")
		require.NoError(b, err)
		_, err = conn.Prepare(b.Context(), "partitions", s.Text)
		require.NoError(b, err, s.Text)
		start := connectionTime(b, conn)
		runPrepared(b, conn, s.Args)
		first[i] = connectionTime(b, conn) - start
		least[i] = math.Inf(1)
		require.NoError(b, conn.QueryRow(b.Context(), `SELECT COALESCE(sum(total_bytes), 0)::bigint / 1024 FROM pg_backend_memory_contexts
			WHERE name = 'CachedPlan' AND $1 LIKE ident || '%'`, s.Text).Scan(&memory[i]))
	}
	for range rounds {
		for i, conn := range conns {
			start := connectionTime(b, conn)
			for range runs {
				runPrepared(b, conn, s.Args)
			}
			least[i] = min(least[i], (connectionTime(b, conn)-start)/runs)
		}
	}
	fmt.Fprintf(out, "| %s |", name)
	for i, conn := range conns {
		fmt.Fprintf(out, " %.0f; %.1f; %d |", least[i], first[i]/1000, memory[i])
		require.NoError(b, conn.Deallocate(b.Context(), "partitions"))
	}
	out.WriteString("\n")
}

func runPrepared(b *testing.B, conn *pgx.Conn, args []any) {
	b.Helper()
	rows, err := conn.Query(b.Context(), "partitions", args...)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
	}
	require.NoError(b, rows.Err())
}

// connectionTime is the CPU time of the server's process of a connection, in microseconds.
func connectionTime(b *testing.B, conn *pgx.Conn) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", conn.PgConn().PID()))
	require.NoError(b, err)
	fields := bytes.Fields(text)
	require.NotEmpty(b, fields)
	ns, err := strconv.ParseFloat(string(fields[0]), 64)
	require.NoError(b, err)
	return ns / 1000
}
