package v3_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	v3 "tonql/rest/v3"
)

// BenchmarkRunGetMethod measures get_wallet_address calls on a Jetton master, end to end.
func BenchmarkRunGetMethod(b *testing.B) {
	n := startNetwork(b, 20)
	var master chain.Address
	rows, err := n.db.Reader().TopAccounts(n.ctx, chain.Page{Limit: 1000, Sort: chain.Descending})
	require.NoError(b, err)
	owner := cell.BeginCell().MustStoreAddr(n.faucet.Address).EndCell().MustBeginParse()
	for _, row := range rows {
		if _, got, _ := n.run(row.Account, "get_jetton_data", 0); got.ExitCode == 0 && len(got.Stack) == 5 {
			master = row.Account
			break
		}
	}
	query, err := json.Marshal(map[string]any{
		"address": master.String(), "method": "get_wallet_address", "stack": []any{argument(owner)},
	})
	require.NoError(b, err)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			r := httptest.NewRequest(http.MethodPost, v3.Prefix+"/runGetMethod", bytes.NewReader(query))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			n.handler.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				b.Errorf("status %d: %s", w.Code, w.Body)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}
