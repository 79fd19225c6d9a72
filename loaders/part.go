package loaders

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// parts are the loaders of those fields of a request whose answers are not about the chain as it is: what is loaded below
// such a field is known only there. A simulated transaction may have the key of a real one.
type parts struct {
	mu  sync.RWMutex
	set map[*graphql.FieldContext]*Set
}

// Part gives everything below the field of a context loaders of its own.
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

// of finds the loaders of the nearest field above that has its own; nil when none has.
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
