package loaders

import "context"

type sharedKey struct{}

// WithShared puts loaders into a context that other requests have, too: those who follow the same blocks ask the same
// questions. What one of them asks is read for all, so it does not end when the one who asked first leaves.
func WithShared(ctx context.Context, set *Set) context.Context {
	return context.WithValue(context.WithValue(ctx, contextKey{}, set), sharedKey{}, true)
}

func shared(ctx context.Context) bool { return ctx.Value(sharedKey{}) != nil }

// reading is the context in which a batch is read.
func reading(ctx context.Context) context.Context {
	if shared(ctx) {
		return context.WithoutCancel(ctx)
	}
	return ctx
}
