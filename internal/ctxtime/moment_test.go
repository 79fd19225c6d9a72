package ctxtime_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/ctxtime"
)

// A time without the monotonic clock, which String shows as m=, would be compared by the clock of the machine.
func TestMoment_IsOfTheMonotonicClock(t *testing.T) {
	t.Parallel()
	var m ctxtime.Moment
	require.True(t, m.Time().IsZero())
	now := time.Now()
	m.Set(now)
	require.Zero(t, m.Time().Sub(now))
	require.Contains(t, m.Time().String(), " m=")
	later := now.Add(time.Hour)
	before := m.Swap(later)
	require.Zero(t, before.Sub(now))
	require.Contains(t, before.String(), " m=")
	require.Equal(t, time.Hour, m.Time().Sub(now))
	m.Clear()
	require.True(t, m.Time().IsZero())
}
