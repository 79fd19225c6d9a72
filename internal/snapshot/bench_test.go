package snapshot_test

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/stretchr/testify/require"

	"tonql/internal/snapshot"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// BenchmarkSnapshot reports transactions per second of an export, of an import with its indexes, and of the writer that wrote the
// index, block by block, without proving and executing anything.
func BenchmarkSnapshot(b *testing.B) {
	const transactions = 200_000
	o := synthetic.Options{Transactions: transactions, Accounts: 20_000, PerBlock: 200, Shards: 4, Seed: 7, BOCs: true, Cells: true}
	for b.Loop() {
		blocks, _ := synthetic.New(o).Batch(transactions)
		source, target := testdb.New(b), testdb.New(b)
		from, into := source.SQLDB(), target.SQLDB()
		rate := func(name string, run func()) {
			started := time.Now()
			run()
			b.ReportMetric(transactions/time.Since(started).Seconds(), name+"-tx/s")
		}
		rate("write", func() { storetest.Apply(b, source.Writer(), blocks) })
		folder := filepath.Join(b.TempDir(), "snapshot")
		rate("export", func() {
			m, _, err := snapshot.Export(b.Context(), from, snapshot.ExportOptions{Into: folder, Version: "test"})
			require.NoError(b, err)
			b.ReportMetric(float64(m.Total().Size)/transactions, "file-B/tx")
		})
		rate("import", func() {
			_, err := snapshot.Import(b.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
			require.NoError(b, err)
		})
		require.NoError(b, from.Close())
		require.NoError(b, into.Close())
	}
}

// BenchmarkPartsOfAHistory indexes synthetic data of TONQL_BENCH_SCALE in parts, each in a database of its own on the server that
// TONQL_BENCH_SERVER names, exports them, and imports them into one. Where PostgreSQL may use less memory than the indexes of all take, and
// more than those of a part, the sum of the times, beside that of a part, is what a history costs that is longer than the memory.
func BenchmarkPartsOfAHistory(b *testing.B) {
	server := os.Getenv("TONQL_BENCH_SERVER")
	if server == "" {
		b.Skip("TONQL_BENCH_SERVER names no server")
	}
	scale, err := strconv.ParseFloat(os.Getenv("TONQL_BENCH_SCALE"), 64)
	require.NoError(b, err)
	parts := int(math.Ceil(scale * 14)) // some 81,000 transactions each, with 100 MiB of indexes
	o := synthetic.Scaled(scale)
	o.BOCs, o.Cells, o.Contracts = true, true, true
	c := synthetic.New(o)
	var indexing, exporting time.Duration
	var folders []string
	transactions := 0
	for n := range parts {
		name := fmt.Sprintf("part_%d", n)
		onServer(b, server, `CREATE DATABASE `+name)
		db := opened(b, server, name)
		written := 0
		for written < o.Transactions/parts {
			blocks, count := c.Batch(200)
			if count == 0 {
				break
			}
			began := time.Now()
			storetest.Apply(b, db.Writer(), blocks)
			indexing += time.Since(began)
			written += count
		}
		if transactions += written; written == 0 {
			break // parts are some batches of blocks longer than their share
		}
		folders = append(folders, filepath.Join(b.TempDir(), "snapshot"))
		handle := db.SQLDB()
		began := time.Now()
		_, _, err := snapshot.Export(b.Context(), handle, snapshot.ExportOptions{Into: folders[n], Version: "test"})
		require.NoError(b, err)
		exporting += time.Since(began)
		require.NoError(b, handle.Close())
		db.Close()
		onServer(b, server, `DROP DATABASE `+name+` WITH (FORCE)`)
		b.Logf("%2d parts: %d transactions, indexed at %.0f a second, exported at %.0f", n+1, transactions,
			float64(transactions)/indexing.Seconds(), float64(transactions)/exporting.Seconds())
	}
	onServer(b, server, `CREATE DATABASE joined`)
	db := opened(b, server, "joined")
	handle := db.SQLDB()
	step, since := "", time.Now()
	began := time.Now()
	_, err = snapshot.Import(b.Context(), handle, snapshot.ImportOptions{From: snapshot.Folders(folders...), Joiner: db.Writer(), Progress: func(p snapshot.Progress) {
		if p.Step != step {
			b.Logf("%s: %s", step, time.Since(since).Round(time.Second))
			step, since = p.Step, time.Now()
		}
	}})
	require.NoError(b, err)
	importing := time.Since(began)
	var size int64
	require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT sum(pg_indexes_size(oid))::bigint FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`).Scan(&size))
	require.NoError(b, handle.Close())
	b.ReportMetric(float64(transactions)/importing.Seconds(), "import-tx/s")
	b.ReportMetric(float64(transactions)/(indexing+exporting+importing).Seconds(), "tx/s")
	b.ReportMetric(float64(size>>20), "indexes-MiB")
}

func onServer(b *testing.B, server, statement string) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), server)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(context.WithoutCancel(b.Context()))) }()
	_, err = conn.Exec(b.Context(), statement)
	require.NoError(b, err)
}

// opened opens a new database of a server, with the schema.
func opened(b *testing.B, server, name string) *store.DB {
	b.Helper()
	u, err := url.Parse(server)
	require.NoError(b, err)
	u.Path = "/" + name
	db := testdb.Open(b, u.String())
	handle := db.SQLDB()
	_, err = migrations.Up(b.Context(), handle)
	require.NoError(b, err)
	require.NoError(b, handle.Close())
	return db
}
