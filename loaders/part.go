package loaders

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// parts are the separate loaders of fields whose rows are not those of the index. A simulated transaction, for example,
// may have the same key as an indexed one, so the rows below such a field must not be cached for other fields.
type parts struct {
	mu  sync.RWMutex
	set map[*graphql.FieldContext]*Set
}

// Part makes [From] return own for everything below the field of the context.
func Part(ctx context.Context, own *Set) {
	field := graphql.GetFieldContext(ctx)
	if field == nil {
		return
	}
	request := requestSet(ctx)
	p := request.parts.Load()
	if p == nil {
		request.parts.CompareAndSwap(nil, &parts{set: map[*graphql.FieldContext]*Set{}})
		p = request.parts.Load()
	}
	p.mu.Lock()
	p.set[field] = own
	p.mu.Unlock()
}

// of returns the loaders of the nearest field above that has separate ones, or nil.
func (p *parts) of(ctx context.Context) *Set {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for field := graphql.GetFieldContext(ctx); field != nil; field = field.Parent {
		if own := p.set[field]; own != nil {
			return own
		}
	}
	return nil
}
