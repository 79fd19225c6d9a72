package store_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// BenchmarkIndexesLargerThanMemory fills the empty database that TONQL_BENCH_DATABASE names with synthetic data in batches of 7,600 transactions,
// and prints the rate and the bytes of all indexes after each twentieth. Where PostgreSQL may use less memory than the indexes take, the
// rates of the last twentieths, beside those of the first, are what that costs. TONQL_BENCH_SCALE sets the size.
func BenchmarkIndexesLargerThanMemory(b *testing.B) {
	url := os.Getenv("TONQL_BENCH_DATABASE")
	if url == "" {
		b.Skip("TONQL_BENCH_DATABASE names no database")
	}
	db := testdb.Open(b, url)
	handle := db.SQLDB()
	defer func() { require.NoError(b, handle.Close()) }()
	_, err := migrations.Up(b.Context(), handle)
	require.NoError(b, err)
	db.Writer().SetClassifier(storetest.Classifier{})
	o := benchOptions(b)
	o.BOCs, o.Cells, o.Contracts = true, true, true
	c := synthetic.New(o)
	var made time.Duration // of the data themselves
	for part := range 20 {
		written, took := 0, time.Duration(0)
		start, wal := backendTime(b, db), walInserted(b, db)
		for written < o.Transactions/20 {
			began := time.Now()
			blocks, n := c.Batch(200)
			made += time.Since(began)
			if n == 0 {
				break
			}
			began = time.Now()
			storetest.Apply(b, db.Writer(), blocks)
			took += time.Since(began)
			written += n
		}
		if written == 0 {
			break
		}
		var indexes int64
		require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT sum(pg_indexes_size(oid)) FROM pg_class
			WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`).Scan(&indexes))
		b.Logf("part %2d: %6.0f tx/s, %4.0f µs of PostgreSQL and %5.0f bytes of WAL each, indexes %5d MiB", part+1, float64(written)/took.Seconds(),
			float64((backendTime(b, db)-start).Microseconds())/float64(written), float64(walInserted(b, db)-wal)/float64(written), indexes>>20)
	}
	b.Logf("the data took %s", made.Round(time.Second))
}
