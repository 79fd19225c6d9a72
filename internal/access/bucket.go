package access

import (
	"context"
	"math"
	"sync"
	"time"
)

// bucket is the token bucket of one owner or one client. Its balance may be negative: the cost of a request above its first
// token is charged after admission, and later requests wait until it is paid. Safe for concurrent use.
type bucket struct {
	mu     sync.Mutex
	tokens float64
	at     time.Time // time at which tokens was computed
	// until is the earliest time of the next lease from the store, of a bucket that leases.
	until time.Time
	// size is the capacity, and rate the tokens a second of the last request.
	size, rate float64
}

// oneToken is one token less a margin for rounding errors.
const oneToken = 1 - 1e-9

// maxDebt bounds the debt, in seconds of the rate: one admitted request must not block its client for long.
// leastDebt is the bound of slow plans, in tokens: more than the dearest single request costs, so that no plan is worth
// more than its rate.
const (
	maxDebt   = 10
	leastDebt = 64
)

// newBucket returns a full bucket: the tokens of one second, at least one.
func newBucket(rate, size float64, now time.Time) *bucket {
	b := &bucket{tokens: max(1, rate), at: now, size: size, rate: rate}
	if size > burst(rate) {
		b.tokens = size
	}
	return b
}

// fill adds the tokens since the last call.
func (b *bucket) fill(rate float64, now time.Time) {
	b.rate = rate
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.tokens = min(b.size, b.tokens+passed*rate)
		b.at = now
	}
}

// spare reports whether the bucket has been idle for so long that it is full, and its debt is paid: a new one is no different. Of a bucket that
// leases, the store has as many tokens by then.
func (b *bucket) spare(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	idle := now.Sub(b.at)
	return idle > sweepEvery && now.Sub(b.until) > sweepEvery && idle.Seconds()*b.rate >= b.size-b.tokens
}

// take spends n tokens. With too few it spends none and returns the time until there are as many.
func (b *bucket) take(rate float64, n int, now time.Time) (left float64, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill(rate, now)
	return b.spend(rate, n)
}

func (b *bucket) spend(rate float64, n int) (left float64, wait time.Duration) {
	if b.tokens < float64(n)*oneToken {
		return max(0, b.tokens), until(float64(n)-b.tokens, rate)
	}
	b.tokens -= float64(n)
	return max(0, b.tokens), 0
}

// until returns the time in which a bucket gains tokens.
func until(tokens, rate float64) time.Duration {
	return max(time.Millisecond, time.Duration(tokens/rate*float64(time.Second)))
}

// charge spends tokens, into debt if needed.
func (b *bucket) charge(rate, tokens float64) {
	b.mu.Lock()
	b.tokens = max(b.tokens-tokens, -max(leastDebt, maxDebt*burst(rate)))
	if b.tokens < 0 {
		b.until = time.Time{} // the store must receive it
	}
	b.mu.Unlock()
}

// refund returns a token to a bucket that does not lease.
func (b *bucket) refund() {
	b.mu.Lock()
	b.tokens = min(b.size, b.tokens+1)
	b.mu.Unlock()
}

// lease is take for a bucket that leases its tokens from the store. Concurrent requests of one owner wait for the request to
// the store, which is sent at most once per batch.
func (b *bucket) lease(ctx context.Context, store Store, name string, rate float64, n int, now func() time.Time) (left float64, wait time.Duration, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens >= float64(n)*oneToken {
		left, wait = b.spend(rate, n)
		return left, wait, nil
	}
	at := now()
	if at.Before(b.until) {
		return 0, b.until.Sub(at), nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	owed := max(0, -b.tokens)
	granted, remaining, err := store.Lease(ctx, name, rate, b.size, max(float64(n), batch(rate))-max(0, b.tokens), owed)
	if err != nil {
		return 0, 0, err //nolint:wrapcheck // the store's error names the query
	}
	b.tokens = max(0, b.tokens) + granted
	b.at, b.rate = at, rate
	if next := batch(rate); remaining < next {
		b.until = at.Add(until(next-remaining, rate)) // the store has no batch before
	}
	if b.tokens < oneToken {
		return 0, b.until.Sub(at), nil
	}
	left, wait = b.spend(rate, n)
	return left + max(0, remaining), wait, nil
}

// batch is how many tokens a gateway leases at once: those of a tenth of a second, rounded up. So it queries the store at most ten times a
// second for one owner, within the limit and above it, and few tokens are lost when it stops.
func batch(rate float64) float64 { return max(1, math.Ceil(rate/10)) }
