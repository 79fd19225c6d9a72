package resolvers

import (
	"context"
	"slices"

	"tonql/internal/chain"
)

// The parts of a list of tokens by their counts: what the operator calls a scam comes after all others. Each part is the list along its
// index without the rows of the other part, so nothing is sorted and a change of the operator's lists applies at once. Major of a cursor is the
// part, because a page may end at a row of the other one.
const (
	ordinaryPart uint64 = 1
	scamPart     uint64 = 2
)

// placed is a row in a part of the list.
type placed[T any, P interface {
	*T
	chain.Positioned
}] struct {
	row  T
	part uint64
}

// Cursor is the position in the list of both parts.
func (r *placed[T, P]) Cursor() chain.Cursor {
	c := P(&r.row).Cursor()
	c.Major = r.part
	return c
}

// partOf returns the part in which a cursor stands; of a cursor of the list by address, the part of its token.
func (s *Service) partOf(c *chain.Cursor) uint64 {
	if c.Major == ordinaryPart || c.Major == scamPart {
		return c.Major
	}
	a, _ := chain.AddressFrom([]byte(c.Minor)) // valid cursors have that length
	return s.partOfToken(a)
}

func (s *Service) partOfToken(a chain.Address) uint64 {
	if s.Reputation(a) == chain.ReputationScam {
		return scamPart
	}
	return ordinaryPart
}

// jettonMastersBy is a page of the counted Jetton masters in an order by counts.
func (s *Service) jettonMastersBy(ctx context.Context, order chain.TokenOrder, p chain.Page) (*chain.JettonMasterConnection, error) {
	read := func(p chain.Page) ([]chain.JettonMaster, error) { return s.index.JettonMastersBy(ctx, order, p) }
	return scamsLast(ctx, s, p, read, func(m *chain.JettonMaster) chain.Address { return m.Address })
}

// nftCollectionsBy is a page of the counted collections in an order by counts.
func (s *Service) nftCollectionsBy(ctx context.Context, order chain.TokenOrder, p chain.Page) (*chain.NFTCollectionConnection, error) {
	read := func(p chain.Page) ([]chain.NFTCollection, error) { return s.index.NFTCollectionsBy(ctx, order, p) }
	return scamsLast(ctx, s, p, read, func(c *chain.NFTCollection) chain.Address { return c.Address })
}

// scamsLast is a page of the tokens that read lists, with scams after all others. It compares a bounded number of rows, as [filtered].
func scamsLast[T any, P interface {
	*T
	chain.Positioned
}](
	ctx context.Context, s *Service, p chain.Page, read func(chain.Page) ([]T, error), address func(*T) chain.Address,
) (*chain.Connection[P], error) {
	if s.opts.Reputation == nil && s.opts.Correct == nil {
		return connect[T, P](ctx, s, p, read)
	}
	page, err := filtered[placed[T, P]](ctx, s, p, sieve[placed[T, P]]{
		read:    func(p chain.Page) ([]placed[T, P], error) { return inParts[T, P](s, p, read) },
		keep:    each(func(r *placed[T, P]) bool { return r.part == s.partOfToken(address(&r.row)) }),
		maxRows: maxComparedNested,
	})
	if err != nil {
		return nil, err
	}
	c := &chain.Connection[P]{Edges: make([]chain.Edge[P], len(page.Edges)), PageInfo: page.PageInfo}
	for i, e := range page.Edges {
		c.Edges[i] = chain.Edge[P]{Cursor: e.Cursor, Node: P(&e.Node.row)}
	}
	return c, nil
}

// inParts reads a page of the list that is read once for each part.
func inParts[T any, P interface {
	*T
	chain.Positioned
}](s *Service, p chain.Page, read func(chain.Page) ([]T, error)) (rows []placed[T, P], err error) {
	backwards := p.Last
	parts := []uint64{ordinaryPart, scamPart}
	if backwards {
		parts = []uint64{scamPart, ordinaryPart}
	}
	for _, part := range parts {
		q, some := s.pageOfPart(p, part)
		if q.Limit = p.Limit - len(rows); !some || q.Limit <= 0 {
			continue
		}
		list, err := read(q)
		if err != nil {
			return nil, err
		}
		found := make([]placed[T, P], len(list))
		for i := range list {
			found[i] = placed[T, P]{list[i], part}
		}
		if backwards {
			rows = slices.Concat(found, rows)
		} else {
			rows = append(rows, found...)
		}
	}
	return rows, nil
}

// pageOfPart returns the page within a part, and whether the page has rows of it at all.
func (s *Service) pageOfPart(p chain.Page, part uint64) (chain.Page, bool) {
	if p.After != nil {
		switch at := s.partOf(p.After); {
		case at > part:
			return p, false
		case at < part:
			p.After = nil
		}
	}
	if p.Before != nil {
		switch at := s.partOf(p.Before); {
		case at < part:
			return p, false
		case at > part:
			p.Before = nil
		}
	}
	return p, true
}
