package resolvers_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// BenchmarkSearch measures searches on the synthetic index, of a tenth of its size unless TONQL_BENCH_SCALE says otherwise, and
// reports the 95th percentile of each kind.
func BenchmarkSearch(b *testing.B) {
	db := testdb.New(b)
	scale := 0.1
	if text := os.Getenv("TONQL_BENCH_SCALE"); text != "" {
		var err error
		scale, err = strconv.ParseFloat(text, 64)
		require.NoError(b, err)
	}
	require.NoError(b, synthetic.Load(b.Context(), db.Writer(), synthetic.Scaled(scale), nil))
	handle := db.SQLDB()
	for _, statement := range []string{
		`INSERT INTO token_names SELECT n, address, kind FROM (SELECT row_number() OVER () AS i, address, kind FROM metadata) m
			CROSS JOIN LATERAL unnest(ARRAY['token number ' || i, 'number ' || i, 'sym' || i]) n ON CONFLICT DO NOTHING`,
		"VACUUM ANALYZE",
	} {
		_, err := handle.ExecContext(b.Context(), statement)
		require.NoError(b, err)
	}
	require.NoError(b, handle.Close())
	s := resolvers.New(db.Reader(), nil, resolvers.Options{})
	txs, err := db.Reader().Transactions(b.Context(), chain.TransactionFilter{}, chain.Page{Limit: 200})
	require.NoError(b, err)
	messages, err := db.Reader().Messages(b.Context(), chain.MessageFilter{}, chain.Page{Limit: 200})
	require.NoError(b, err)
	mistyped := []byte(synthetic.Address(0).Friendly(true, false))
	mistyped[20] ^= 1
	for _, kind := range []struct {
		name string
		text func(i int) string
	}{
		{"name", func(i int) string { return fmt.Sprintf("token number %d", i) }},
		{"second word", func(int) string { return "number" }},
		{"symbol", func(i int) string { return fmt.Sprintf("sym%d", i) }},
		{"domain", func(i int) string { return fmt.Sprintf("domain%d", i) }},
		{"seqno", func(i int) string { return strconv.Itoa(int(txs[i%len(txs)].Block.Seqno)) }},
		{"block", func(i int) string {
			id := txs[i%len(txs)].Block
			return fmt.Sprintf("(%d,%s,%d)", id.Workchain, id.Shard, id.Seqno)
		}},
		{"hash", func(i int) string { return txs[i%len(txs)].Hash.Hex() }},
		{"prefix of a transaction", func(i int) string { return txs[i%len(txs)].Hash.Hex()[:8] }},
		{"prefix of a message", func(i int) string { return messages[i%len(messages)].Hash.Hex()[:12] }},
		{"absent prefix", func(i int) string { return fmt.Sprintf("%08x", uint32(i)*2654435761) }},
		{"address", func(i int) string { return synthetic.Address(i).String() }},
		{"mistyped address", func(int) string { return string(mistyped) }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				_, err := s.Search(b.Context(), kind.text(i))
				require.NoError(b, err)
				times = append(times, time.Since(began))
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)*95/100].Seconds()*1000, "p95-ms")
		})
	}
}
