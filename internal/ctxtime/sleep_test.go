package ctxtime_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/ctxtime"
)

func TestSleep_ReturnsTrueAfterItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		require.True(t, ctxtime.Sleep(t.Context(), time.Minute))
		require.Equal(t, time.Minute, time.Since(begun))
	})
}

func TestSleep_ReturnsFalseWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		require.False(t, ctxtime.Sleep(ctx, time.Minute))
		require.Equal(t, time.Second, time.Since(begun))
		require.False(t, ctxtime.Sleep(ctx, 0), "a context that has ended wins over a time that has passed")
	})
}
