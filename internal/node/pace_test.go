package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/node"
)

// allowance is a server that takes so many queries in each period.
type allowance struct {
	queries int
	period  time.Duration

	began  time.Time
	passed int
}

func (a *allowance) take(now time.Time) bool {
	if now.Sub(a.began) >= a.period {
		a.began, a.passed = now, 0
	}
	a.passed++
	return a.passed <= a.queries
}

// demand sends queries for a time, as many as the pace permits but at most 2000 a second, and counts the outcomes.
func demand(p *node.Pace, now *time.Time, d time.Duration, take func(time.Time) bool) (passed, refused int) {
	for end := now.Add(d); now.Before(end); *now = now.Add(500 * time.Microsecond) {
		if p.Blocked(*now) > 0 {
			continue
		}
		if at := now.Add(p.Reserve(*now)); take(at) {
			p.Passed()
			passed++
		} else {
			p.Limit(at)
			refused++
		}
	}
	return passed, refused
}

// The pace uses most of what a server allows, whatever that is, and is refused rarely.
func TestPace_StaysCloseToTheAllowedRate(t *testing.T) {
	t.Parallel()
	for _, a := range []allowance{
		{queries: 1, period: time.Second},
		{queries: 10, period: time.Second},
		{queries: 20, period: 100 * time.Millisecond},
		{queries: 5, period: 50 * time.Millisecond},
		{queries: 600, period: time.Minute},
	} {
		p, now := node.NewPace(250*time.Millisecond), time.Now()
		demand(p, &now, 2*time.Minute, a.take)
		passed, refused := demand(p, &now, 4*time.Minute, a.take)
		allowed := float64(a.queries) * (4 * time.Minute).Seconds() / a.period.Seconds()
		t.Logf("%d in %s: %.0f of 100, %d refused", a.queries, a.period, 100*float64(passed)/allowed, refused)
		require.Greater(t, float64(passed), 0.5*allowed, "%d in %s", a.queries, a.period)
		require.LessOrEqual(t, refused, max(600, passed/10), "%d in %s", a.queries, a.period)
	}
}

// A server that refuses everything gets a query every four seconds. When it accepts all again, nothing is held back after
// some seconds.
func TestPace_ClosedServerIsProbedAndReturns(t *testing.T) {
	t.Parallel()
	p, now := node.NewPace(250*time.Millisecond), time.Now()
	_, refused := demand(p, &now, time.Minute, func(time.Time) bool { return false })
	require.LessOrEqual(t, refused, 20)
	require.GreaterOrEqual(t, refused, 14)
	demand(p, &now, 20*time.Second, func(time.Time) bool { return true })
	passed, _ := demand(p, &now, time.Second, func(time.Time) bool { return true })
	require.GreaterOrEqual(t, passed, 1999)
}

func TestPace_WithoutLimitsNothingWaits(t *testing.T) {
	t.Parallel()
	p, now := node.NewPace(250*time.Millisecond), time.Now()
	for range 1000 {
		require.Zero(t, p.Reserve(now))
		p.Passed()
	}
	require.Zero(t, p.Blocked(now))
}
