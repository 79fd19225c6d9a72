package store_test

import (
	"testing"

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
	start := cpuTime(b, db)
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
}
