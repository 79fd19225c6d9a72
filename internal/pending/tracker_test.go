package pending

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// Results are cached up to their size in memory. One that is too large is emulated again, and the others stay.
func TestTracker_CachedResultsAreBoundedByTheirSize(t *testing.T) {
	t.Parallel()
	emulator := emulate.New(nil, emulate.Options{})
	t.Cleanup(emulator.Close)
	tracker := New(emulator, nil, Options{})
	t.Cleanup(tracker.Close)
	view := &emulate.View{}
	emulations := 0
	emulated := func(n byte, bytes int) *result {
		t.Helper()
		r, err := tracker.once(t.Context(), view, chain.Hash{n}, 0, func(context.Context, *emulate.Emulation) (*result, error) {
			emulations++
			out := chain.FullTransaction{OutMessages: []chain.Message{{Body: make(chain.BOC, bytes/2)}, {Init: make(chain.BOC, bytes/2)}}}
			return &result{trace: &chain.FullTrace{Transactions: []chain.FullTransaction{out}}}, nil
		})
		require.NoError(t, err)
		require.Len(t, r.trace.Transactions[0].OutMessages[0].Body, bytes/2)
		return r
	}
	const small, large, huge = 1 << 10, 15 << 20, 17 << 20
	first := emulated(0, small)
	for n := byte(1); n <= 20; n++ {
		emulated(n, large)
		emulated(100, huge)
		require.Same(t, first, emulated(0, small))
		_, weight := tracker.cache.Size()
		require.LessOrEqual(t, weight, maxCachedBytes)
		require.Equal(t, 1+int(n)*2, emulations)
	}
	_, weight := tracker.cache.Size()
	require.Greater(t, weight, 3*large)
}

// A list that does not fit into memory is refused. That for live events lacks the large traces that do not fit, and has all small ones.
func TestListing_IsBoundedByTheSizeOfTraces(t *testing.T) {
	t.Parallel()
	trace := func(bytes int) *chain.FullTrace {
		return &chain.FullTrace{Transactions: []chain.FullTransaction{{OutMessages: []chain.Message{{Body: make(chain.BOC, bytes)}}}}}
	}
	small, large := trace(1<<10), trace(15<<20)
	for _, live := range []bool{false, true} {
		l := &listing{live: live}
		for range maxListedBytes / (15 << 20) {
			got, err := l.within(large)
			require.NoError(t, err)
			require.Same(t, large, got)
		}
		got, err := l.within(large)
		if require.Nil(t, got); live {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, errTooLong)
		}
		for range maxListed {
			got, err = l.within(small)
			require.NoError(t, err)
			require.Same(t, small, got)
		}
		got, err = l.within(nil)
		require.NoError(t, err)
		require.Nil(t, got)
	}
}
