package handler_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/rest/handler"
)

func TestSlots_OwnerHasFewAtOnce(t *testing.T) {
	t.Parallel()
	slots := handler.NewSlots[int64](2, 10)
	var all sync.WaitGroup
	var now, peak, refused atomic.Int64
	leave := make(chan struct{})
	for range 30 {
		all.Go(func() {
			done, err := slots.Acquire(context.Background(), 1)
			if err != nil {
				refused.Add(1)
				return
			}
			defer done()
			n := now.Add(1)
			for before := peak.Load(); n > before && !peak.CompareAndSwap(before, n); before = peak.Load() {
			}
			<-leave
			now.Add(-1)
		})
	}
	require.Eventually(t, func() bool { return refused.Load() == 20 && now.Load() == 2 }, 10*time.Second, time.Millisecond)
	done, err := slots.Acquire(t.Context(), 2)
	require.NoError(t, err, "another owner")
	done()
	_, err = slots.Acquire(t.Context(), 1)
	require.ErrorIs(t, err, handler.ErrSlots)
	close(leave)
	all.Wait()
	require.Equal(t, int64(2), peak.Load())

	// A request that waits ends with its context, and leaves its place.
	first, err := slots.Acquire(t.Context(), 1)
	require.NoError(t, err)
	second, err := slots.Acquire(t.Context(), 1)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		_, err = slots.Acquire(ended, 1)
		require.ErrorIs(t, err, context.Canceled)
	}
	first()
	second()
	for range 3 {
		done, err := slots.Acquire(t.Context(), 1)
		require.NoError(t, err)
		done()
	}
}
