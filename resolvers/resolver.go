package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/loaders"
)

// Resolver adapts the Service to gqlgen's generated executor. Its methods, in *.resolvers.go, parse, call the Service or
// a loader, and do nothing else.
type Resolver struct {
	Service *Service
	Limits  chain.ServiceConfig // as enforced by the API and published by serviceConfig
	Feed    *feed.Feed          // live events; nil when this process follows nothing
	// RateLimit returns the state of a request's rate limit; nil without one. A nil function means no rate limits.
	RateLimit func(context.Context) *chain.RateLimit
}

// Prepare adds loaders to the context of one request.
func (r *Resolver) Prepare(ctx context.Context) context.Context {
	return loaders.With(ctx, r.Service.index)
}
