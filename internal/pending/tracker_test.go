package pending

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/contract"
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

// Anyone can send a message that cannot be emulated. It has no trace at this block, and the lists that contain it have the traces of all others; it
// is tried and logged once. While the database is lost, lists fail and nothing is cached.
func TestTracker_ATraceThatCannotBeEmulatedFailsNoList(t *testing.T) {
	t.Parallel()
	emulator := emulate.New(nil, emulate.Options{})
	t.Cleanup(emulator.Close)
	var logged bytes.Buffer
	tracker := New(emulator, nil, Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	t.Cleanup(tracker.Close)
	view, calls := &emulate.View{}, 0
	once := func(name byte, err error) (*result, error) {
		return tracker.once(t.Context(), view, chain.Hash{name}, 0, func(context.Context, *emulate.Emulation) (*result, error) {
			if calls++; err == nil {
				panic("hostile")
			}
			return nil, err
		})
	}
	for name, failure := range []error{&contract.Fault{Reason: contract.TooLong}, errors.New("other"), nil} {
		calls = 0
		for range 2 {
			r, err := once(byte(name), failure)
			require.NoError(t, err)
			require.Nil(t, r.trace)
			require.False(t, r.rejected)
		}
		require.Equal(t, 1, calls)
	}
	require.Equal(t, 3, strings.Count(logged.String(), "pending message is not emulated"))
	calls = 0
	lost := chain.Transientf(nil, "lost")
	for range 2 {
		_, err := once(9, lost)
		require.ErrorIs(t, err, lost)
	}
	require.Equal(t, 2, calls)
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
