package snapshot_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/snapshot"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
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
