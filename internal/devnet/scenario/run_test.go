package scenario

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const testTimeout = 30 * time.Second

func TestRun_SendsABatchAfterEveryBlock(t *testing.T) {
	t.Parallel()
	w := newTestChain(t, "", Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.play.Run(ctx) }()
	for batches := 1; batches <= 12; batches++ {
		w.now.Add(1)
		_, err := w.chain.Mine(t.Context())
		require.NoError(t, err)
		require.Eventually(t, func() bool { return w.play.Stats().Rounds >= batches }, testTimeout, time.Millisecond)
	}
	cancel()
	require.NoError(t, <-done)
	require.Positive(t, w.play.Stats().Externals)
	require.Zero(t, w.play.Stats().Refused)
}

func TestRun_OneBatchCoversMissedBlocks(t *testing.T) {
	t.Parallel()
	w := newTestChain(t, "", Options{})
	w.mine(1)
	// Several blocks appear without a batch in between; one batch covers them.
	for range 30 {
		w.now.Add(1)
		_, err := w.chain.Mine(t.Context())
		require.NoError(t, err)
	}
	require.NoError(t, w.play.step(t.Context(), 16, 31))
	total := 0
	for _, n := range w.play.Stats().Actions {
		total += n
	}
	require.Equal(t, 16, total)
}

func TestRun_NudgesAnIdleChain(t *testing.T) {
	t.Parallel()
	w := newTestChain(t, "", Options{Nudge: 5 * time.Millisecond, ActionsPerMinute: -1, ShardPeriod: -1})
	w.mine(20)
	sent := w.play.Stats().Externals
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.play.Run(ctx) }()
	require.Eventually(t, func() bool { return w.play.Stats().Externals > sent }, testTimeout, time.Millisecond)
	cancel()
	require.NoError(t, <-done)
}
