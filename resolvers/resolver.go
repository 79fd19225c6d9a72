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

// Prepare returns the context of one request with its loaders. All executions for events of one batch share loaders, which
// also return the emulated rows of the batch.
func (r *Resolver) Prepare(ctx context.Context) context.Context {
	if e := feed.EventOf(ctx); e != nil {
		set, _ := e.Batch.Shared(func(b *feed.Batch) any {
			set := loaders.New(r.Service.index)
			for _, t := range b.Emulated {
				set.PrimeTrace(t)
			}
			return set
		}).(*loaders.Set)
		return loaders.WithShared(ctx, set)
	}
	return loaders.With(ctx, r.Service.index)
}
