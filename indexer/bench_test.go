package indexer_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/testdb"
)

// BenchmarkIndexDevnet indexes a chain of busy blocks through its liteserver into PostgreSQL, with replay: everything a
// running indexer does, including the connection on loopback and the liteserver in this process.
func BenchmarkIndexDevnet(b *testing.B) {
	ctx := testContext(b)
	var seed [32]byte
	copy(seed[:], "benchmark")
	d := devnettest.Start(ctx, b, devnettest.Options{Devnet: devnet.Options{Seed: seed, Scenario: true}, Blocks: 20, Node: nodeOptions})
	for range 12 {
		_, err := d.Scenario.Burst(ctx, 1500)
		require.NoError(b, err)
		_, err = d.Advance(ctx)
		require.NoError(b, err)
	}
	d.AdvanceTo(b, d.Head()+5)
	last := d.Chain.Head().ID.SeqNo
	for name, opts := range map[string]indexer.Options{
		"forward": {}, "backward": {Batch: 4}, "forward without contracts": {Detect: indexer.NoDetect},
	} {
		b.Run(name, func(b *testing.B) {
			var txs uint64
			var spent time.Duration
			for range b.N {
				b.StopTimer()
				db := testdb.New(b)
				if name == "backward" {
					run(ctx, b, d.Client, db, last, last, indexer.Options{From: from(b, "latest")})
				}
				x := indexer.New(d.Client, db, opts)
				b.StartTimer()
				began := time.Now()
				stop := start(ctx, b, x)
				waitUntil(ctx, b, "the indexed ranges", func() bool {
					r, err := db.Reader().Ranges(ctx)
					return err == nil && len(r) == 1 && r[0] == chain.SeqnoRange{First: 1, Last: last}
				})
				spent += time.Since(began)
				b.StopTimer()
				stop()
				require.Zero(b, x.Status().Mismatches)
				txs += x.Status().Transactions
				b.StartTimer()
			}
			b.ReportMetric(float64(txs)/spent.Seconds(), "tx/s")
			b.ReportMetric(float64(txs)/float64(b.N)/float64(last), "tx/block")
			var mem runtime.MemStats
			runtime.ReadMemStats(&mem)
			b.ReportMetric(float64(mem.Sys)/(1<<20), "MiB")
		})
	}
	b.Logf("%d masterchain blocks", last)
}
