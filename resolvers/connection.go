package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// relay reads the page arguments of a connection as the Relay specification defines them: of the rows between after and before, the
// first ones or the last ones. Without first and last, a page with before alone has the rows that are nearest to it.
func (r *Resolver) relay(kind chain.ListKind, first *int, after *string, last *int, before *string, sort *chain.Sort) (chain.Page, error) {
	p := chain.Page{Limit: r.Limits.DefaultPageSize}
	if first != nil && last != nil {
		return p, chain.Invalidf("give first or last, not both")
	}
	if first != nil {
		p.Limit = *first
	}
	if last != nil {
		p.Limit = *last
	}
	p.Last = last != nil || first == nil && before != nil && after == nil
	if p.Limit < 0 || p.Limit > r.Limits.MaxPageSize {
		return p, chain.Invalidf("a page has 0 to %d rows", r.Limits.MaxPageSize)
	}
	if sort != nil {
		p.Sort = *sort
	}
	var err error
	if p.After, err = cursor(after, kind); err != nil {
		return p, err
	}
	if p.Before, err = cursor(before, kind); err != nil {
		return p, err
	}
	return p, nil
}

func cursor(text *string, kind chain.ListKind) (*chain.Cursor, error) {
	if text == nil {
		return nil, nil
	}
	c, err := chain.ParseCursor(*text, kind)
	return &c, err
}

// connectLoaded is [connect] for the rows of one parent, which a loader reads together with those of other parents.
func connectLoaded[T any, P interface {
	*T
	chain.Positioned
}](ctx context.Context, s *Service, p chain.Page, load func(loaders.PageKey) ([]T, error)) (*chain.Connection[P], error) {
	return connect[T, P](ctx, s, p, func(p chain.Page) ([]T, error) { return load(loaders.KeyOf(p)) })
}

// only gives the first of the rows, nil when there is none.
func only[T any](rows []T, err error) (*T, error) {
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// pointers gives the addresses of rows.
func pointers[T any](rows []T) []*T {
	out := make([]*T, len(rows))
	for i := range rows {
		out[i] = &rows[i]
	}
	return out
}
