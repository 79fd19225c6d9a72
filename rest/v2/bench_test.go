package v2_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

// BenchmarkRoutes measures common requests of wallets, sites and bots on a devnet, end to end. It reports requests per
// second and the 99th percentile of the duration.
func BenchmarkRoutes(b *testing.B) {
	n := startNetwork(b, 1, 24)
	svc := resolvers.New(n.db.Reader(), n.devnet.Client, resolvers.Options{Network: "devnet", TestOnly: true})
	b.Cleanup(svc.Close)
	n.handler = v2.New(svc, v2.Options{})
	wallet := n.faucet.Address.String()
	master := n.jettonMaster(b)
	owner := cell.BeginCell().MustStoreAddr(n.faucet.Address).EndCell()
	order := contracts.Order{Message: contracts.Transfer(n.faucet.Address, 1e6, "")}
	transfer := func(until uint32) *cell.Cell {
		message, err := n.faucet.External(contracts.Ticket{Seqno: n.faucetSeqno(), ValidUntil: until}, order)
		require.NoError(b, err)
		return message
	}
	message := transfer(n.devnet.Chain.Now() + 3000)
	var parsed tlb.ExternalMessage
	require.NoError(b, tlb.Parse(&parsed, message))

	for _, q := range []struct {
		route  string
		params params
	}{
		{"getMasterchainInfo", params{}},
		{"getAddressInformation", params{"address": wallet}}, // the index lacks it
		{"getAddressInformation", params{"address": master}}, // the index has it
		{"getTransactions", params{"address": wallet, "limit": 10}},
		{"runGetMethod", params{"address": master, "method": "get_wallet_address", "stack": []any{
			[]any{"tvm.Slice", base64.StdEncoding.EncodeToString(owner.ToBOC())},
		}}},
		{"estimateFee", params{"address": wallet, "body": base64.StdEncoding.EncodeToString(parsed.Body.ToBOC())}},
		{"sendBoc", params{"boc": base64.StdEncoding.EncodeToString(message.ToBOC())}},
	} {
		b.Run(q.route, func(b *testing.B) {
			body, err := json.Marshal(q.params)
			require.NoError(b, err)
			n.sendParallel(b, q.route, string(body))
		})
	}
}

// sendParallel sends the same request from all processors.
func (n *network) sendParallel(b *testing.B, route, body string) {
	b.Helper()
	var mu sync.Mutex
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		var own []time.Duration
		for p.Next() {
			start := time.Now()
			w := n.do(http.MethodPost, route, body)
			own = append(own, time.Since(start))
			if w.Code != http.StatusOK {
				b.Errorf("status %d: %s", w.Code, w.Body)
				return
			}
		}
		mu.Lock()
		defer mu.Unlock()
		took = append(took, own...)
	})
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// jettonMaster returns the address of a Jetton master.
func (n *network) jettonMaster(tb testing.TB) string {
	tb.Helper()
	masters, err := n.svc.JettonMasters(n.ctx, chain.JettonMasterFilter{}, chain.Page{Limit: 1})
	require.NoError(tb, err)
	require.NotEmpty(tb, masters)
	return masters[0].Address.String()
}
