package indexer

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// newPause grows from a tenth of a second to five seconds.
func newPause() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = 100*time.Millisecond, 5*time.Second
	b.Reset()
	return b
}

// retry asks the network until it answers or ctx ends. While it does not, what is the sentence of [Status] about; key
// tells concurrent questions apart.
func retry[T any](ctx context.Context, x *Indexer, key, what string, ask func(context.Context) (T, error)) (T, error) {
	pause := newPause()
	for tries := 1; ; tries++ {
		v, err := ask(ctx)
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
			x.opts.Logger.Warn("the network does not answer", "asked", what, "err", err, "kind", chain.KindOf(err).String(),
				"tries", tries, "again_in", wait.Round(time.Millisecond))
		}
		ctxtime.Sleep(ctx, wait)
	}
}
