package loglimit_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/loglimit"
)

func TestTake_PassesItsLinesInEachPeriod(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := loglimit.New(3, time.Minute)
		passed := 0
		for range 100 {
			if skipped, ok := l.Take(); ok {
				require.Zero(t, skipped)
				passed++
			}
		}
		require.Equal(t, 3, passed)
		time.Sleep(time.Minute)
		skipped, ok := l.Take()
		require.True(t, ok)
		require.Equal(t, 97, skipped)
		skipped, ok = l.Take()
		require.True(t, ok)
		require.Zero(t, skipped)
	})
}
