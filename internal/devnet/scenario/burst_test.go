package scenario

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/ledger"
	"tonql/internal/pacetest"
)

func TestBurst_EveryTransferArrivesOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	skipIfShort(t)
	w := newTestChain(t, "", Options{ActionsPerMinute: -1, ShardPeriod: -1})
	sent, err := w.play.Burst(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, sent, "no burst before the first block")

	w.mine(20) // the contracts are deployed: from here on there are only bursts
	const wanted = 3000
	sent, err = w.play.Burst(t.Context(), wanted)
	require.NoError(t, err)
	require.Equal(t, wanted, sent)

	// The wallets that have sent wait for their confirmation; the others send the rest.
	sent, err = w.play.Burst(t.Context(), 2*BurstCapacity())
	require.NoError(t, err)
	require.Equal(t, BurstCapacity()-12*255, sent)
	again, err := w.play.Burst(t.Context(), 1)
	require.NoError(t, err)
	require.Zero(t, again)

	arrived := 0
	for range 40 {
		w.mine(1)
		arrived += w.censusFrom(w.chain.Head().ID.SeqNo)["plain"]
		if arrived >= wanted+sent {
			break
		}
	}
	require.Equal(t, wanted+sent, arrived, "every transfer arrives once")
	again, err = w.play.Burst(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 10, again, "confirmed wallets send again")
}

// BenchmarkBurst sends full bursts and mines until they are processed: one transaction for each
// transfer and one for every 255 of them.
func BenchmarkBurst(b *testing.B) {
	w := newTestChain(b, "", Options{ActionsPerMinute: -1, ShardPeriod: -1})
	w.mine(8)
	transfers := 0
	for b.Loop() {
		sent, err := w.play.Burst(context.Background(), BurstCapacity())
		require.NoError(b, err)
		transfers += sent
		w.mine(BurstCapacity()/ledger.DefaultMaxBlockTxs + 2)
	}
	b.ReportMetric(float64(transfers)/b.Elapsed().Seconds(), "transfers/s")
	require.GreaterOrEqual(b, w.census()["plain"], transfers)
}
