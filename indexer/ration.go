package indexer

import (
	"sync"
	"time"
)

// ration limits log lines whose number others decide. It is safe for concurrent use.
type ration struct {
	most   int // lines in each period
	period time.Duration
	now    func() time.Time

	mu      sync.Mutex
	began   time.Time
	spent   int
	skipped int
}

// take reports whether a line may be written, and with it how many were not since the last one.
func (r *ration) take() (skipped int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); now.Sub(r.began) >= r.period {
		r.began, r.spent = now, 0
	}
	if r.spent >= r.most {
		r.skipped++
		return 0, false
	}
	r.spent++
	skipped, r.skipped = r.skipped, 0
	return skipped, true
}
