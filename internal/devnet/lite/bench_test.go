package lite

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

// BenchmarkQueries measures the time of one query over ADNL on loopback, with several
// clients at once. The client does not check proofs here.
func BenchmarkQueries(b *testing.B) {
	n := newNetwork(b)
	n.pay(absent, 1_000_000_000, "benchmark")
	n.mine(3)
	head := n.chain.Head()
	faucet := ton.AccountID{ID: n.faucet.Address.Data()}
	shard := n.shardBlocks()[0]
	for _, c := range []struct {
		name  string
		query tl.Serializable
	}{
		{"info", ton.GetMasterchainInf{}},
		{"block", ton.GetBlockData{ID: &head.ID}},
		{"shards", ton.GetAllShardsInfo{ID: &head.ID}},
		{"account", ton.GetAccountState{ID: &head.ID, Account: faucet}},
		{"method", ton.RunSmcMethod{Mode: 7, ID: &head.ID, Account: faucet, MethodID: 85143}},
		{"transactions", ton.ListBlockTransactions{Mode: 39, ID: &shard.ID, Count: 100, WantProof: &ton.True{}}},
		{"config", ton.GetConfigAll{BlockID: &head.ID}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var failed atomic.Int64
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					var response tl.Serializable
					err := n.pool.QueryLiteserver(n.ctx, c.query, &response)
					if _, refused := response.(ton.LSError); err != nil || refused {
						failed.Add(1)
					}
				}
			})
			require.Zero(b, failed.Load())
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "queries/s")
		})
	}
}
