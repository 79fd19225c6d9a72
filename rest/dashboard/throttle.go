package dashboard

import (
	"sync"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

const (
	// maxGuesses is the number of consecutive wrong passwords that are allowed for a name, a device or a session, and maxAddressGuesses
	// for a client address over all names.
	maxGuesses        = 5
	maxAddressGuesses = 50
	guessPause        = 5 * time.Minute
	// maxCounters bounds the memory of a throttle. Above it, new keys share sharedCounters counters.
	maxCounters    = 10_000
	sharedCounters = 1 << 10
	sweepEvery     = 10 * time.Second
)

// throttle counts failed attempts. It checks and counts an attempt in one step, before the password is hashed, so that
// concurrent attempts cannot pass the check together. Each gateway counts by itself. Safe for concurrent use.
type throttle struct {
	now func() time.Time
	// evicts lets a new key replace another one in a full throttle, so that a flood of keys refuses nobody. Without it new keys share
	// counters, so that a flood gains no guesses.
	evicts bool

	mu       sync.Mutex
	counters map[chain.Hash]*counter
	swept    time.Time
}

type counter struct {
	n     int
	until time.Time // expiry of the counter
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, counters: map[chain.Hash]*counter{}, swept: now()}
}

// newAllowance returns a throttle of what has another bound besides: a full one refuses no new key.
func newAllowance(now func() time.Time) *throttle {
	t := newThrottle(now)
	t.evicts = true
	return t
}

// attempt is a counted attempt without a verdict.
type attempt struct {
	throttle *throttle
	key      chain.Hash
}

// begin counts an attempt by the hash of a kind of key and its value. At max attempts it counts nothing and returns the time
// to wait.
func (t *throttle) begin(limit int, kind, value string) (attempt, time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	key, c := t.counter(payment.HashOf(kind+"\x00"+value), now)
	if now.After(c.until) {
		c.n = 0
	}
	if c.n >= limit {
		return attempt{}, max(time.Millisecond, c.until.Sub(now))
	}
	c.n++
	c.until = now.Add(guessPause)
	return attempt{t, key}, 0
}

// counter returns the counter of a key. In a full throttle a new key replaces another one or shares a counter.
func (t *throttle) counter(key chain.Hash, now time.Time) (chain.Hash, *counter) {
	if c := t.counters[key]; c != nil {
		return key, c
	}
	if len(t.counters) >= maxCounters && now.Sub(t.swept) >= sweepEvery {
		t.swept = now
		for k, c := range t.counters {
			if now.After(c.until) {
				delete(t.counters, k)
			}
		}
	}
	if len(t.counters) >= maxCounters && t.evicts {
		for other := range t.counters { // any
			delete(t.counters, other)
			break
		}
	}
	if len(t.counters) >= maxCounters {
		shared := (int(key[0])<<8 | int(key[1])) % sharedCounters
		key = chain.Hash{byte(shared >> 8), byte(shared)} // no key that is hashed ends in 30 zero bytes
	}
	c := t.counters[key]
	if c == nil {
		c = &counter{}
		t.counters[key] = c
	}
	return key, c
}

// undo uncounts the attempt, which succeeded or has no verdict.
func (a attempt) undo() { a.change(func(c *counter) { c.n = max(0, c.n-1) }) }

// forget removes the counter after a successful sign-in.
func (a attempt) forget() { a.change(func(c *counter) { c.n = 0 }) }

func (a attempt) change(fn func(*counter)) {
	if a.throttle == nil {
		return
	}
	a.throttle.mu.Lock()
	defer a.throttle.mu.Unlock()
	if c := a.throttle.counters[a.key]; c != nil {
		if fn(c); c.n == 0 {
			delete(a.throttle.counters, a.key)
		}
	}
}
