package node

import (
	"time"
)

const (
	// minPace is the lowest rate of queries to a server that limits them, maxPace the rate above which nothing is held back,
	// each per second.
	minPace = 0.5
	maxPace = 1000
	// maxBacklog is how far queries to one server may be delayed; then other servers are queried.
	maxBacklog = 500 * time.Millisecond
	// limitMemory is how close two limits are that measure the rate a server allows.
	limitMemory = 10 * time.Second
)

// pace adapts the rate of queries to what a server allows. After a limit it pauses. It measures the rate that passed until
// the next one, stays below it, and probes for more: quickly up to the last rate that was too high, slowly above.
// The server's mutex guards it.
type pace struct {
	first time.Duration // the first pause

	rate    float64   // queries per second; 0: as many as come
	ceiling float64   // a rate that was nearly too high; 0: none yet
	next    time.Time // when the next query may be sent
	grown   time.Time // when rate was increased last

	limitedAt time.Time
	until     time.Time // end of the pause
	pause     time.Duration
	passed    int // queries with a response since the last limit
}

// reserve takes a place in the schedule and returns how long the query waits for it.
func (p *pace) reserve(now time.Time) time.Duration {
	p.grow(now)
	wait := max(0, p.next.Sub(now))
	if p.rate > 0 {
		p.next = now.Add(wait + time.Duration(float64(time.Second)/p.rate))
	}
	return wait
}

// blocked returns how long the server gets no further queries.
func (p *pace) blocked(now time.Time) time.Duration {
	return max(0, p.until.Sub(now), p.next.Add(-maxBacklog).Sub(now))
}

func (p *pace) grow(now time.Time) {
	since := min(now.Sub(p.grown), time.Second).Seconds()
	if p.rate == 0 || since <= 0 {
		return
	}
	p.grown = now
	if p.ceiling == 0 || p.rate < p.ceiling {
		p.rate *= 1 + since
	} else {
		p.rate *= 1 + since/20
	}
	if p.rate > maxPace {
		p.rate, p.ceiling = 0, 0
	}
}

// limit records a limit and returns the pause; of several queries that were refused together, the first decides.
func (p *pace) limit(now time.Time) (pause time.Duration, fresh bool) {
	if now.Before(p.until) {
		return 0, false
	}
	switch {
	case p.passed == 0: // the server is closed
		p.pause = min(max(2*p.pause, p.first), 16*p.first)
		p.rate = max(p.rate/2, 1)
	case p.rate > 0:
		p.pause = p.first
		p.rate *= 0.7
		p.ceiling = p.rate
	case now.Sub(p.limitedAt) < limitMemory:
		p.pause = p.first
		p.rate = 0.9 * float64(p.passed) / now.Sub(p.limitedAt).Seconds()
		p.ceiling = p.rate
	default:
		p.pause = p.first
	}
	if p.rate > 0 {
		p.rate = max(p.rate, minPace)
	}
	p.limitedAt, p.passed = now, 0
	p.until = now.Add(p.pause)
	p.next, p.grown = p.until, p.until
	return p.pause, true
}

// limiting reports whether the server limits queries at the moment.
func (p *pace) limiting(now time.Time) bool { return now.Before(p.until) }
