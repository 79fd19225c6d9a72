package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The garbage that waits for cleaning is bounded by an amount, whatever the live heap, until the live heap alone is larger.
func TestGarbagePercent_BoundsGarbageByAnAmount(t *testing.T) {
	t.Parallel()
	const mebibyte = 1 << 20
	for _, live := range []uint64{0, 1, mebibyte, 20 * mebibyte, 28 * mebibyte, 60 * mebibyte, 92 * mebibyte, 112 * mebibyte} {
		percent := garbagePercent(live)
		require.LessOrEqual(t, live*uint64(percent)/100, uint64(garbageAllowance), live)
		require.GreaterOrEqual(t, percent, minGarbagePercent)
		require.LessOrEqual(t, percent, maxGarbagePercent)
	}
	require.Equal(t, maxGarbagePercent, garbagePercent(28*mebibyte))
	require.Equal(t, minGarbagePercent, garbagePercent(1<<40))
}
