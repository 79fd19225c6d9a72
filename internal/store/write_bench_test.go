package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// BenchmarkApply writes decoded blocks with all indexes, messages and states: a commit for each masterchain block of 38
// transactions, and batches of 7,600.
func BenchmarkApply(b *testing.B) {
	for _, shape := range []struct {
		name      string
		batch     int
		full      bool
		contracts bool
	}{
		{"commit per block", 1, false, false},
		{"batches of 7600", 200, false, false},
		{"batches of 7600 with raw transactions and data cells", 200, true, false},
		{"commit per block with Jettons and NFTs", 1, false, true},
		{"batches of 7600 with Jettons and NFTs", 200, false, true},
	} {
		b.Run(shape.name, func(b *testing.B) { benchmarkApply(b, shape.batch, shape.full, shape.contracts) })
	}
}

func benchmarkApply(b *testing.B, batch int, full, contracts bool) {
	b.Helper()
	db := testdb.New(b)
	o := synthetic.Full()
	o.BOCs, o.Cells, o.Contracts = full, full, contracts
	c := synthetic.New(o)
	written := 0
	start, wal := cpuTime(b, db), walInserted(b, db)
	b.ResetTimer()
	for b.Loop() {
		b.StopTimer()
		blocks, n := c.Batch(batch)
		if n == 0 {
			b.Fatal("the synthetic chain is too short for so many iterations")
		}
		b.StartTimer()
		storetest.Apply(b, db.Writer(), blocks)
		written += n
	}
	b.ReportMetric(float64(written)/b.Elapsed().Seconds(), "tx/s")
	b.ReportMetric(float64(written)/(cpuTime(b, db)-start).Seconds(), "tx/cpu-s") // includes making the blocks
	b.ReportMetric(float64(backendTime(b, db).Microseconds())/float64(written), "µs-pg/tx")
	b.ReportMetric(float64(walInserted(b, db)-wal)/float64(written), "WAL-B/tx")
}

// walInserted returns the number of bytes that the server has inserted into its write-ahead log.
func walInserted(b *testing.B, db *store.DB) (n int64) {
	b.Helper()
	require.NoError(b, db.Reader().Pool().QueryRow(b.Context(), `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn`).Scan(&n))
	return n
}

// BenchmarkRangeDigest writes a range of masterchain blocks, and computes its digest: "share" is the time of the digest in
// that of the writer, whose statements the digest does not delay.
func BenchmarkRangeDigest(b *testing.B) {
	o := synthetic.Options{Transactions: 38 * 1000, Accounts: 12_000, PerBlock: 38, Shards: 2, Seed: 1, BOCs: true, Cells: true, Contracts: true}
	for b.Loop() {
		b.StopTimer()
		db := testdb.New(b)
		db.Writer().SetClassifier(storetest.Classifier{})
		blocks, _ := synthetic.New(o).Batch(1 << 20)
		blocks = blocks[:chain.DigestBlocks-1]
		began := time.Now()
		for _, mb := range blocks {
			require.NoError(b, db.Writer().Apply(b.Context(), mb))
		}
		writing := time.Since(began)
		b.StartTimer()
		began = time.Now()
		_, stored, err := db.StoreDigest(b.Context(), chain.DigestRange(1))
		require.NoError(b, err)
		require.True(b, stored)
		b.ReportMetric(time.Since(began).Seconds()/writing.Seconds(), "share")
	}
}
