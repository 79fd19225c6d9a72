package feed

import (
	"sync"
	"sync/atomic"
	"time"
)

// lazy is a value that is produced once, by the first caller; the others wait for it. After a failure it is not retried for a
// moment, so that a thousand streams do not query a broken database a thousand times.
type lazy[T any] struct {
	done atomic.Bool // value is set and final; reading it then needs no lock

	mu     sync.Mutex
	value  T
	failed time.Time
	err    error
}

const retryAfter = 500 * time.Millisecond

func (l *lazy[T]) get(produce func() (T, error)) (T, error) {
	if l.done.Load() {
		return l.value, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done.Load() || l.err != nil && time.Since(l.failed) < retryAfter {
		return l.value, l.err
	}
	l.value, l.err = produce()
	l.done.Store(l.err == nil)
	if l.err != nil {
		l.failed = time.Now()
	}
	return l.value, l.err
}

// set sets the value.
func (l *lazy[T]) set(value T) {
	l.value = value
	l.done.Store(true)
}
