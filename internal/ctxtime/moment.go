package ctxtime

import (
	"sync/atomic"
	"time"
)

// begun is the start of the process, with its monotonic clock.
var begun = time.Now() //nolint:gochecknoglobals // never changes

// Moment is a time that goroutines share, zero at first. It is one of the monotonic clock: times between moments do not change when the clock of the machine is set.
type Moment struct {
	since atomic.Int64 // nanoseconds from begun, 0: no time
}

// Set stores a time that [time.Now] has returned.
func (m *Moment) Set(t time.Time) { m.since.Store(nanoseconds(t)) }

// Swap stores a time like Set, and returns the one before.
func (m *Moment) Swap(t time.Time) time.Time { return at(m.since.Swap(nanoseconds(t))) }

// Clear stores the zero time.
func (m *Moment) Clear() { m.since.Store(0) }

// Time returns the time; zero if there is none.
func (m *Moment) Time() time.Time { return at(m.since.Load()) }

func nanoseconds(t time.Time) int64 {
	if n := int64(t.Sub(begun)); n != 0 {
		return n
	}
	return 1
}

func at(since int64) time.Time {
	if since == 0 {
		return time.Time{}
	}
	return begun.Add(time.Duration(since))
}
