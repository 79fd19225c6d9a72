package node_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/node"
)

// missing counts how often a reader that skips a server where it is expected to lack data is refused by it.
func missing(a *node.Absences, positions []uint32, has func(uint32) bool) (refusals, skipped int) {
	now := time.Now()
	for _, at := range positions {
		switch {
		case a.Lacks(at, now):
			if has(at) {
				skipped++
			}
		case has(at):
			a.Hit(at)
		default:
			refusals++
			a.Miss(at, math.MaxUint32, now)
		}
	}
	return refusals, skipped
}

func upwards(from, to uint32) (list []uint32) {
	for at := from; at <= to; at++ {
		list = append(list, at)
	}
	return list
}

func downwards(from, to uint32) (list []uint32) {
	for at := to; at >= from; at-- {
		list = append(list, at)
	}
	return list
}

func TestAbsences_BackfillsMissRarely(t *testing.T) {
	t.Parallel()
	pruned := func(at uint32) bool { return at >= 40_000 }
	hole := func(at uint32) bool { return at < 20_000 || at >= 40_000 }
	for _, tc := range []struct {
		name      string
		positions []uint32
		has       func(uint32) bool
		refusals  int
	}{
		{"pruned, downwards", downwards(1, 60_000), pruned, 1},
		{"pruned, upwards", upwards(1, 60_000), pruned, 17},
		{"hole, downwards", downwards(1, 60_000), hole, 2},
		{"hole, upwards", upwards(1, 60_000), hole, 17},
		{"nothing", upwards(1, 60_000), func(uint32) bool { return false }, 17},
	} {
		var a node.Absences
		refusals, _ := missing(&a, tc.positions, tc.has)
		require.LessOrEqual(t, refusals, tc.refusals, tc.name)
		require.LessOrEqual(t, a.Gaps(), 2, tc.name)
	}
}

// A range that grew too far is corrected by the first block that the server turns out to have.
func TestAbsences_HitsEndGaps(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var a node.Absences
	for at := uint32(1); at < 100; at++ {
		a.Miss(at, math.MaxUint32, now)
	}
	require.True(t, a.Lacks(120, now), "grown beyond the last miss")
	a.Hit(110)
	require.False(t, a.Lacks(110, now))
	require.False(t, a.Lacks(120, now))
	require.True(t, a.Lacks(99, now))
	a.Hit(50)
	require.False(t, a.Lacks(50, now))
	require.True(t, a.Lacks(49, now))
	require.True(t, a.Lacks(51, now))
}

func TestAbsences_ServerThatPrunesLaterIsRemembered(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var a node.Absences
	a.Hit(10)
	a.Hit(1000)
	a.Miss(500, math.MaxUint32, now) // it has pruned meanwhile
	require.True(t, a.Lacks(500, now))
	a.Miss(10, math.MaxUint32, now)
	require.True(t, a.Lacks(3, now))
}

func TestAbsences_AreForgottenAfterAWhile(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var a node.Absences
	a.Miss(500, math.MaxUint32, now)
	require.True(t, a.Lacks(400, now.Add(node.GapTime-time.Second)))
	require.False(t, a.Lacks(400, now.Add(node.GapTime)))
}

// A server that returns errors at random fills no memory, and a position it had just now is never a gap.
func TestAbsences_HostileServersAreBounded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var a node.Absences
	now := time.Now()
	for range 200_000 {
		at := 1 + r.Uint32N(1<<20)
		if r.IntN(50) == 0 {
			at = math.MaxUint32 - r.Uint32N(3)
		}
		if r.IntN(2) == 0 {
			a.Hit(at)
			require.False(t, a.Lacks(at, now))
		} else {
			a.Miss(at, math.MaxUint32, now)
		}
		require.LessOrEqual(t, a.Gaps(), node.MaxGaps)
	}
}
