package scenario

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBurst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", Options{ActionsPerMinute: -1, ShardPeriod: -1})
	sent, err := w.play.Burst(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, sent, "no block, no burst")

	w.mine(1)
	const wanted = 3000
	sent, err = w.play.Burst(t.Context(), wanted)
	require.NoError(t, err)
	require.Equal(t, wanted, sent)

	// The wallets that sent wait for their confirmation; the others fill up what is left.
	sent, err = w.play.Burst(t.Context(), 2*BurstCapacity())
	require.NoError(t, err)
	require.Equal(t, BurstCapacity()-12*255, sent)
	again, err := w.play.Burst(t.Context(), 1)
	require.NoError(t, err)
	require.Zero(t, again)

	before := w.census()["plain"]
	for range 40 {
		w.mine(1)
		if w.census()["plain"]-before >= wanted+sent {
			break
		}
	}
	require.GreaterOrEqual(t, w.census()["plain"]-before, wanted+sent, "every transfer arrives")
	again, err = w.play.Burst(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 10, again, "confirmed wallets send again")
}

func BenchmarkBurst(b *testing.B) {
	w := newWorld(b, "", Options{ActionsPerMinute: -1, ShardPeriod: -1})
	w.mine(8)
	transfers := 0
	for b.Loop() {
		sent, err := w.play.Burst(context.Background(), BurstCapacity())
		require.NoError(b, err)
		transfers += sent
		w.mine(1)
	}
	b.ReportMetric(float64(transfers)/b.Elapsed().Seconds(), "transfers/s")
}
