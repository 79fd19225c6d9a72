package sqlbuild

import "context"

type limitKey struct{}

// WithReadLimit returns a context in which one query reads at most so many bytes of raw transactions, decompressed; 0: any number.
func WithReadLimit(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, limitKey{}, bytes)
}

// ReadLimit returns the limit of a context, 0 for none.
func ReadLimit(ctx context.Context) int {
	n, _ := ctx.Value(limitKey{}).(int)
	return n
}
