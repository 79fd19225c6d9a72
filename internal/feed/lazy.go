package feed

import (
	"sync"
	"sync/atomic"
	"time"
)

// lazy is a value that the first caller produces while the others wait. After a failure it is not produced again for
// retryAfter, so that a thousand streams do not send a thousand queries to a failing database.
type lazy[T any] struct {
	done atomic.Bool // value is final, and can be read without the lock

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

// set sets the value. It must come before the first get.
func (l *lazy[T]) set(value T) {
	l.value = value
	l.done.Store(true)
}
