package indexer

import (
	"sync"
	"time"
)

// logLimiter limits log lines that untrusted input causes. It is safe for concurrent use.
type logLimiter struct {
	limit  int // lines in each period
	period time.Duration
	now    func() time.Time

	mu      sync.Mutex
	began   time.Time
	spent   int
	skipped int
}

// take reports whether to log a line, and how many lines were skipped since the last one.
func (l *logLimiter) take() (skipped int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); now.Sub(l.began) >= l.period {
		l.began, l.spent = now, 0
	}
	if l.spent >= l.limit {
		l.skipped++
		return 0, false
	}
	l.spent++
	skipped, l.skipped = l.skipped, 0
	return skipped, true
}
