package metadata

import (
	"math/rand/v2"
	"time"
)

// wait is how long to leave a content alone after its n-th failure in a row, n from 1: four times as long each time, at
// most MaxRetryDelay, a fifth more or less so that what failed together does not come back together. What the server asks
// for is heeded up to the same bound.
func (o Options) wait(n int, requestFailure time.Duration) time.Duration {
	wait := o.RetryFirst
	for range n - 1 {
		if wait *= 4; wait >= o.MaxRetryDelay {
			break
		}
	}
	return around(min(max(wait, requestFailure), o.MaxRetryDelay))
}

// around gives a time up to a fifth away from d.
func around(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}
