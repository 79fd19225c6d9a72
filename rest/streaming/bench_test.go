package streaming

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// The time that a masterchain block of synthetic data takes for a session with one address, which nearly never is in the block, and for one with all
// accounts of the block.
func BenchmarkBatch(b *testing.B) {
	db := testdb.New(b)
	require.NoError(b, synthetic.Load(b.Context(), db.Writer(), synthetic.Scaled(0.02), nil))
	ranges, err := db.Reader().Ranges(b.Context())
	require.NoError(b, err)
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "devnet"})
	b.Cleanup(svc.Close)
	log := slog.New(slog.DiscardHandler)
	f := feed.New(db.Reader(), feed.Options{Logger: log})
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	b.Cleanup(func() { cancel(); require.NoError(b, <-done) })
	h := New(Options{Service: svc, Feed: f, Logger: log})
	before := ranges[len(ranges)-1].Last - 1
	stream, err := f.Open(ctx, feed.Start{McSeqno: &before}, func(_ context.Context, b *feed.Batch) ([]*feed.Event, error) { return []*feed.Event{{Batch: b}}, nil })
	require.NoError(b, err)
	b.Cleanup(stream.Close)
	events, err := stream.Next(ctx)
	require.NoError(b, err)
	batch := events[0].Batch
	txs, err := batch.Transactions(ctx)
	require.NoError(b, err)

	open := func(addresses ...chain.Address) (s *session, sent *int) {
		s, sent = &session{h: h, send: func([]byte) error { *sent++; return nil }}, new(int)
		sub := newSubscription("")
		sub.kinds, sub.minFinality, sub.addresses = transactions|actions|accountStates|jettons, pending, map[chain.Address]bool{}
		for _, a := range addresses {
			sub.addresses[a] = true
		}
		s.sub.Store(sub)
		return s, sent
	}
	random := rand.New(rand.NewPCG(1, 2))
	idle := make([]*session, 1000)
	for i := range idle {
		idle[i], _ = open(synthetic.Address(random.IntN(1 << 20)))
	}
	b.Run("idle", func(b *testing.B) {
		b.ReportMetric(float64(len(txs.Rows)), "transactions")
		for i := 0; b.Loop(); i++ {
			require.NoError(b, idle[i%len(idle)].batch(ctx, batch))
		}
	})
	b.Run("busy", func(b *testing.B) {
		all := make([]chain.Address, len(txs.Rows))
		for i := range txs.Rows {
			all[i] = txs.Rows[i].Account
		}
		busy, sent := open(all...)
		for b.Loop() {
			require.NoError(b, busy.batch(ctx, batch))
		}
		b.ReportMetric(float64(*sent)/float64(b.N), "notifications/op")
		require.Zero(b, testutil.ToFloat64(h.skipped))
	})
}
