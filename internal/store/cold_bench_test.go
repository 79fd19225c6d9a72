package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// BenchmarkCold moves blocks to a cold server and back, and reads the same rows from the index alone, from the index where a request says that it
// reads all servers, and from the cold server.
func BenchmarkCold(b *testing.B) {
	batches := coldChain(b, 12_000)
	db := testdb.New(b)
	for _, batch := range batches {
		require.NoError(b, db.Writer().Apply(b.Context(), batch...))
	}
	name, err := db.Cold().Connect(b.Context(), testdb.URL(b))
	require.NoError(b, err)
	steps := func(b *testing.B, step func() (store.DropStep, error)) {
		b.Helper()
		var locked time.Duration
		transactions := 0
		for {
			s, err := step()
			require.NoError(b, err)
			if s.Blocks.Last == 0 {
				break
			}
			locked += s.Locked
			transactions += s.Transactions
		}
		b.ReportMetric(float64(locked.Microseconds())/float64(max(1, transactions)), "locked-µs/tx")
	}
	bound := lastOf(batches[2])
	b.Run("move", func(b *testing.B) {
		for range b.N {
			steps(b, func() (store.DropStep, error) { return db.Writer().MoveCold(b.Context(), name, bound, 1000) })
			b.StopTimer()
			for s, err := db.Writer().ThawCold(b.Context()); s.Blocks.Last > 0; s, err = db.Writer().ThawCold(b.Context()) {
				require.NoError(b, err)
			}
			b.StartTimer()
		}
	})
	moveAllCold(b, db, name, bound, 1000)
	require.NoError(b, db.Cold().Freeze(b.Context(), name))
	hot, old := &batches[len(batches)-1][0].Transactions[0], &batches[1][0].Transactions[0]
	for _, c := range []struct {
		name     string
		complete bool
		filter   chain.TransactionFilter
	}{
		{"newest page", false, chain.TransactionFilter{}},
		{"newest page, all servers", true, chain.TransactionFilter{}},
		{"of a block", false, chain.TransactionFilter{McSeqno: &hot.McSeqno}},
		{"of a block, all servers", true, chain.TransactionFilter{McSeqno: &hot.McSeqno}},
		{"of a moved block", true, chain.TransactionFilter{McSeqno: &old.McSeqno}},
		{"by hash", false, chain.TransactionFilter{Hashes: []chain.Hash{hot.Hash}}},
		{"by hash, moved", true, chain.TransactionFilter{Hashes: []chain.Hash{old.Hash}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			ctx := b.Context()
			if c.complete {
				ctx = store.Complete(ctx)
			}
			read := func(ctx context.Context) {
				rows, err := db.Reader().Transactions(ctx, c.filter, chain.Page{Limit: 10})
				require.NoError(b, err)
				require.NotEmpty(b, rows)
			}
			for range 4 {
				read(ctx) // connections prepare the statement
			}
			for b.Loop() {
				read(ctx)
			}
		})
	}
}
