// Package loglimit bounds the log lines that untrusted input causes.
package loglimit

import (
	"sync"
	"time"
)

// Limiter passes a number of lines in each period. It is safe for concurrent use.
type Limiter struct {
	lines  int
	period time.Duration

	mu      sync.Mutex
	began   time.Time
	spent   int
	skipped int
}

// New returns a Limiter for so many lines in each period.
func New(lines int, period time.Duration) *Limiter { return &Limiter{lines: lines, period: period} }

// Take reports whether to log a line, and how many lines were skipped since the last one.
func (l *Limiter) Take() (skipped int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.began) >= l.period {
		l.began, l.spent = now, 0
	}
	if l.spent >= l.lines {
		l.skipped++
		return 0, false
	}
	l.spent++
	skipped, l.skipped = l.skipped, 0
	return skipped, true
}
