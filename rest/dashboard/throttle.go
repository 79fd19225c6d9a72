package dashboard

import (
	"sync"
	"time"
)

// throttle slows guessing down: after a few failures for a name, or many from an address, nobody is let in there for a
// while. It lives in this process; each gateway counts for itself.
type throttle struct {
	mu     sync.Mutex
	now    func() time.Time
	failed map[string]*failures
}

type failures struct {
	n     int
	until time.Time // forgotten then
}

const (
	guessesByName    = 5
	guessesByAddress = 50
	guessPause       = 5 * time.Minute
	mostWatched      = 10_000
)

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, failed: map[string]*failures{}}
}

// wait is how long nobody is let in; 0 for a guess that may be made.
func (t *throttle) wait(name, address string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(t.left("name "+name, guessesByName), t.left("address "+address, guessesByAddress))
}

func (t *throttle) left(key string, most int) time.Duration {
	f := t.failed[key]
	if f == nil || f.n < most {
		return 0
	}
	return max(0, f.until.Sub(t.now()))
}

// fail counts a wrong guess.
func (t *throttle) fail(name, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if len(t.failed) > mostWatched {
		for key, f := range t.failed {
			if now.After(f.until) {
				delete(t.failed, key)
			}
		}
	}
	for _, key := range []string{"name " + name, "address " + address} {
		f := t.failed[key]
		if f == nil || now.After(f.until) {
			f = &failures{}
			t.failed[key] = f
		}
		f.n++
		f.until = now.Add(guessPause)
	}
}

// well forgets the failures for a name.
func (t *throttle) well(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.failed, "name "+name)
}
