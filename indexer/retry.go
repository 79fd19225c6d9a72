package indexer

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// newPause returns a backoff from a tenth of a second to five seconds.
func newPause() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = 100*time.Millisecond, 5*time.Second
	b.Reset()
	return b
}

// retry calls fetch until it succeeds or ctx ends, with exponential backoff. While it fails, [Status] reports what was
// requested and the error; key identifies concurrent requests.
func retry[T any](ctx context.Context, x *Indexer, key, what string, fetch func(context.Context) (T, error)) (T, error) {
	pause := newPause()
	for tries := 1; ; tries++ {
		v, err := fetch(ctx)
		if err == nil {
			x.status.trouble(key, "")
			return v, nil
		}
		if ctx.Err() != nil {
			x.status.trouble(key, "")
			return v, ctx.Err()
		}
		x.metrics.retries.Inc()
		x.status.trouble(key, what+": "+chain.PublicMessage(err))
		wait := pause.NextBackOff()
		if tries == 1 || tries%10 == 0 {
			x.opts.Logger.Warn("network request failed, retrying", "operation", what, "err", err, "kind", chain.KindOf(err).String(),
				"tries", tries, "pause", wait.Round(time.Millisecond))
		}
		ctxtime.Sleep(ctx, wait)
	}
}
