package metadata

import (
	"math/rand/v2"
	"time"
)

// wait is the delay after the n-th failure in a row, n from 1: four times the previous one, at most MaxRetryDelay, varied by a
// fifth so that jobs that failed together are not repeated together. The server's Retry-After is respected up to the same
// bound.
func (o Options) wait(n int, requested time.Duration) time.Duration {
	wait := o.RetryFirst
	for range n - 1 {
		if wait *= 4; wait >= o.MaxRetryDelay {
			break
		}
	}
	return around(min(max(wait, requested), o.MaxRetryDelay))
}

// around gives a time up to a fifth away from d.
func around(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}
