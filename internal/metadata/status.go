package metadata

import (
	"maps"
	"sync"
	"time"
)

// Status is what the worker has done since it was made.
type Status struct {
	Waiting int               // jobs in memory that are not begun
	Running int               // jobs in progress
	Fetched uint64            // documents fetched
	PutOff  uint64            // jobs postponed because their host has too many
	Failed  map[string]uint64 // failed attempts, by reason

	QueueError   string    // the queue's last error, empty when it works
	QueueErrorAt time.Time // zero when it works
}

// statusCounter holds the status.
type statusCounter struct {
	mu     sync.Mutex
	status Status
}

// change applies f under the lock.
func (l *statusCounter) change(f func(*Status)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.status.Failed == nil {
		l.status.Failed = map[string]uint64{}
	}
	f(&l.status)
}

// Status is a copy of the counts as they are now.
func (w *Worker) Status() Status {
	w.statusCounter.mu.Lock()
	defer w.statusCounter.mu.Unlock()
	s := w.statusCounter.status
	s.Failed = maps.Clone(s.Failed)
	return s
}
