package logs

import "context"

// Requested is a value of a context that has the id of a request.
type Requested interface{ RequestID() string }

type requestKey struct{}

// WithRequest returns a context for the work of a request. Log lines that are written with it have the id of the request.
func WithRequest(ctx context.Context, r Requested) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestOf returns the value of [WithRequest]; nil outside of a request.
func RequestOf(ctx context.Context) Requested {
	r, _ := ctx.Value(requestKey{}).(Requested)
	return r
}
