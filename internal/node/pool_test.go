package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/node"
)

// Servers lag behind each other by a few blocks. What they lack is final only behind that distance, in blocks or in LTs.
func TestPool_AbsenceIsFinalBehindTheHeadOfAll(t *testing.T) {
	t.Parallel()
	const head, newestLT = 100, 5000
	for _, c := range []struct {
		seqno, lt uint32
		want      bool
	}{
		{seqno: 92, want: true}, {seqno: 93}, {seqno: 100}, {seqno: 101}, {seqno: 4992},
		{lt: 4992, want: true}, {lt: 4993}, {lt: 5001}, {lt: 92, want: true}, {},
	} {
		require.Equal(t, c.want, node.Past(head, newestLT, c.seqno, c.lt), c)
	}
}

// A query waits for the server that can be queried first. Servers that are set aside do not count: whether they limit queries is not certain.
func TestPool_WaitsForTheShortestLimit(t *testing.T) {
	t.Parallel()
	now := time.Now()
	left, ok := node.LimitLeft(now, []bool{true, false, true, true}, []time.Duration{time.Hour, time.Second, time.Minute, 2 * time.Minute})
	require.True(t, ok)
	require.InDelta(t, time.Minute.Seconds(), left.Seconds(), 30)
	left, ok = node.LimitLeft(now, []bool{true, true}, []time.Duration{time.Hour, 0})
	require.True(t, ok)
	require.Zero(t, left)
	_, ok = node.LimitLeft(now, []bool{false}, []time.Duration{time.Hour})
	require.False(t, ok)
	_, ok = node.LimitLeft(now, nil, nil)
	require.False(t, ok)
}
