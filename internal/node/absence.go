package node

import (
	"cmp"
	"math"
	"slices"
	"time"
)

const (
	// maxGaps bounds the ranges that are remembered of one server.
	maxGaps = 16
	// gapTime is how long a range is remembered. Then one query finds out whether the server still lacks it: archives are
	// imported, and databases restored, while a server runs.
	gapTime = 10 * time.Minute
	// ltPerBlock converts LTs to positions: a masterchain block begins at a multiple of it, above the LTs of the last one.
	ltPerBlock = 1_000_000
)

// gap is a range of positions that a server probably lacks: seqnos of masterchain blocks, or LTs in units of ltPerBlock.
// It extends over the misses from low to high on each side.
type gap struct {
	from, to  uint32
	low, high uint32 // first and last miss
	step      uint32 // by how much the next miss beside it extends it
	until     time.Time
}

// absences remembers what a server was found to lack. A gap grows by a power of two with every miss at its edge, so that
// a backfill through a range that the server lacks does not query it at every block.
type absences struct {
	gaps   []gap  // sorted, disjoint
	lowest uint32 // lowest position that the server had; 0 when none yet
}

// lacks reports whether the position is in a gap.
func (a *absences) lacks(at uint32, now time.Time) bool {
	return slices.ContainsFunc(a.gaps, func(g gap) bool { return g.from <= at && at <= g.to && now.Before(g.until) })
}

// miss records that the server did not have a position. Gaps do not extend above limit. Servers remove old data first, so
// nothing below a miss is expected unless the server had something there.
func (a *absences) miss(at, limit uint32, now time.Time) {
	if a.lowest >= at {
		a.lowest = 0 // removed since
	}
	g := a.near(at)
	if g == nil {
		n := gap{from: at, to: at, low: at, high: at, step: 1}
		if a.lowest == 0 {
			n.from = 0
		}
		a.gaps = append(a.gaps, n)
		g = &a.gaps[len(a.gaps)-1]
	}
	switch {
	case at >= g.to:
		g.to = max(g.to, min(saturated(at, g.step), limit))
	case at <= g.from:
		g.from = at - min(at, g.step)
	}
	switch {
	case a.lowest == 0:
	case a.lowest > at:
		g.to = min(g.to, a.lowest-1)
	case g.from <= a.lowest && a.lowest < g.low:
		g.from = a.lowest + 1
	}
	g.low, g.high = min(g.low, at), max(g.high, at)
	g.step = saturated(g.step, g.step)
	g.until = now.Add(gapTime)
	a.tidy()
}

// near finds the gap that contains a position or that the position extends.
func (a *absences) near(at uint32) *gap {
	for i := range a.gaps {
		if g := &a.gaps[i]; at >= g.from-min(g.from, g.step) && at <= saturated(g.to, g.step) {
			return g
		}
	}
	return nil
}

// tidy sorts a list with at least one gap and merges those that overlap.
func (a *absences) tidy() {
	slices.SortFunc(a.gaps, func(x, y gap) int { return cmp.Compare(x.from, y.from) })
	merged := a.gaps[:1]
	for _, g := range a.gaps[1:] {
		last := &merged[len(merged)-1]
		if g.from > last.to {
			merged = append(merged, g)
			continue
		}
		last.to = max(last.to, g.to)
		last.low, last.high = min(last.low, g.low), max(last.high, g.high)
		last.step = max(last.step, g.step)
		if g.until.After(last.until) {
			last.until = g.until
		}
	}
	a.gaps = merged
	a.bound()
}

// hit records that the server had a position: a gap ends before it, begins after it, or is divided.
func (a *absences) hit(at uint32) {
	if a.lowest == 0 || at < a.lowest {
		a.lowest = at
	}
	i := slices.IndexFunc(a.gaps, func(g gap) bool { return g.from <= at && at <= g.to })
	if i < 0 {
		return
	}
	g := &a.gaps[i]
	switch {
	case at > g.high:
		g.to = at - 1
	case at < g.low:
		g.from = at + 1
	case g.low == g.high: // the only miss was a passing one
		a.gaps = slices.Delete(a.gaps, i, i+1)
	default:
		a.gaps = slices.Replace(a.gaps, i, i+1, g.without(at)...)
		a.bound()
	}
}

// without returns the parts of a gap below and above a position in it.
func (g gap) without(at uint32) (parts []gap) {
	lower, upper := g, g
	if at > g.from {
		lower.to, lower.low, lower.high, lower.step = at-1, min(g.low, at-1), at-1, 1
		parts = append(parts, lower)
	}
	if at < g.to {
		upper.from, upper.low, upper.high, upper.step = at+1, at+1, max(g.high, at+1), 1
		parts = append(parts, upper)
	}
	return parts
}

// bound drops the gap that ends first when there are too many.
func (a *absences) bound() {
	if len(a.gaps) > maxGaps {
		first := slices.MinFunc(a.gaps, func(x, y gap) int { return x.until.Compare(y.until) })
		a.gaps = slices.DeleteFunc(a.gaps, func(g gap) bool { return g.from == first.from })
	}
}

// ltPosition returns the position of an LT; 0 for none.
func ltPosition(lt uint64) uint32 {
	if lt == 0 {
		return 0
	}
	return uint32(min(lt/ltPerBlock+1, math.MaxUint32-1))
}

// saturated adds without overflow.
func saturated(a, b uint32) uint32 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxUint32
}
