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
	Limits  chain.ServiceConfig // as enforced by the door and published by serviceConfig
	Feed    *feed.Feed          // live events; nil when this process follows nothing
	// RateLimit is what a request was told of its limit, nil when it has none; a nil function limits nobody.
	RateLimit func(context.Context) *chain.RateLimit
}

// Prepare gives one request its loaders.
func (r *Resolver) Prepare(ctx context.Context) context.Context {
	return loaders.With(ctx, r.Service.index)
}
