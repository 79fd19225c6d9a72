package loaders

import (
	"context"

	"tonql/internal/store/readers"
)

type sharedKey struct{}

// WithShared returns a context with loaders that other requests use at the same time, because subscribers to the same
// events need the same rows. A batch of such loaders is read for all of them, so it does not end with the context of the
// request that added the first key.
func WithShared(ctx context.Context, set *Set) context.Context {
	return context.WithValue(with(ctx, set), sharedKey{}, true)
}

func shared(ctx context.Context) bool { return ctx.Value(sharedKey{}) != nil }

// readContext returns the context in which a batch is read. One that several requests share must not fail by what one of them reads.
func readContext(ctx context.Context) context.Context {
	if shared(ctx) {
		return readers.Unlimited(context.WithoutCancel(ctx))
	}
	return ctx
}
